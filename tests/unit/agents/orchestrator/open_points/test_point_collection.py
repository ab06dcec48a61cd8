"""Open points: each has an answer, no scenario is published with an open one, and answers cost no request."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.open_points import collect_open_points
from impossible_moments.agents.scripted_players import Player
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.open_points import PointAnswer
from impossible_moments.domain.refinement import ReadinessVote, RefinementBallot, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES
from support.scripted_runs import (
    build_challenge,
    build_evidence,
    change_deliverables,
    change_fields,
    make_obliging_player,
    revise_every_time,
    run_scenario,
)

WISH = "State a second wrong answer."
HEADING = "## Open Points and How They Were Settled"


def recommend(player: Player, *, times: int = 99) -> Player:
    return change_fields(player, GALILEO, GroundingReport, recommendations=(WISH,), times=times)


def answer_with(answer: Literal["adopted", "declined"]) -> Any:
    def change(reply: ReviewMemo, ask: Ask) -> LabelledModel:
        points = ask.assignment.context.get("open_points", ())
        answers = tuple(
            PointAnswer(point=each["point"], answer=answer, reason="I add one.") for each in points
        )
        return reply.model_copy(update={"answers": answers})

    return change


def test_a_declined_recommendation_is_published_with_its_reason_and_without_a_further_request() -> None:
    plain = run_scenario(make_obliging_player())
    story = run_scenario(recommend(make_obliging_player()))
    assert story.end.is_accepted
    assert story.keys == plain.keys
    (point,) = collect_open_points(story.end.dossier)
    assert (point.author, point.addressee, point.kind, point.end) == (
        GALILEO,
        ATHENA,
        "recommendation",
        "declined",
    )
    assert point.answer == "ATHENA: The window is 1.2 m wide."


def test_the_trace_lists_every_point_and_counts_their_ends() -> None:
    story = run_scenario(recommend(make_obliging_player()))
    assert story.end.documents is not None
    section = story.end.documents.trace.partition(HEADING)[2].partition("\n## ")[0]
    assert "1 point: 1 declined." in section
    assert f"| P1 | GALILEO, GROUND | recommendation | {WISH} | ATHENA | declined |" in section


def test_an_adopted_recommendation_leads_to_a_revision_that_the_trace_quotes() -> None:
    player = recommend(revise_every_time(make_obliging_player()), times=1)
    story = run_scenario(change_deliverables(player, ATHENA, ReviewMemo, answer_with("adopted"), times=1))
    assert story.end.is_accepted
    revision = story.list_asks_to(ATHENA, SeedDocument)[1]
    assert [each["demand"] for each in revision.assignment.context["demands"]] == [WISH]
    (point,) = collect_open_points(story.end.dossier)
    assert point.end == "adopted"


def test_a_scenario_with_an_unanswered_point_is_not_published() -> None:
    player = recommend(make_obliging_player())
    for kind in (ReviewMemo, ReadinessVote, AgentTrace):
        player = change_fields(player, ATHENA, kind, answers=())
    story = run_scenario(player)
    assert len(story.list_asks_to(ATHENA, AgentTrace)) > 1
    again = story.list_asks_to(ATHENA, AgentTrace)[1].assignment.context["notes"]
    assert any("Answer P1 of GALILEO" in note and WISH in note for note in again)
    assert story.human_asks


def test_a_point_in_the_same_words_is_raised_and_answered_once() -> None:
    player = recommend(make_obliging_player())
    player = change_fields(player, GALILEO, ReviewMemo, suggestions=(WISH,))
    player = change_fields(player, GALILEO, ReadinessVote, vote="APPROVE-WITH-NOTES", notes=WISH)
    story = run_scenario(player)
    assert [each.name for each in collect_open_points(story.end.dossier)] == ["P1"]


def test_an_author_reads_the_answer_to_its_point_before_it_votes() -> None:
    story = run_scenario(recommend(make_obliging_player()))
    (ballot,) = story.list_asks_to(GALILEO, RefinementBallot)
    (answered,) = ballot.assignment.context["answered_points"]
    assert (answered["text"], answered["end"]) == (WISH, "declined")
    (other,) = story.list_asks_to(NEWTON, RefinementBallot)
    assert "answered_points" not in other.assignment.context


def test_a_condition_on_a_vote_is_answered_in_the_trace() -> None:
    player = change_fields(
        make_obliging_player(), NEWTON, ReadinessVote, vote="APPROVE-WITH-NOTES", notes="Mind the draught."
    )
    story = run_scenario(player)
    assert story.end.is_accepted
    (point,) = collect_open_points(story.end.dossier)
    assert (point.author, point.kind, point.end) == (NEWTON, "condition", "declined")


def test_a_concern_whose_author_drops_it_after_a_revision_is_superseded() -> None:
    player = change_fields(
        revise_every_time(make_obliging_player()),
        NEWTON,
        PhysicsReport,
        concerns=("Ice may be wet.",),
        times=1,
    )
    player = change_fields(player, EULER, MathematicsReport, dimensional_analysis="ERRORS-FOUND", times=1)
    story = run_scenario(player)
    ends = {each.text: each.end for each in collect_open_points(story.end.dossier)}
    assert ends["Ice may be wet."] == "superseded"


@pytest.mark.parametrize("text", ["F = 30 N < 40 N", "F = 31 N < 45 N"])
def test_a_decided_challenge_is_not_forwarded_again_on_the_same_evidence(text: str) -> None:
    def raise_again(reply: ReviewMemo, _ask: Ask) -> LabelledModel:
        second = build_challenge(ATHENA, evidence=(build_evidence(text),))
        return reply.model_copy(update={"challenges": (build_challenge(ATHENA), second)})

    player = change_deliverables(
        revise_every_time(make_obliging_player()), GALILEO, ReviewMemo, raise_again, times=1
    )
    dossier = run_scenario(player).end.dossier
    assert dossier.challenges[0].outcome != "LOGGED"
    assert dossier.challenges[1].outcome == "LOGGED"
    assert any(
        "`the table slides`" in notice.text
        for notice in dossier.list_notices_for(GALILEO, dossier.challenges[0].phase)
    )


def test_a_doubt_that_stays_the_same_is_asked_about_twice_and_not_three_times() -> None:
    player = change_fields(make_obliging_player(), SOCRATES, ClassificationReport, confidence=0.59)
    story = run_scenario(player)
    assert len(story.list_asks_to(SOCRATES, ClassificationReport)) == 2
    assert story.human_asks


REMARK = "text.sequel"


def write_sequel(reply: SeedDocument, _ask: Ask) -> LabelledModel:
    scenario = reply.scenario
    narrative = f"{scenario.narrative} It is as before."
    return reply.model_copy(update={"scenario": scenario.model_copy(update={"narrative": narrative})})


def test_a_remark_of_the_seed_gate_is_answered_without_a_further_request() -> None:
    plain = run_scenario(make_obliging_player())
    story = run_scenario(change_deliverables(make_obliging_player(), ATHENA, SeedDocument, write_sequel))
    assert story.end.is_accepted
    assert story.keys == plain.keys
    (memo,) = story.list_asks_to(ATHENA, ReviewMemo)
    (shown,) = memo.assignment.context["open_points"]
    assert (shown["point"], shown["raised_by"], shown["kind"]) == ("G1", "ORCHESTRATOR", "recommendation")
    assert REMARK in shown["text"]
    for role in (NEWTON, EULER, GALILEO, SOCRATES):
        assert all(REMARK not in str(ask.assignment.context) for ask in story.list_asks_to(role, ReviewMemo))
    (point,) = collect_open_points(story.end.dossier)
    assert (point.name, point.addressee, point.end) == ("G1", ATHENA, "declined")


def test_a_remark_that_a_revision_removes_is_adopted() -> None:
    player = change_deliverables(
        revise_every_time(make_obliging_player()), ATHENA, SeedDocument, write_sequel, times=1
    )
    story = run_scenario(change_deliverables(player, ATHENA, ReviewMemo, answer_with("adopted"), times=1))
    assert story.end.is_accepted
    revision = story.list_asks_to(ATHENA, SeedDocument)[1]
    assert all(REMARK in each["demand"] for each in revision.assignment.context["demands"])
    (point,) = collect_open_points(story.end.dossier)
    assert (point.name, point.end) == ("G1", "adopted")


def test_a_scenario_with_an_unanswered_remark_is_not_published() -> None:
    player = change_deliverables(make_obliging_player(), ATHENA, SeedDocument, write_sequel)
    for kind in (ReviewMemo, ReadinessVote, AgentTrace):
        player = change_fields(player, ATHENA, kind, answers=())
    story = run_scenario(player)
    again = story.list_asks_to(ATHENA, AgentTrace)[1].assignment.context["notes"]
    assert any("Answer G1 of ORCHESTRATOR" in note and REMARK in note for note in again)
    assert story.human_asks
