"""The components of a score beside the outcome: physical validity, insight, distractors and efficiency."""

from __future__ import annotations

from typing import Final

from impossible_moments.domain.scoring_rubrics import DISTRACTOR_DEDUCTION
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation.interpreted_answer import InterpretedAnswer, StepKind
from impossible_moments.evaluation.interpretation.plan_execution import ExecutedInterpretation
from impossible_moments.mechanics.execution import Move

FREE_VERBS: Final = ("wait", "wait_until", "challenge", "claim", "impossible", "choose")
"""Verbs that claim nothing about the physics."""
FEWEST_UNNEEDED: Final = 3
"""The fewest unneeded acts of a plan that is no answer."""


def compute_physical_validity(executed: ExecutedInterpretation) -> float:
    """Return the percentage of the acts that could be executed.

    Only acts that the record knows count: what it does not know is neither valid nor invalid.
    """
    acts = [
        move.text
        for move in executed.moves
        if move.verb not in FREE_VERBS and move.text not in executed.added
    ]
    if executed.outcome.reaches_goal:
        return 100.0
    done = [call for call in executed.executed_calls if call in acts]
    tried = len(acts) + len(executed.faults)
    return 100.0 * min(len(done), tried) / tried if tried else 0.0


def compute_insight_share(
    executed: ExecutedInterpretation, key: AnswerKey, premises: frozenset[str] = frozenset()
) -> float:
    """Return the percentage of the needed insights that the executed calls and the named premises show."""
    calls = list_telling_calls(executed, key, premises)
    shown = [each for each in key.insights_of_solutions if each.is_shown_by(calls)]
    # one solution is enough, so the insights of other solutions are not required
    return 100.0 * min(len(shown) / key.needed_insights, 1.0)


def list_telling_calls(
    executed: ExecutedInterpretation, key: AnswerKey, premises: frozenset[str]
) -> tuple[str, ...]:
    """Return the calls that can show an insight: those that were executed, and the challenges of the named premises."""
    calls = (*executed.executed_calls, *executed.outcome.said)
    if not executed.reaches_goal:
        # any value can be chosen, so a choice shows nothing until it works
        calls = tuple(call for call in calls if not call.startswith("choose("))
    rules = key.analysis.world.never_rules
    return (*calls, *(f"challenge('{rule.evidence}')" for rule in rules if rule.name in premises))


def find_needed_moves(executed: ExecutedInterpretation, key: AnswerKey) -> tuple[Move, ...]:
    """Return the moves without which the plan fails. Steps after the goal are left out."""
    kept = list(executed.moves[: _count_moves_to_goal(executed)])
    for move in tuple(kept):
        fewer = [each for each in kept if each is not move]
        outcome = key.analysis.executor.run_plan(
            fewer, changes=dict(executed.changes), lifted=executed.lifted
        )
        if fewer and outcome.reaches_goal:
            kept = fewer
    return tuple(kept)


def _count_moves_to_goal(executed: ExecutedInterpretation) -> int:
    done = len(executed.executed_calls) + len(executed.outcome.said)
    return min(done, len(executed.moves))


def is_shotgun(executed: ExecutedInterpretation, answer: InterpretedAnswer, key: AnswerKey) -> bool:
    """Return whether a plan does so much that it does not say which acts matter.

    Harmless steps do not count. A few acts too many are no shotgun.
    """
    needed = len(find_needed_moves(executed, key))
    near_misses = sum(step.kind is StepKind.NEAR_MISS for step in answer.steps)
    acts = [
        move for move in executed.moves if move.text not in executed.added and move.verb not in FREE_VERBS
    ]
    unneeded = max(len(acts) - needed, 0) + near_misses
    return unneeded >= FEWEST_UNNEEDED and unneeded > needed


def has_too_many_acts(answer: InterpretedAnswer, key: AnswerKey) -> bool:
    """Return whether a plan that fails has so many acts that its good ones may be there by chance."""
    longest = max((len(plan) for plan in key.analysis.plans.values()), default=0)
    acts = sum(step.kind in {StepKind.CALL, StepKind.NEAR_MISS} for step in answer.steps)
    return acts > 2 * longest


def score_distractors(executed: ExecutedInterpretation | None, key: AnswerKey) -> float:
    """Return 100, less a deduction for each distractor on which a plan depends."""
    if executed is None or not executed.reaches_goal:
        return 100.0
    used = {argument for move in find_needed_moves(executed, key) for argument in move.arguments}
    return max(100.0 - DISTRACTOR_DEDUCTION * len(used & key.idle_tools), 0.0)


def score_efficiency(
    executed: ExecutedInterpretation | None, answer: InterpretedAnswer, key: AnswerKey
) -> float:
    """Return the percentage of the acts that were needed. Harmless steps and steps after the goal are free."""
    if executed is None:
        return 100.0
    if not executed.reaches_goal:
        return 0.0
    needed = len(find_needed_moves(executed, key))
    near_misses = sum(step.kind is StepKind.NEAR_MISS for step in answer.steps)
    done = _count_moves_to_goal(executed) + near_misses
    return 100.0 * needed / done if done else 100.0
