"""Rubric for paradox scenarios (PX): the goal is impossible because of certain conditions."""

from __future__ import annotations

from typing import Final

from impossible_moments.domain.scoring_rubrics import (
    FALSE_SOLUTION_DEDUCTION,
    PARADOX_ASSERTED,
    PARADOX_CONFLICT,
    PARADOX_RIGOUR,
)
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict, ParsedAnswer
from impossible_moments.evaluation.answers.conflict_matching import match_conflict
from impossible_moments.evaluation.answers.plan_execution import execute_plan_in_best_reading
from impossible_moments.evaluation.rubrics.rubric_result import (
    RubricResult,
    compute_physical_validity,
    describe_plan_ending,
)

UNPARSED_STEPS: Final = "unparsed steps"
"""Flag of a proposed solution with unknown steps; it earns nothing, but maintainers may review it."""


def score_paradox_answer(answer: ParsedAnswer, key: AnswerKey) -> RubricResult:
    """Score an answer to a paradox scenario.

    The verdict `impossible` earns 40, naming the conflict up to 30, and a sound argument up to 30. A proposed
    solution earns nothing.
    """
    if answer.verdict is not AnswerVerdict.IMPOSSIBLE:
        executed_plan = execute_plan_in_best_reading(answer.plan, key)
        flags = [
            *(["false solution"] if answer.plan else []),
            *([UNPARSED_STEPS] if executed_plan.unknown else []),
        ]
        valid = max(compute_physical_validity(executed_plan) - FALSE_SOLUTION_DEDUCTION, 0.0)
        return RubricResult(
            0.0,
            valid,
            0.0,
            f"the goal cannot be reached; {describe_plan_ending(executed_plan)}",
            tuple(flags),
            executed_plan,
        )
    found = match_conflict(answer, key)
    # rigour: irrelevant lines reduce the points, so listing everything does not pay
    named_points = PARADOX_CONFLICT.points * found.share
    rigour_points = PARADOX_RIGOUR.points * found.share * found.relevance
    outcome = PARADOX_ASSERTED.points + named_points + rigour_points
    named = ", ".join(sorted(found.conditions)) or "none that holds"
    return RubricResult(outcome, 100.0 * found.relevance, 100.0 * found.share, f"conflicts named: {named}")
