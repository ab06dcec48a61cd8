"""Approaches: in words, what a reader with everyday knowledge would try with each named thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from impossible_moments.agents.builtin.socrates.option_review import OptionReview
from impossible_moments.agents.builtin.socrates.text_facts import NamedThing, TextFacts
from impossible_moments.library import load_everyday_objects

MOST_APPROACHES: Final = 5
_STATES_USE: Final = re.compile(r"^(?:[a-z]+s)\b(?!:)")
"""A clause of a table that starts with a verb, such as `holds 11 l`."""
_ATTRIBUTE: Final = re.compile(r"\s(?:from|of|in|at|on|with|for|to)\s")
"""What follows describes the thing and is not its name."""
_NAMED_USES: Final = 2


@dataclass(frozen=True, slots=True)
class Approach:
    """Something to try with a thing, and what the text says against it, or an empty string."""

    description: str
    against: str

    def __str__(self) -> str:
        return f"{self.description}: {self.against}" if self.against else self.description


def list_approaches(options: tuple[OptionReview, ...], facts: TextFacts) -> tuple[Approach, ...]:
    """Return what comes to mind first: the things that the text mentions most, those not excluded before the others."""
    ordered = sorted(
        options,
        key=lambda option: (
            option.is_excluded,
            -len(facts.find_sentences_naming(option.thing)),
            option.thing.name,
        ),
    )
    return tuple(
        Approach(_describe_use(option.thing), _describe_obstacle(option))
        for option in ordered[:MOST_APPROACHES]
    )


def find_known_uses(thing: NamedThing) -> tuple[str, ...]:
    """Return the everyday uses of a thing, from the library's object whose name is most like it."""
    words = _ATTRIBUTE.split(thing.head)[0].split()
    uses = _collect_uses_by_name()
    for start in range(len(words)):
        found = uses.get(" ".join(words[start:]))
        if found:
            return found
    return ()


@lru_cache(maxsize=1)
def _collect_uses_by_name() -> dict[str, tuple[str, ...]]:
    """Return the uses of the library's objects by name and by each ending of the name."""
    found: dict[str, tuple[str, ...]] = {}
    for each in load_everyday_objects().values():
        words = re.sub(r"^(?:an?|the)\s+", "", each.label.lower()).split()
        for start in range(len(words)):
            found.setdefault(" ".join(words[start:]), each.uses)
    return found


def states_use(thing: NamedThing) -> bool:
    """Return whether the table says what a thing does, such as `holds 11 l`."""
    return bool(_find_stated_use(thing))


def _find_stated_use(thing: NamedThing) -> str:
    return next((clause for clause in _split_clauses(thing.description) if _STATES_USE.match(clause)), "")


def _describe_use(thing: NamedThing) -> str:
    name = thing.spoken_name
    stated = _find_stated_use(thing)
    if stated:
        return f"Use {name}, which {stated}"
    uses = find_known_uses(thing)
    if uses:
        roles = " or ".join(use.replace("_", " ") for use in uses[:_NAMED_USES])
        return f"Use {name} as {roles}"
    return f"Turn to {name}" + (f", {thing.description}" if thing.description else "")


def _describe_obstacle(option: OptionReview) -> str:
    if option.failures:
        failure = option.failures[0]
        return f"`{failure.offered.passage}` misses `{failure.needed.passage}`"
    if option.is_barred:
        return f"`{option.thing.description}` excludes it"
    return f"the text says, “{option.remarks[0]}”" if option.remarks else ""


def _split_clauses(text: str) -> Iterator[str]:
    yield from (clause.strip() for clause in text.split(";") if clause.strip())
