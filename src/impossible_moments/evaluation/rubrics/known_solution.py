"""Rubrics for known-solution (KS) and degenerate (DG) scenarios: any plan that reaches the goal is right."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from impossible_moments.domain.scoring_rubrics import (
    FULL_OUTCOME,
    FURTHER_PATH_BONUS,
    LEAST_SIMPLE,
    MOST_INSIGHT,
    SIMPLICITY,
)
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict, ParsedAnswer
from impossible_moments.evaluation.answers.implied_diagnosis import prepend_implied_diagnosis
from impossible_moments.evaluation.answers.plan_execution import ExecutedPlan, execute_plan_in_best_reading
from impossible_moments.evaluation.answers.plan_justification import has_plan_justification
from impossible_moments.evaluation.rubrics.rubric_result import (
    RubricResult,
    compute_insight_share,
    compute_physical_validity,
    describe_plan_ending,
)
from impossible_moments.mechanics.records import DiagnosisPuzzle, strip_quotes

_WRONG_ANSWER_END: Final = "blocked answer."
_QUARTERS: Final = (0.25, 0.75)
"""Positions of the variants within the range of a fragile quantity."""


def score_known_solution_answer(answer: ParsedAnswer, key: AnswerKey) -> RubricResult:
    """Score an answer to a known-solution scenario: 100 if its plan reaches the goal, else 0.

    A plan that reaches the goal only in the loose interpretation needs a justification. Insight, steadiness
    and further plans are recorded beside the outcome.
    """
    found = execute_plan_in_best_reading(prepend_implied_diagnosis(answer, key), key)
    if answer.verdict is AnswerVerdict.IMPOSSIBLE:
        # even with a plan: an answer that gives both would be right for every scenario
        return RubricResult(
            0.0, 0.0, 0.0, f"the goal can be reached; {describe_plan_ending(found)}", ("gave up",), found
        )
    reached, flags = found.outcome.reaches_goal, list[str]()
    if found.read_loosely:
        flags.append("read loosely")
        reached = has_plan_justification(answer, found, key)
    insight_share = compute_insight_share(found, key)
    if reached and not _contains_intended_plan(found, key):
        flags.append("unintended")
    if reached and key.full_status == "KS-Multiple":
        insight_share += FURTHER_PATH_BONUS * _count_further_plans(answer, found, key)
    if reached and key.full_status == "KS-Fragile":
        flags += _list_flags_for_success_on_variants(found, key)
    # review is needed if a right plan has no reason, or if a plan with reasons was not understood
    is_misunderstood = bool(answer.plan) and bool(answer.because) and not _is_plan_understood(found, key)
    review = not reached and (bool(found.unknown) or found.read_loosely or is_misunderstood)
    return RubricResult(
        FULL_OUTCOME if reached else 0.0,
        compute_physical_validity(found),
        min(insight_share, MOST_INSIGHT),
        describe_plan_ending(found),
        tuple(flags),
        found,
        review,
    )


def _is_plan_understood(executed_plan: ExecutedPlan, key: AnswerKey) -> bool:
    """Check whether the plan itself failed; an unknown hypothesis counts as not understood."""
    if not executed_plan.outcome.end.startswith(_WRONG_ANSWER_END):
        return executed_plan.is_understood
    puzzle = executed_plan.outcome.end.removeprefix(_WRONG_ANSWER_END)
    forms = [each for each in key.analysis.world.record.puzzles if each.name == puzzle]
    known = [each.name for form in forms if isinstance(form, DiagnosisPuzzle) for each in form.hypotheses]
    given_answers = [strip_quotes(move.arguments[1]) for move in executed_plan.moves if move.verb == "answer"]
    return not known or any(each in known for each in given_answers)


def _list_flags_for_success_on_variants(executed_plan: ExecutedPlan, key: AnswerKey) -> list[str]:
    """Return the flag `steady` or `fragile` if the plan works on all or on no variants, else none."""
    variant_results = []
    for name in key.block.fragile_in:
        quantity = key.analysis.world.quantities[name]
        if quantity.low is None or quantity.high is None:
            continue
        for share in _QUARTERS:
            value = quantity.low + share * (quantity.high - quantity.low)
            variant_results.append(
                key.analysis.executor.run_plan(executed_plan.moves, changes={name: value}).reaches_goal
            )
    if not variant_results or (any(variant_results) and not all(variant_results)):
        return []
    return ["steady"] if all(variant_results) else ["fragile"]


def score_degenerate_answer(answer: ParsedAnswer, key: AnswerKey) -> RubricResult:
    """Score an answer to a degenerate scenario: as a known solution, times a factor for brevity."""
    found = score_known_solution_answer(answer, key)
    factor = next((share for most, share in SIMPLICITY if answer.token_count < most), LEAST_SIMPLE)
    return replace(found, outcome=found.outcome * factor)


def _contains_intended_plan(executed_plan: ExecutedPlan, key: AnswerKey) -> bool:
    intended_calls = {
        frozenset(move.text for move in key.analysis.plans[name])
        for name, outcome in key.analysis.outcomes.items()
        if outcome.reaches_goal
    }
    return any(way <= set(executed_plan.calls) for way in intended_calls)


def _count_further_plans(answer: ParsedAnswer, executed_plan: ExecutedPlan, key: AnswerKey) -> int:
    """Count further plans that reach the goal and neither contain nor extend an earlier one."""
    seen = [frozenset(executed_plan.executed_calls)]
    for plan in answer.other_plans:
        other = execute_plan_in_best_reading(plan, key)
        calls = frozenset(other.executed_calls)
        works = other.outcome.reaches_goal and not other.read_loosely
        if works and not any(calls <= each or each <= calls for each in seen):
            seen.append(calls)
    return len(seen) - 1
