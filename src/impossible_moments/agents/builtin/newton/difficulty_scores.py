"""NEWTON's difficulty scores, from insights, habits that physics contradicts, and combined fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.seed import SeedDocument

_COUNTERINTUITIVE_TYPES: Final = frozenset({"scale intuition", "inversion", "frame"})
"""Habits of thought that physics contradicts."""


def score_physical_difficulty(seed: SeedDocument) -> tuple[Profile, Mapping[str, str]]:
    """Return the six scores and the reasons for those that are counted."""
    insights = seed.insight_chain
    fields = {each.domain for each in insights if each.domain}
    deepest = max((_compute_insight_depth(seed, number) for number in range(1, len(insights) + 1)), default=1)
    strong = [each for each in seed.distractor_inventory if each.strength == "strong"]
    contrary = [each for each in insights if each.fixedness_type in _COUNTERINTUITIVE_TYPES]
    framed = any(each.fixedness_type == "frame" for each in insights)
    scores = {
        "I": 5 if framed else min(max(len(insights), deepest + 1 if deepest > 1 else 1), 4),
        "D": min(1 + min(len(seed.distractor_inventory), 2) + (len(strong) > 1), 5),
        "C": 5
        if framed
        else 4
        if contrary
        else 2
        if all(each.fixedness_type in {"functional fixedness", "overlooked property"} for each in insights)
        else 3,
        "B": min(max(len(fields), 1) + (len(fields) > 2), 5),  # noqa: PLR2004 - three fields or more score higher
        "T": 3 if seed.mechanics.get("deadline") else 1,
        "X": min(2 + len(strong), 4) if seed.wrong_answers else 1,
    }
    reasons = {
        "I": f"{format_count(len(insights), 'insight')}, the longest chain of dependent ones has {deepest}",
        "D": f"{format_count(len(seed.distractor_inventory), 'distractor')}, {len(strong)} of them strong",
        "C": f"{format_count(len(contrary), 'insight')} against what bodies seem to do",
        "B": f"fields: {', '.join(sorted(fields)) or 'one'}",
    }
    return Profile(**scores), reasons


def _compute_insight_depth(seed: SeedDocument, number: int, depth_below: int = 0) -> int:
    """Return the length of the longest dependency chain that ends at an insight, itself included."""
    if depth_below > len(seed.insight_chain) or not 0 < number <= len(seed.insight_chain):
        return 0
    return 1 + max(
        (
            _compute_insight_depth(seed, each, depth_below + 1)
            for each in seed.insight_chain[number - 1].depends_on
        ),
        default=0,
    )
