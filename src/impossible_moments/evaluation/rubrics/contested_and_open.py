"""Rubrics for contested (CT) and open-frontier (OF) scenarios: the executable part; judges score the rest."""

from __future__ import annotations

from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict, ParsedAnswer
from impossible_moments.evaluation.answers.plan_execution import execute_plan_steps
from impossible_moments.evaluation.answers.thing_names import extract_word_stems
from impossible_moments.evaluation.rubrics.rubric_result import (
    RubricResult,
    compute_insight_share,
    compute_physical_validity,
    describe_plan_ending,
)

_FEWEST_SHARED: Final = 2
"""Least number of words of a dispute that a text must contain to name its crux."""
_MOST_SAID: Final = 30


def score_contested_answer(answer: ParsedAnswer, key: AnswerKey) -> RubricResult:
    """Score the executable part of an answer to a contested scenario.

    The plan is executed at both ends of the disputed quantity. A plan that works earns 20, or 40 if it is the
    best one at an end. The verdict `contested` and naming the crux earn 20 each.
    """
    quantity = key.analysis.world.quantities[key.block.crux]
    ends = [each for each in (quantity.low, quantity.high) if each is not None]
    runs = [execute_plan_steps(answer.plan, key, changes={quantity.name: value}) for value in ends]
    found = next((run for run in runs if run.outcome.reaches_goal), runs[0])
    best = {key.block.at_low, key.block.at_high} - {None}
    is_best = any(found.calls == tuple(move.text for move in key.analysis.plans[name]) for name in best)
    outcome = (40.0 if is_best else 20.0) * found.outcome.reaches_goal
    outcome += 20.0 * (answer.verdict is AnswerVerdict.CONTESTED)
    outcome += 20.0 * _names_crux(answer.crux, quantity.name, quantity.source, key)
    flags = ("honesty is for a judge",)
    note = f"{describe_plan_ending(found)}; judges must score its honesty about its limits"
    return RubricResult(
        outcome, compute_physical_validity(found), compute_insight_share(found, key), note, flags, found
    )


def _names_crux(said: str, name: str, source: str, key: AnswerKey) -> bool:
    """Check whether a text names the disputed quantity, by name or by words of its source or table."""
    words, own = extract_word_stems(said), extract_word_stems(name.replace("_", " "))
    known = own | extract_word_stems(source) | key.conditions.table_words.get(name, frozenset())
    return len(words) <= _MOST_SAID and ((bool(own) and own <= words) or len(known & words) >= _FEWEST_SHARED)


def score_open_frontier_answer(answer: ParsedAnswer, key: AnswerKey) -> RubricResult:
    """Record what could be executed of an open-frontier answer; judges decide the outcome."""
    found = execute_plan_steps(answer.plan, key)
    return RubricResult(
        0.0,
        compute_physical_validity(found),
        compute_insight_share(found, key),
        "judges must score an answer to an open question",
        ("for judges",),
        found,
    )
