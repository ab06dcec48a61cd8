"""A second vote asks models only for what is divided, with every position and its reason."""

from __future__ import annotations

from typing import Any

from impossible_moments.agents.adapters.ballot_requests import RevoteRequest, build_revote_request
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.refinement import (
    DistractorFinding,
    DistractorReview,
    RefinementBallot,
    RefinementRevote,
    StatusVote,
)
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON
from support.scripted_runs import ScenarioRun, change_fields, make_obliging_player, run_scenario


def _find_review(*strengths: str) -> Any:
    return tuple(
        DistractorFinding(name="a banana", verdict="right", strength=each, remark=f"It is {each}.")  # type: ignore[arg-type]
        for each in strengths
    )


def _run_divided() -> ScenarioRun:
    player = make_obliging_player()
    for agent in (EULER, NEWTON):
        player = change_fields(player, agent, DistractorReview, times=1, findings=_find_review("strong"))
    return run_scenario(player)


def _get_second_ask(story: ScenarioRun, agent: str = ATHENA) -> Ask:
    return story.list_asks_to(agent, RefinementBallot)[1]


def _build_request(agent: str = ATHENA) -> RevoteRequest:
    request = build_revote_request(_get_second_ask(_run_divided(), agent))
    assert request is not None
    return request


def test_a_first_ballot_is_asked_for_whole() -> None:
    first = _run_divided().list_asks_to(ATHENA, RefinementBallot)[0]
    assert build_revote_request(first) is None


def test_a_second_vote_asks_only_for_the_divided_part() -> None:
    request = _build_request()
    assert (request.divided, request.ask.returns) == (("distractors",), RefinementRevote)
    assert "`distractors` only" in request.ask.assignment.task


def test_the_note_quotes_reasons_and_states_the_threshold_and_who_decides() -> None:
    note = _get_second_ask(_run_divided()).assignment.context["notes"][-1]
    assert "EULER: strong (It is strong.)" in note
    assert "Needed: 4 of 5 votes for one choice (Supermajority)" in note
    assert "ATHENA's classification counts" in note


def test_parts_that_are_left_out_stand() -> None:
    request = _build_request(EULER)
    again = DistractorReview(findings=_find_review("weak"), confidence=0.7)
    ballot = request.convert_to_ballot(RefinementRevote(distractors=again))
    assert (ballot.status, ballot.readiness) == (request.last_ballot.status, request.last_ballot.readiness)
    assert [each.strength for each in ballot.distractors.findings] == ["weak"]


def test_distractors_that_are_not_named_stand() -> None:
    request = _build_request()
    again = DistractorReview(
        findings=(DistractorFinding(name="a rope", verdict="right", strength="weak"),), confidence=0.7
    )
    ballot = request.convert_to_ballot(RefinementRevote(distractors=again))
    assert [each.name for each in ballot.distractors.findings] == ["a banana", "a rope"]


def test_a_divided_part_without_a_vote_is_handed_back() -> None:
    vote = StatusVote(status="KS", reason="As before.", confidence=0.8)
    (fault,) = _build_request().review(RefinementRevote(status=vote)).faults
    assert fault.startswith("`distractors` is divided")
