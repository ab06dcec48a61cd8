"""Diagnoses in an answer's own words: by the explanation's name, by the figures that only it rests on, by their words."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.answers.answer_parser import AnswerStep
from impossible_moments.evaluation.answers.hypothesis_matching import find_stated_hypothesis
from impossible_moments.evaluation.answers.plan_execution import execute_plan_in_best_reading
from impossible_moments.mechanics.records.puzzle_forms import DiagnosisPuzzle
from support.shells_on_a_hull import build_shells_on_a_hull


def told(said: str) -> str:
    form = build_shells_on_a_hull().analysis.world.record.puzzles[0]
    assert isinstance(form, DiagnosisPuzzle)
    return find_stated_hypothesis(said, form, build_shells_on_a_hull().analysis.world)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("idle_in_harbour", "idle_in_harbour"),
        ("she lay idle in the harbour", "idle_in_harbour"),
        ("18 weeks by a wall", "idle_in_harbour"),
        ("126 days of lying still", "idle_in_harbour"),
        ("the rumour is right, she was alongside", "idle_in_harbour"),
        ("bad paint", "bad_paint"),
        ("3 weeks at sea, as the log has it", "straight_across"),
    ],
)
def test_an_explanation_is_known_by_name_figure_or_words(said: str, meant: str) -> None:
    assert told(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        "",
        "something else",
        "3, 18 or 44 weeks",
        "idle in harbour or bad paint",
        "the shells are 14 mm",
        "weeks",
    ],
)
def test_what_gives_none_or_several_explains_nothing(said: str) -> None:
    assert told(said) == ""


def test_a_plan_may_say_it_in_its_own_words() -> None:
    plan = (
        AnswerStep("answer", (), "18 weeks alongside, as the rumour has it"),
        AnswerStep("clean", ("the hull",)),
    )
    assert execute_plan_in_best_reading(plan, build_shells_on_a_hull()).outcome.reaches_goal


def test_the_wrong_one_in_its_own_words_is_still_wrong() -> None:
    plan = (AnswerStep("answer", (), "3 weeks at sea"), AnswerStep("clean", ("the hull",)))
    assert not execute_plan_in_best_reading(plan, build_shells_on_a_hull()).outcome.reaches_goal
