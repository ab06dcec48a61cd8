"""Plans read loosely: by the things they put to use, with what goes without saying, and with no more than that."""

from __future__ import annotations

import pytest

from impossible_moments.domain.scoring_rubrics import PASSES
from impossible_moments.evaluation.answers.answer_parser import AnswerStep
from impossible_moments.evaluation.answers.plan_execution import ExecutedPlan, execute_plan_in_best_reading
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.scoring import score_answer
from support.leaking_tank import build_leaking_tank
from support.scored_scenarios import build_answer, build_step

WAY = ("bring(soap)", "try_it(soap, tank)", "carry_on(tank)")
FIGURES = "80 mm of soap close a slit of 28 mm"


def play(*plan: AnswerStep) -> ExecutedPlan:
    return execute_plan_in_best_reading(plan, build_leaking_tank())


def of(*plan: dict[str, object], because: tuple[str, ...] = ()) -> ScoredAnswer:
    return score_answer(build_answer(*plan, because=list(because)), build_leaking_tank())


def passes(found: ScoredAnswer) -> bool:
    return found.components is not None and found.components.outcome >= PASSES


def test_kneading_pressing_and_smoothing_are_one_deed() -> None:
    found = play(
        AnswerStep("bend", ("the soap",)),
        AnswerStep("press", ("the soap", "the slit")),
        AnswerStep("spread", ("green soap",)),
    )
    assert found.read_loosely
    assert found.calls == WAY


def test_what_is_used_has_been_fetched_and_what_is_ready_is_used() -> None:
    found = play(AnswerStep("seal", ("the soap", "the petrol tank")))
    assert found.calls == WAY
    assert "carry_on(tank)" in {move.text for move in found.implicit_moves}


def test_what_goes_without_saying_counts_only_with_a_reason() -> None:
    seal = build_step("seal", "the soap", "the petrol tank")
    assert of(seal).state is RunState.REVIEW
    assert passes(of(seal, because=(FIGURES,)))


@pytest.mark.parametrize(
    "because",
    [
        (FIGURES,),
        ("8 cm of it are enough for 2.8 cm",),
        ("petrol dissolves what is greasy; it leaves alone what water dissolves",),
        ("rubber cement swells in petrol", "the candle is grease itself"),
    ],
    ids=["figures", "other units", "the insight", "alternatives turned down"],
)
def test_reasons_are_figures_insights_or_alternatives(because: tuple[str, ...]) -> None:
    assert passes(of(build_step("seal", "the soap", "the petrol tank"), because=because))


@pytest.mark.parametrize(
    "because",
    [
        ("it works",),
        ("80 28 12 150 300 2.4 40 25",),
        ("the rubber cement and the candle will not do",),
        ("80 mm",),
    ],
    ids=["assurance", "every figure", "alternatives in one breath", "half a comparison"],
)
def test_what_is_no_reason(because: tuple[str, ...]) -> None:
    assert of(build_step("seal", "the soap", "the petrol tank"), because=because).state is RunState.REVIEW


def test_who_tries_everything_has_found_nothing() -> None:
    everything = [
        build_step("seal", each, "the petrol tank") for each in ("the candle", "rubber cement", "the soap")
    ]
    assert not passes(of(*everything, because=(FIGURES,)))


def test_one_step_that_cannot_be_carried_out_is_forgiven() -> None:
    plan = (
        build_step("seal", "the candle", "the petrol tank"),
        build_step("seal", "the soap", "the petrol tank"),
    )
    assert passes(of(*plan, because=(FIGURES,)))


def test_an_aside_does_no_harm_and_does_no_good() -> None:
    aside = build_step("throw", "the log book", "the soap", "rubber cement")
    assert passes(of(aside, build_step("seal", "the soap", "the petrol tank"), because=(FIGURES,)))
    assert not passes(of(aside, because=(FIGURES,)))


@pytest.mark.parametrize("verb", ["skip", "look", "tell", "wait"])
def test_what_is_only_looked_at_or_talked_about_is_not_used(verb: str) -> None:
    assert not passes(of(build_step(verb, "the soap", "the petrol tank"), because=(FIGURES,)))


def test_the_wrong_thing_with_the_right_reasons_loses() -> None:
    found = of(
        build_step("seal", "the candle", "the petrol tank"),
        build_step("go", "the petrol tank"),
        because=(FIGURES,),
    )
    assert not passes(found)


def test_who_gives_reasons_and_sticks_at_something_not_ready_may_have_been_misread() -> None:
    on = build_step("drive", "the petrol tank")
    assert of(on, because=("it will hold",)).state is RunState.REVIEW
    assert of(on).state is RunState.SCORED


def test_a_plan_that_breaks_at_a_figure_is_wrong_whatever_its_reasons_are() -> None:
    found = of(build_step("seal", "rubber cement", "the petrol tank"), because=("it will hold",))
    assert (found.state, passes(found)) == (RunState.SCORED, False)
