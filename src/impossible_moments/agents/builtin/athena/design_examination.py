"""ATHENA's view of name, style and objects: what gives the answer away, and whether there is anything to choose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.agents.builtin.role import DesignPart
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.language import expressions as ex

FEWEST_PARAGRAPHS: Final = 2
MOST_PARAGRAPHS: Final = 4
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_SECOND_PERSON: Final = re.compile(r"\byou(?:r|rs|rself|rselves)?\b", re.IGNORECASE)


def examine_own_design(seed: SeedDocument, declared: DeclaredDesign) -> Mapping[DesignPart, str]:
    """Return ATHENA's objection to each part of the design, empty if there is none."""
    return {
        "name": " ".join(_find_revealing_words(seed.scenario.name, declared)),
        "style": " ".join(_find_style_faults(seed.scenario.narrative)),
        "objects": _find_missing_choice(seed, declared),
    }


def _find_revealing_words(name: str, declared: DeclaredDesign) -> Iterator[str]:
    """Yield the words of a name that stand for a thing which only the answer uses."""
    answering = {
        argument
        for plan in declared.answering
        for move in declared.plans[plan]
        for argument in move.arguments
    }
    tempting = {
        argument for plan in declared.traps for move in declared.plans[plan] for argument in move.arguments
    }
    goal = {path.partition(".")[0] for path in ex.collect_paths(declared.world.goal)}
    named = _collect_words(name)
    for thing in sorted(answering - tempting - goal):
        label = declared.world.things[thing].label if thing in declared.world.things else ""
        for word in sorted(named & _collect_words(label)):
            yield f"The name “{name}” names {label}, which only the answer uses (“{word}”)."


def _find_style_faults(narrative: str) -> Iterator[str]:
    """Yield what the narrative lacks of the template: the second person, in two to four paragraphs."""
    paragraphs = [part for part in narrative.split("\n\n") if part.strip()]
    if not FEWEST_PARAGRAPHS <= len(paragraphs) <= MOST_PARAGRAPHS:
        yield f"The narrative has {len(paragraphs)} paragraphs, and {FEWEST_PARAGRAPHS} to {MOST_PARAGRAPHS} are asked for."
    if not _SECOND_PERSON.search(narrative):
        yield "The narrative never addresses the solver as “you”."


def _find_missing_choice(seed: SeedDocument, declared: DeclaredDesign) -> str:
    if not seed.scenario.objects or declared.find_unneeded_things() or declared.traps:
        return ""
    count = len(seed.scenario.objects)
    return f"The answer uses all {count} objects and no wrong answer uses any, so nothing has to be chosen."


def _collect_words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))
