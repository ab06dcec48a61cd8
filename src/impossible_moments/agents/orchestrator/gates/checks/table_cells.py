"""Cells of the seed document's tables: which of them say nothing, and which things need no mass."""

from __future__ import annotations

from typing import Final

from impossible_moments.agents.orchestrator.gates.gate_case import is_blank_or_placeholder
from impossible_moments.domain.seed import SeedDocument

_BODILESS_KINDS: Final = frozenset({"place", "person", "rule"})
_FILLERS: Final = frozenset(
    {
        "none stated",
        "not stated",
        "as told above",
        "as narrated",
        "as described",
        "an ordinary adult",
        "ordinary",
        "normal",
    }
)
"""Cells that say nothing about the thing or the person."""


def says_nothing(text: str) -> bool:
    """Return whether a cell is empty, a placeholder or a filler."""
    return is_blank_or_placeholder(text) or text.strip().strip(".").lower() in _FILLERS


def collect_labels_of_bodiless_things(seed: SeedDocument) -> frozenset[str]:
    """Return the labels of places, people and rules, which have no mass, dimensions or material to state."""
    things = [each for each in seed.mechanics.get("things") or () if isinstance(each, dict)]
    return frozenset(
        normalize_label(str(each.get("label") or ""))
        for each in things
        if each.get("kind") in _BODILESS_KINDS
    )


def normalize_label(label: str) -> str:
    """Return a label in lower case without its article."""
    words = label.strip().lower()
    for article in ("the ", "a ", "an "):
        words = words.removeprefix(article)
    return words
