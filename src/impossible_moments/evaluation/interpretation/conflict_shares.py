"""The share of a conflict that an answer names, without conditions that only keep steps in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey

MAIN_CONDITION_WEIGHT: Final = 0.7
"""Weight of the conditions at which serious attempts fail; the other conditions share the rest."""
ALLOWED_ASIDE_SHARE: Final = 0.25
"""The share of the reasons of an answer that may be about something else."""


@dataclass(frozen=True, slots=True)
class ConflictShare:
    """How much of the conflict an answer names."""

    named: frozenset[str]
    counted: int
    """The number of conditions of the conflict that count."""
    share: float
    """Share of the conflict that is named, by weight."""
    relevance: float
    """Share of the reasons that name a condition of the conflict, with an allowance for asides."""


def compute_conflict_share(reasons: Sequence[frozenset[str]], key: AnswerKey) -> ConflictShare:
    """Compare the conditions that the reasons of an answer name with the conflict of the record."""
    counted = frozenset(key.conflict) - key.wording.bookkeeping
    named = frozenset[str]().union(*reasons) & counted
    relevant = sum(bool(each & counted) for each in reasons)
    counted_reasons = len(reasons) - int(ALLOWED_ASIDE_SHARE * len(reasons))
    relevance = min(relevant / counted_reasons, 1.0) if reasons else 0.0
    return ConflictShare(named, len(counted), _compute_weighted_share(named, counted, key), relevance)


def _compute_weighted_share(named: frozenset[str], counted: frozenset[str], key: AnswerKey) -> float:
    main = key.breaking_conditions & counted
    side = counted - main
    if not main or not side:
        return len(named) / len(counted) if counted else 0.0
    return MAIN_CONDITION_WEIGHT * len(named & main) / len(main) + (1 - MAIN_CONDITION_WEIGHT) * len(
        named & side
    ) / len(side)
