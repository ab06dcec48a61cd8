"""What agents are told before they write their memos."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.domain.grounding import GroundingReport, PredictedPerformance
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.validation import Correction, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES
from support.scripted_runs import change_fields, make_obliging_player, revise_every_time, run_scenario


def _predict(share: float) -> PredictedPerformance:
    return PredictedPerformance(
        direct_answer=share, chain_of_thought=share, extended_reasoning=share, agentic=share
    )


@pytest.mark.parametrize(("share", "is_noted"), [(86.0, True), (40.0, False), (5.0, True)])
def test_a_prediction_that_contradicts_the_tier_is_put_to_athena_and_socrates(
    share: float, *, is_noted: bool
) -> None:
    player = change_fields(make_obliging_player(), GALILEO, GroundingReport, predicted=_predict(share))
    story = run_scenario(player)
    for agent in (ATHENA, SOCRATES):
        (memo,) = story.list_asks_to(agent, ReviewMemo)
        notes = " ".join(memo.assignment.context["notes"])
        assert (f"reach {share:g} (extended reasoning)" in notes and "30-50 %" in notes) is is_noted
    (memo,) = story.list_asks_to(NEWTON, ReviewMemo)
    assert memo.assignment.context["notes"] == []


def test_a_report_has_the_same_budget_in_refine_as_in_its_own_phase() -> None:
    wanted: Any = (Correction(subject="S1", problem="It is vague."),)
    player = revise_every_time(make_obliging_player())
    for agent in (NEWTON, EULER, GALILEO):
        player = change_fields(player, agent, ReviewMemo, times=1, corrections=wanted)
    story = run_scenario(player)
    reports = [
        ask for ask in story.asks if ask.returns in {PhysicsReport, MathematicsReport, GroundingReport}
    ]
    assert {ask.assignment.token_budget for ask in reports} == {20_000}
    assert len(reports) == 6
