"""Rubrics for contested (CT) and open-frontier (OF) scenarios: the executable part; judges score the rest."""

from __future__ import annotations

from impossible_moments.domain.scoring_rubrics import (
    CONTESTED_AWARE,
    CONTESTED_BEST,
    CONTESTED_CRUX,
    CONTESTED_PLAN,
)
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict, ParsedAnswer
from impossible_moments.evaluation.answers.plan_execution import execute_plan_in_best_reading
from impossible_moments.evaluation.answers.thing_names import extract_word_stems
from impossible_moments.evaluation.rubrics.rubric_result import (
    FEWEST_SHARED,
    MOST_WORDS,
    RubricResult,
    compute_insight_share,
    compute_physical_validity,
    describe_plan_ending,
)


def score_contested_answer(answer: ParsedAnswer, key: AnswerKey) -> RubricResult:
    """Score the executable part of an answer to a contested scenario.

    The plan is executed at both ends of the disputed quantity. A plan that works earns 20, or 40 if it is the
    best one at an end. The verdict `contested` and naming the crux earn 20 each.
    """
    quantity = key.analysis.world.quantities[key.block.crux]
    ends = [each for each in (quantity.low, quantity.high) if each is not None]
    runs = [execute_plan_in_best_reading(answer.plan, key, changes={quantity.name: value}) for value in ends]
    found = next((run for run in runs if run.outcome.reaches_goal), runs[0])
    best = {key.block.at_low, key.block.at_high} - {None}
    is_best = any(found.calls == tuple(move.text for move in key.analysis.plans[name]) for name in best)
    outcome = (CONTESTED_BEST.points if is_best else CONTESTED_PLAN) * found.outcome.reaches_goal
    outcome += CONTESTED_AWARE.points * (answer.verdict is AnswerVerdict.CONTESTED)
    outcome += CONTESTED_CRUX.points * _names_disputed_quantity(
        answer.crux, quantity.name, quantity.source, key
    )
    flags = ("honesty is for a judge",)
    note = f"{describe_plan_ending(found)}; judges must score its honesty about its limits"
    return RubricResult(
        outcome, compute_physical_validity(found), compute_insight_share(found, key), note, flags, found
    )


def _names_disputed_quantity(text: str, name: str, source: str, key: AnswerKey) -> bool:
    """Check whether a text names the disputed quantity, by name or by words of its source or table."""
    words, name_words = extract_word_stems(text), extract_word_stems(name.replace("_", " "))
    known = name_words | extract_word_stems(source) | key.conditions.table_words.get(name, frozenset())
    return len(words) <= MOST_WORDS and (
        (bool(name_words) and name_words <= words) or len(known & words) >= FEWEST_SHARED
    )


def prepare_open_frontier_result_for_judges(answer: ParsedAnswer, key: AnswerKey) -> RubricResult:
    """Record what could be executed of an open-frontier answer; judges decide the outcome."""
    found = execute_plan_in_best_reading(answer.plan, key)
    return RubricResult(
        0.0,
        compute_physical_validity(found),
        compute_insight_share(found, key),
        "judges must score an answer to an open question",
        ("for judges",),
        found,
    )
