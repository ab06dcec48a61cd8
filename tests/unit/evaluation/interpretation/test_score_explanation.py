"""Explanations of scores: they agree with the score, speak plain words and show where a plan stops."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation.plain_words import describe_condition, describe_note
from impossible_moments.evaluation.interpretation.score_explanation import ScoreExplanation
from impossible_moments.evaluation.record_wording import convert_call_to_step
from impossible_moments.evaluation.results import EvaluationRun, ReadingEntry
from impossible_moments.evaluation.run_explanation import (
    build_run_explanation,
    explain_run,
    restore_translated_answer,
)
from impossible_moments.evaluation.run_scoring import score_run
from impossible_moments.evaluation.runs.answer_collection import Reply
from impossible_moments.evaluation.runs.presentation import AnswerForm
from support.scored_scenarios import load_published_keys
from support.worded_scenarios import MIX, MIX_TWIN, build_bottles_key, build_grate_key

RECORD_NAME = re.compile(r"\b[a-z_]+\.[a-z_]{1,20}\b|\b[a-z_]+\([a-z_]")
"""A condition such as `blend.low` or a call such as `blend(first`."""


def answer_with(key: AnswerKey, approach: str, **fields: Any) -> str:
    plan = [convert_call_to_step(move.text, key) for move in key.analysis.plans[approach]]
    return json.dumps({"verdict": "solvable", "plan": plan, **fields})


def score(key: AnswerKey, text: str) -> EvaluationRun:
    return score_run(1, Reply(text), key, AnswerForm.PLAN)


def explain(key: AnswerKey, text: str) -> ScoreExplanation:
    return build_run_explanation(score(key, text), key, AnswerForm.PLAN)


@pytest.mark.parametrize("scenario", [MIX, MIX_TWIN])
def test_every_approach_is_explained_without_names_of_the_record(scenario: str) -> None:
    key = build_bottles_key(scenario)
    for approach in key.analysis.plans:
        run = score(key, answer_with(key, approach))
        text = explain_run(run, key, AnswerForm.PLAN).partition("How the answer was read")[2]

        assert text
        assert not RECORD_NAME.findall(text), approach


@pytest.mark.parametrize("scenario", [MIX, MIX_TWIN])
def test_points_add_up_to_the_score_and_scoring_again_agrees(scenario: str) -> None:
    key = build_bottles_key(scenario)
    conflict = [key.wording.conditions[name] for name in key.conflict if name in key.wording.conditions]
    texts = [answer_with(key, approach) for approach in key.analysis.plans]
    texts.append(json.dumps({"verdict": "impossible", "conflict": conflict}))
    for text in texts:
        found = explain(key, text)

        assert sum(each.points for each in found.credits) + found.bonus == pytest.approx(found.score or 0.0)
        assert (found.score is None) == (not found.credits)
        assert all(each.reason for each in found.credits)
        assert found.disagreement == ""


def test_a_blocked_step_has_its_condition_in_the_words_of_the_text_and_its_margin() -> None:
    key = build_bottles_key()
    explained = explain(key, answer_with(key, "half_and_half"))
    (found,) = explained.executions

    assert found.blocked_step.startswith("Fill the loop with")
    assert found.end == "blocked, because this does not hold: the mixture stays liquid at 34 K of frost"
    assert found.failing_margin is not None
    assert found.failing_margin < 0
    reasons = {each.name: each.reason for each in explained.credits}
    assert reasons["Physical validity"] == "acts that could be carried out: 0 of 1"
    assert reasons["Insight identification"].startswith(
        "no insight is shown"
    )  # a choice shows none until it works
    assert not found.reaches_goal


def test_a_plan_that_works_shows_its_clock_and_its_margins() -> None:
    key = build_bottles_key()
    (found,) = explain(key, answer_with(key, "the_right_share")).executions

    assert found.reaches_goal
    assert found.deadline is not None
    assert found.time <= found.deadline
    assert [each.started for each in found.steps] == sorted(each.started for each in found.steps)
    words = {words for each in found.steps for words, _ in each.margins}
    assert "the mixture stays liquid at 34 K of frost" in words


def test_a_recorded_score_that_differs_is_named() -> None:
    key = build_bottles_key()
    run = score(key, answer_with(key, "the_right_share"))
    assert run.components is not None
    other = run.model_copy(update={"components": run.components.model_copy(update={"outcome": 0.0})})

    assert (
        "Scoring this answer again gives" in build_run_explanation(other, key, AnswerForm.PLAN).disagreement
    )


def test_a_translated_run_is_explained_by_what_the_translator_read() -> None:
    key = build_grate_key()
    reading = (
        ReadingEntry(text="It can be done", kind="verdict", call="solvable"),
        ReadingEntry(text="I tie it on", kind="call", call="tie(magnet, lace)", said={"joined": "tie"}),
        ReadingEntry(text="I hum a tune", kind="harmless", reason="it changes nothing"),
        ReadingEntry(text="I fish", kind="call", call="fish(magnet, keys)"),
    )
    run = score(key, "It can be done. I tie it on. I hum a tune. I fish.")
    found = build_run_explanation(run.model_copy(update={"reading": reading}), key, AnswerForm.FREE)

    assert found.verdict == "solvable"
    assert [each.text for each in found.steps] == ["I tie it on", "I hum a tune", "I fish"]
    assert found.steps[0].recognized_by == ("tie",)
    assert found.executions[0].reaches_goal
    assert restore_translated_answer(reading, key).calls == ("tie(magnet, lace)", "fish(magnet, keys)")


def test_the_lines_of_a_menu_are_shown_with_their_sentences() -> None:
    key = build_bottles_key()
    text = json.dumps({"verdict": "solvable", "plan": ["A1", "A999"]})
    run = score_run(1, Reply(text), key, AnswerForm.MENU)
    first, second = build_run_explanation(run, key, AnswerForm.MENU).steps

    assert re.fullmatch(r"A1: \w.+", first.text)
    assert "not a line of the menu" in second.reading


def test_records_without_wording_are_explained_by_what_was_executed() -> None:
    for key in load_published_keys().values():
        name, outcome = next(
            ((name, each) for name, each in key.analysis.outcomes.items() if each.reaches_goal), ("", None)
        )
        if outcome is None or key.has_wording:
            continue
        run = score(key, "").model_copy(
            update={
                "answer": '{"verdict": "solvable"}',
                "executed": tuple(m.text for m in key.analysis.plans[name]),
            }
        )
        found = build_run_explanation(run, key, AnswerForm.PLAN)

        assert found.executions
        assert found.steps


@pytest.mark.parametrize("scenario", [MIX, MIX_TWIN])
def test_every_condition_has_words(scenario: str) -> None:
    key = build_bottles_key(scenario)
    for action in key.analysis.world.actions.values():
        for each in action.when:
            words = describe_condition(f"{action.verb}.{each.name.rpartition('.')[2]}", key)
            assert " " in words
            assert not RECORD_NAME.search(words), words


def test_a_note_is_repeated_with_the_ending_in_words() -> None:
    note = describe_note("the assumption is named; the plan ends: blocked blend.low", build_bottles_key())

    assert note.startswith(
        "the assumption is named; the plan ends: blocked, because this does not hold: the mix"
    )
