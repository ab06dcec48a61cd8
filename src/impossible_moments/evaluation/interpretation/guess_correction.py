"""Correction for guessing: what a random choice from the offered lists would get right as well is worth less, down to nothing.

An answer in its own words has no lists, so nothing is taken off.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation.interpreted_answer import (
    InterpretedAnswer,
    OfferedChoices,
    StepKind,
)
from impossible_moments.evaluation.interpretation.plan_execution import ExecutedInterpretation

LUCK: Final = 0.05
"""The chance of a lucky choice up to which part credit counts in full: odds of 19 to 1 against it."""
CERTAIN: Final = 1.0
"""The chance of what every choice gets right."""
NO_CHANCE: Final = 0.0
"""The chance of what cannot be chosen from a list."""


def compute_credit_share(chance: float) -> float:
    """Return the share of part credit that counts if a random choice earns as much with this chance.

    It grows with the odds against the choice. It is 1 from odds of 19 to 1 on, and 0 for what any choice earns.
    """
    if chance <= LUCK:
        return 1.0
    odds_against = (1.0 - chance) / chance
    return min(odds_against * LUCK / (1.0 - LUCK), 1.0)


def compute_chance_of_hits(offered: int, right: int, chosen: int, hits: int) -> float:
    """Return the chance that a random choice of some lines holds at least as many right ones (hypergeometric)."""
    offered = max(offered, chosen, right)
    ways = sum(
        comb(right, count) * comb(offered - right, chosen - count)
        for count in range(hits, min(right, chosen) + 1)
    )
    return ways / comb(offered, chosen) if hits else CERTAIN


def compute_chance_of_acts(
    executed: ExecutedInterpretation, answer: InterpretedAnswer, key: AnswerKey
) -> float:
    """Return the chance that as many random lines of the menu show as many insights as the executed acts."""
    offered = answer.offered
    if offered is None:
        return NO_CHANCE
    done = set(executed.executed_calls)
    right_lines = _select_insightful_calls(offered.calls, key)
    written = _select_insightful_calls(done - set(offered.calls), key)
    chosen = len(_collect_chosen_acts(answer))
    chance = compute_chance_of_hits(offered.acts, len(right_lines), chosen, len(right_lines & done))
    # a value that the solver writes is not chosen from a list
    return min(chance, LUCK) if written else chance


def compute_chance_of_needed_acts(needed: int, answer: InterpretedAnswer) -> float:
    """Return the chance that as many random lines of the menu hold all the acts that a working plan needs."""
    if answer.offered is None:
        return NO_CHANCE
    return compute_chance_of_hits(answer.offered.acts, needed, len(_collect_chosen_acts(answer)), needed)


def _collect_chosen_acts(answer: InterpretedAnswer) -> set[str]:
    acts = {StepKind.CALL, StepKind.NEAR_MISS}
    return {step.call or step.text for step in answer.steps if step.kind in acts}


def compute_chance_of_premise(offered: OfferedChoices | None) -> float:
    """Return the chance to choose the right premise."""
    return NO_CHANCE if offered is None else 1.0 / max(offered.premises, 1)


def compute_chance_of_crux(offered: OfferedChoices | None) -> float:
    """Return the chance to choose the quantity that decides."""
    return NO_CHANCE if offered is None else 1.0 / max(offered.uncertainties, 1)


def compute_chance_of_conditions(answer: InterpretedAnswer, right: int, hits: int) -> float:
    """Return the chance that as many random conditions name as much of the conflict."""
    if answer.offered is None:
        return NO_CHANCE
    return compute_chance_of_hits(answer.offered.conditions, right, len(answer.conflict), hits)


def _select_insightful_calls(calls: Iterable[str], key: AnswerKey) -> set[str]:
    return {call for call in calls if any(each.is_shown_by((call,)) for each in key.insights_of_solutions)}
