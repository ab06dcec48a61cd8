"""Scores without a judge, by executing plans and by comparing claimed conflicts with the real ones.

Components and weights are those of the framework. Distractor and efficiency points count only if the outcome
earns points, so that an empty answer or giving up scores nothing if there is a solution. Parts that only a
judge can score (the honesty of a contested answer, the plausibility of an open one) are left at 0, and the
note says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from impossible_moments.domain.scoring_rubrics import DISTRACTOR_DEDUCTION, PASSES
from impossible_moments.domain.vocabulary import Status
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import ParsedAnswer, parse_answer
from impossible_moments.evaluation.answers.plan_execution import ExecutedPlan
from impossible_moments.evaluation.interpretation import score_interpreted_answer
from impossible_moments.evaluation.reader import read_answer
from impossible_moments.evaluation.results import RunState, ScoreComponents
from impossible_moments.evaluation.rubrics.contested_and_open import (
    prepare_open_frontier_result_for_judges,
    score_contested_answer,
)
from impossible_moments.evaluation.rubrics.known_solution import (
    score_degenerate_answer,
    score_known_solution_answer,
)
from impossible_moments.evaluation.rubrics.metamorphic import score_metamorphic_answer
from impossible_moments.evaluation.rubrics.paradox import score_paradox_answer
from impossible_moments.evaluation.rubrics.rubric_result import RubricResult
from impossible_moments.evaluation.scored_answer import ScoredAnswer

JUDGED_STATUSES: Final = frozenset({"CT", "OF"})
"""Statuses that can only partly be executed. Without judges an answer has components and no score.

Contested scenarios whose record has wording are an exception. See `is_scored_by_execution`.
"""
RUBRICS: Final[Mapping[Status, Callable[[ParsedAnswer, AnswerKey], RubricResult]]] = {
    "KS": score_known_solution_answer,
    "DG": score_degenerate_answer,
    "PX": score_paradox_answer,
    "MT": score_metamorphic_answer,
    "CT": score_contested_answer,
    "OF": prepare_open_frontier_result_for_judges,
}


def is_scored_by_execution(key: AnswerKey) -> bool:
    """Return whether answers to a scenario are scored by execution alone, without judges."""
    return key.status not in JUDGED_STATUSES or (key.status == "CT" and key.has_wording)


def score_answer(text: str, key: AnswerKey) -> ScoredAnswer:
    """Score an answer as a model wrote it. The result depends only on the text and the key.

    A record with wording is read by it. An answer that is not in the requested form is unscored.
    """
    if not text.strip():
        return ScoredAnswer(RunState.UNSCORED, None, "the answer is empty", (), ("silent",))
    if key.has_wording:
        return score_interpreted_answer(read_answer(text, key), key)
    answer = parse_answer(text)
    if answer is None:
        note = "there is no answer in the requested form"
        return ScoredAnswer(RunState.UNSCORED, None, note, (), ("unreadable",))
    return score_parsed_answer(answer, key)


def score_parsed_answer(answer: ParsedAnswer, key: AnswerKey) -> ScoredAnswer:
    """Score a parsed answer."""
    found = RUBRICS[key.status](answer, key)
    calls = found.executed_plan.calls if found.executed_plan is not None else ()
    if found.needs_review and found.outcome < PASSES:
        return ScoredAnswer(RunState.REVIEW, None, found.note, calls, (*found.flags, "unknown verb"))
    earns_points = found.outcome > 0
    components = ScoreComponents(
        outcome=found.outcome,
        physical=found.physical,
        insight=found.insight,
        distractors=_score_avoidance_of_distractors(found.executed_plan, key) if earns_points else 0.0,
        efficiency=_score_efficiency(found.executed_plan, key) if earns_points else 0.0,
    )
    state = RunState.UNSCORED if key.status in JUDGED_STATUSES else RunState.SCORED
    return ScoredAnswer(state, components, found.note, calls, found.flags)


def compute_reward(text: str, key: AnswerKey) -> float:
    """Return the score as a number from 0 to 1 for training. An answer that cannot be scored earns 0."""
    return (score_answer(text, key).score or 0.0) / 100


def _score_avoidance_of_distractors(executed_plan: ExecutedPlan | None, key: AnswerKey) -> float:
    if executed_plan is None:
        return 100.0
    used_things = {argument for move in executed_plan.moves for argument in move.arguments}
    named = [key.names.resolve_phrase(phrase) for step in executed_plan.idle_steps for phrase in step.things]
    used_things = (
        used_things | {each for meant in named if len(meant) == 1 for each in meant}
    ) & key.idle_tools
    return max(100.0 - DISTRACTOR_DEDUCTION * len(used_things), 0.0)


def _score_efficiency(executed_plan: ExecutedPlan | None, key: AnswerKey) -> float:
    if executed_plan is None or not executed_plan.moves or not executed_plan.outcome.reaches_goal:
        return 100.0 if executed_plan is None else 0.0
    executor = key.analysis.executor
    kept_indices = list(range(len(executed_plan.moves)))
    for at in range(len(executed_plan.moves)):
        fewer = [each for each in kept_indices if each != at]
        moves = [executed_plan.moves[each] for each in fewer]
        if (
            moves
            and executor.run_plan(
                moves, changes=executed_plan.changes, lifted=executed_plan.lifted
            ).reaches_goal
        ):
            kept_indices = fewer
    return (
        100.0
        * len(kept_indices)
        / (len(executed_plan.moves) + len(executed_plan.idle_steps) + len(executed_plan.unknown))
    )
