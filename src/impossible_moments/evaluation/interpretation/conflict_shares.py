"""The share of a conflict that an answer names, without conditions that only keep steps in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation.interpreted_answer import REFUTED

MAIN_CONDITION_WEIGHT: Final = 0.85
"""Weight of the conditions at which serious attempts fail; the other conditions share the rest."""
ALLOWED_ASIDE_SHARE: Final = 0.25
"""The share of the conditions chosen from a menu that may be about something else."""
FALSE_REASON_WEIGHT: Final = 2.0
"""How many true reasons a refuted one outweighs."""
UNKNOWN_REASON_WEIGHT: Final = 0.5
"""The same for a reason that stops no approach of the record, from the first one more than there are true ones."""


@dataclass(frozen=True, slots=True)
class ConflictShare:
    """How much of the conflict an answer names."""

    named: frozenset[str]
    counted: int
    """The number of conditions of the conflict that count."""
    share: float
    """Share of the conflict that is named, by weight."""
    names_main: bool
    """Whether a condition at which serious attempts fail is named."""
    relevance: float
    """How much of the argument is about the conflict: 1 if no reason speaks against it."""


def compute_conflict_share(
    reasons: Sequence[frozenset[str]], key: AnswerKey, *, is_chosen: bool = False
) -> ConflictShare:
    """Compare the conditions that the reasons of an answer name with the conflict of the record.

    `is_chosen` says that the conditions were chosen from a menu or matched by words, where a further one is a wrong
    choice. An argument that was understood may close further ways with true reasons.
    """
    counted = frozenset(key.conflict) - key.wording.bookkeeping
    named = frozenset[str]().union(*reasons) & counted
    relevant = sum(bool(each & counted) for each in reasons)
    if is_chosen:
        counted_reasons = len(reasons) - int(ALLOWED_ASIDE_SHARE * len(reasons))
        relevance = min(relevant / counted_reasons, 1.0) if reasons else 0.0
    else:
        relevance = _compute_relevance_of_argument(reasons, relevant, counted, key)
    main = (key.breaking_conditions & counted) or counted
    share = _compute_weighted_share(named, counted, key)
    return ConflictShare(named, len(counted), share, bool(named & main), relevance)


def _compute_relevance_of_argument(
    reasons: Sequence[frozenset[str]], relevant: int, counted: frozenset[str], key: AnswerKey
) -> float:
    """Return the weight of the reasons of the conflict among those that speak for or against the argument."""
    if not relevant:
        return 0.0
    true = counted | key.failing_conditions
    false = sum(each == REFUTED for each in reasons)
    unknown = max(sum(each != REFUTED and not each & true for each in reasons) - relevant, 0)
    return relevant / (relevant + FALSE_REASON_WEIGHT * false + UNKNOWN_REASON_WEIGHT * unknown)


def _compute_weighted_share(named: frozenset[str], counted: frozenset[str], key: AnswerKey) -> float:
    main = key.breaking_conditions & counted
    side = counted - main
    if not main or not side:
        return len(named) / len(counted) if counted else 0.0
    return MAIN_CONDITION_WEIGHT * len(named & main) / len(main) + (1 - MAIN_CONDITION_WEIGHT) * len(
        named & side
    ) / len(side)
