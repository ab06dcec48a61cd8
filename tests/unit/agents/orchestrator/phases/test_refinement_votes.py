"""Whole runs in which the agents vote, differ, discuss and vote again."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.agents.orchestrator.consensus_engine import REQUIRED, ConsensusDecision
from impossible_moments.domain.disputes import Option
from impossible_moments.domain.refinement import (
    DesignVote,
    ReadinessVote,
    ReviewMemo,
    StatusVote,
)
from impossible_moments.domain.validation import Correction
from impossible_moments.domain.vocabulary import EULER, GALILEO, NEWTON, ROLES
from support.scripted_runs import change_fields, make_obliging_player, revise_every_time, run_scenario


def _list_ballot_asks(keys: list[str]) -> list[str]:
    return [key for key in keys if "/votes/" in key]


def test_every_decision_of_the_specification_is_counted_in_a_run() -> None:
    dossier = run_scenario(make_obliging_player()).end.dossier

    counted = {record.decision for record in dossier.votes}
    assert counted == {str(each) for each in REQUIRED} - {
        ConsensusDecision.CHALLENGE,
        ConsensusDecision.VETO_CONFIRMATION,
    }
    assert {
        record.subject for record in dossier.votes if record.decision == ConsensusDecision.ADVANCEMENT
    } == {
        "SEED",
        "VALIDATE",
        "GROUND",
        "CLASSIFY",
        "REFINE",
    }


def test_agents_that_agree_vote_once() -> None:
    assert len(_list_ballot_asks(run_scenario(make_obliging_player()).keys)) == len(ROLES)


def test_a_dissenting_vote_on_the_status_is_discussed_once_and_then_settled() -> None:
    story = run_scenario(change_fields(make_obliging_player(), EULER, StatusVote, times=1, status="CT"))

    assert len(_list_ballot_asks(story.keys)) == 2 * len(ROLES)
    second = next(ask for ask in story.asks if ask.key == "REFINE/ATHENA/votes/2")
    assert "solution status: " in second.assignment.context["notes"][-1]
    assert "EULER: CT" in second.assignment.context["notes"][-1]
    entry = next(each for each in story.end.dossier.disagreements if each.topic == "solution status")
    assert (entry.kind, entry.outcome) == ("vote", "settled by the second vote")
    assert story.end.is_accepted


def test_a_status_that_stays_divided_is_for_a_human() -> None:
    player = change_fields(make_obliging_player(Option.DISCARD), EULER, StatusVote, status="CT")
    story = run_scenario(player)

    (question,) = story.human_asks
    assert "required consensus level" in question.assignment.context["disagreement"]["trigger"]
    assert not story.end.is_accepted


@pytest.mark.parametrize(("against", "revised"), [(2, False), (3, True)])
def test_a_majority_against_the_name_sends_it_back(against: int, *, revised: bool) -> None:
    player = revise_every_time(make_obliging_player())
    for agent in ROLES[:against]:
        player = change_fields(
            player, agent, DesignVote, times=1, approves_name=False, suggestion="Name no tool in it."
        )
    story = run_scenario(player)

    asked = [ask for ask in story.asks if ask.key == "REFINE/ATHENA/seed/2"]
    assert bool(asked) is revised
    if revised:
        (demand,) = asked[0].assignment.context["demands"]
        assert (demand["subject"], "Name no tool" in demand["evidence"]) == ("name", True)


def test_an_abstention_on_the_name_is_not_a_vote() -> None:
    player = revise_every_time(make_obliging_player())
    for agent in ROLES[:2]:
        player = change_fields(player, agent, DesignVote, times=1, approves_name=False)
    for agent in ROLES[2:4]:
        player = change_fields(player, agent, DesignVote, times=1, approves_name=None)
    story = run_scenario(player)

    record = next(each for each in story.end.dossier.votes if each.decision == "Scenario name")
    assert (record.needed, record.winner) == (2, "rejected")
    assert [record.positions[agent] for agent in ROLES[2:4]] == ["ABSTAIN", "ABSTAIN"]


def test_a_decision_by_unsure_voters_is_for_a_human() -> None:
    player = change_fields(make_obliging_player(Option.DISCARD), "", ReadinessVote, confidence=0.3)

    (question,) = run_scenario(player).human_asks
    assert (
        "Scenario readiness: APPROVE won only by the votes of"
        in (question.assignment.context["disagreement"]["question"])
    )


def test_no_vote_is_taken_on_a_scenario_that_is_about_to_change() -> None:
    wanted: Any = (Correction(subject="table", problem="It is in the way."),)
    player = revise_every_time(make_obliging_player())
    for agent in (NEWTON, EULER, GALILEO):
        player = change_fields(player, agent, ReviewMemo, times=1, corrections=wanted)
    story = run_scenario(player)

    revision = story.keys.index("REFINE/ATHENA/seed/2")
    ballots = [index for index, key in enumerate(story.keys) if "/votes/" in key]
    assert min(ballots) > revision
    repeated = story.keys[revision : min(ballots)]
    assert {"REFINE/NEWTON/physics/2", "REFINE/EULER/mathematics/2", "GROUND/GALILEO/grounding/2"} <= set(
        repeated
    )
    assert {f"REFINE/{agent}/memo/2" for agent in ROLES} <= set(repeated)
    assert "CLASSIFY/SOCRATES/classification/2" not in repeated  # the text is the same
