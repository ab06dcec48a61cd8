"""Findings: a diagnosis that a plan does not say is taken from what an answer tells, or from its reasons if they agree."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.answers.answer_parser import AnswerStep, ParsedAnswer
from impossible_moments.evaluation.answers.implied_diagnosis import prepend_implied_diagnosis
from impossible_moments.evaluation.scoring import score_answer
from support.scored_scenarios import build_answer, build_step
from support.shells_on_a_hull import build_shells_on_a_hull

SCRAPE = AnswerStep("clean", ("the hull",))


def led_by(*plan: AnswerStep, because: tuple[str, ...] = ()) -> str:
    """What the plan is led by, if anything."""
    found = prepend_implied_diagnosis(ParsedAnswer(plan=plan, because=because), build_shells_on_a_hull())
    return found[0].value if len(found) > len(plan) else ""


def test_what_is_told_is_what_was_found() -> None:
    assert (
        led_by(AnswerStep("tell", ("the skipper",), "you lay 18 weeks alongside"), SCRAPE)
        == "idle_in_harbour"
    )


def test_reasons_that_agree_are_a_finding() -> None:
    because = ("14 mm at 0.8 mm/week", "she lay idle in the harbour", "18 weeks would give 14.4 mm")
    assert led_by(SCRAPE, because=because) == "idle_in_harbour"


@pytest.mark.parametrize(
    "because",
    [(), ("it is obvious",), ("3 weeks at sea would give 2.4 mm", "18 weeks alongside give 14.4 mm")],
    ids=["no reason", "an empty one", "two that differ"],
)
def test_reasons_that_differ_or_say_nothing_are_none(because: tuple[str, ...]) -> None:
    assert led_by(SCRAPE, because=because) == ""


def test_a_plan_that_answers_is_left_as_it_is() -> None:
    plan = (AnswerStep("answer", (), "bad paint"), SCRAPE)
    assert (
        prepend_implied_diagnosis(
            ParsedAnswer(plan=plan, because=("18 weeks alongside",)), build_shells_on_a_hull()
        )
        == plan
    )


def test_a_finding_in_the_reasons_carries_the_plan() -> None:
    right = build_answer(build_step("clean", "the hull"), because=["she lay idle, 18 weeks in the harbour"])
    wrong = build_answer(build_step("clean", "the hull"), because=["3 weeks at sea, as the log has it"])
    outcomes = [
        found.components.outcome
        for text in (right, wrong)
        if (found := score_answer(text, build_shells_on_a_hull())).components
    ]
    assert outcomes == [100, 0]
