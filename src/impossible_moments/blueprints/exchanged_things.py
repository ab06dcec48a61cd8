"""Things that differ between two variants of a skin, so that the figures of one do not suit the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any, Final

from impossible_moments.blueprints.overlays import Data
from impossible_moments.blueprints.parameter_draws import REFERENCE
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import parse_line, split_lines

# fmt: off
ENDING_SECTIONS: Final = (
    "concept", "why_it_matters", "looks_impossible", "excluded", "correct_outcome", "category_match", "proof", "criteria",
    "open_questions", "insights",
)
"""The sections that describe how a variant ends."""
# fmt: on
LOOSE_KINDS: Final = frozenset({None, "object", "substance"})
"""Kinds of things that are used as themselves. The figures of a course or a rule may have any name."""
PROPERTIES: Final = 2
"""The crossing depth from which things also take over properties."""
_WORD: Final = re.compile(r"[a-zà-ž]{4,}")
_STOP_WORDS: Final = frozenset(
    "some other another over back with from what that this there their here way".split()
)
"""Words of a label that do not identify the thing."""
_NAME: Final = re.compile(r"[a-z_][a-z0-9_]*")


class UncrossableVariants(ConfigurationError):
    """Two variants that are different situations, not one situation with different figures."""


@dataclass(frozen=True, slots=True)
class MergedLayers:
    """The merged record and notes of a variant, before drawn values are filled in."""

    record: Data
    notes: Data

    @property
    def approaches(self) -> dict[str, Any]:
        """The approaches of the record, by name."""
        return {each["name"]: each for each in self.record.get("approaches") or ()}

    @property
    def things(self) -> dict[str, Any]:
        """The things of the record, by name."""
        return {each["name"]: each for each in self.record.get("things") or ()}

    @property
    def status(self) -> Mapping[str, Any]:
        """The status block."""
        return self.record.get("status") or {}


def find_changed_draws_and_dependents(before: Mapping[str, str], after: Mapping[str, str]) -> frozenset[str]:
    """Return the names of draws that are made differently, and of all draws computed from them."""
    found = {name for name, text in after.items() if before.get(name, text) != text}
    while dependent := {
        name for name, text in after.items() if name not in found and found & set(REFERENCE.findall(text))
    }:
        found |= dependent
    return frozenset(found)


def find_unexchangeable_relabelled_things(
    variant: MergedLayers, story: MergedLayers, depth: int, moved_draws: Set[str]
) -> Iterator[str]:
    """Yield the things that have another label in the story and cannot be exchanged.

    These are things whose figures change, and things that the own ending mentions.
    """
    named = _find_quantities_of_changed_draws(story, moved_draws)
    ending_words = _extract_words(_collect_ending_text(variant))
    for name, thing in story.things.items():
        story_label, variant_label = (
            str(thing.get("label", "")),
            str(variant.things.get(name, thing).get("label", "")),
        )
        if variant_label == story_label:
            continue
        changes = depth >= PROPERTIES or _mentions_draws_or_quantities(thing.get("props"), moved_draws, named)
        if (changes and thing.get("kind") in LOOSE_KINDS) or ending_words & (
            _extract_words(variant_label) - _extract_words(story_label)
        ):
            yield name


def _extract_words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - _STOP_WORDS


def _collect_ending_text(variant: MergedLayers) -> str:
    """Return all text about how the variant ends."""
    return " ".join(
        (str(variant.record.get("insights")), *(str(variant.notes.get(name)) for name in ENDING_SECTIONS))
    )


def _find_quantities_of_changed_draws(story: MergedLayers, moved_draws: Set[str]) -> frozenset[str]:
    """Return the quantities of the story that depend on the moved draws."""
    lines = [parse_line(line, example="rim = 3.6[m]") for line in split_lines(story.record.get("quantities"))]
    found: set[str] = set()
    while dependent := {
        line.head
        for line in lines
        if line.head not in found and _mentions_draws_or_quantities(line.body, moved_draws, found)
    }:
        found |= dependent
    return frozenset(found)


def _mentions_draws_or_quantities(text: object, draws: Set[str], quantities: Set[str]) -> bool:
    string = str(text)
    return bool(set(REFERENCE.findall(string)) & draws or set(_NAME.findall(string)) & quantities)
