"""Scripted players: each manner does what it says, and no more."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from impossible_moments.agents.orchestrator.flow import Ask, Assignment, Flow
from impossible_moments.agents.scripted_players import (
    Player,
    UnscriptedAsk,
    build_scripted_player,
    run_flow_with_player,
    wrap_player_with_lies,
    wrap_player_with_overlong_memo,
    wrap_player_with_silence,
    wrap_player_with_stubbornness,
    wrap_player_with_vetoes,
)
from impossible_moments.domain.agent_trace import NO_CONTRIBUTION, AgentTrace
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import (
    Answer,
    Ballot,
    BreakthroughReview,
    ChallengeResponse,
    HumanDecision,
    Option,
    VetoReview,
)
from impossible_moments.domain.refinement import RefinementBallot, ReviewMemo
from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import EULER, GALILEO, HUMAN, NEWTON, Phase
from support.dossiers import make_agent_trace, make_physics_report
from support.scripted_runs import build_veto, make_obliging_player, run_scenario


def ask_of(agent: str, returns: type[LabelledModel]) -> Ask:
    assignment = Assignment(agent, Phase.REFINE, "IM-0001", "answer", {}, returns.__name__, 1_000)
    return Ask(f"REFINE/{agent}/topic/1", assignment, returns)


def said(player: Player, agent: str, returns: type[LabelledModel]) -> LabelledModel:
    return player(ask_of(agent, returns))


def test_a_script_answers_by_agent_and_deliverable() -> None:
    report = make_physics_report()
    assert said(build_scripted_player({(NEWTON, PhysicsReport): report}), NEWTON, PhysicsReport) is report


def test_a_script_says_what_it_has_no_answer_to() -> None:
    with pytest.raises(
        UnscriptedAsk, match="REFINE/EULER/topic/1 needs a PhysicsReport, but the script has none"
    ):
        said(build_scripted_player({}), EULER, PhysicsReport)


@pytest.mark.parametrize("kind", [ChallengeResponse, Ballot, VetoReview, BreakthroughReview, HumanDecision])
def test_a_script_settles_disputes_by_itself(kind: type[LabelledModel]) -> None:
    assert type(said(build_scripted_player({}), NEWTON, kind)) is kind


def test_a_human_decides_as_the_script_says() -> None:
    decision = HumanDecision(option=Option.SPLIT, justification="two in one")
    assert said(build_scripted_player({}, decision), HUMAN, HumanDecision) is decision


def test_a_stubborn_agent_defends_and_wants_changes() -> None:
    player = wrap_player_with_stubbornness(make_obliging_player(), GALILEO)
    response, vote = said(player, GALILEO, ChallengeResponse), said(player, GALILEO, RefinementBallot)
    assert isinstance(response, ChallengeResponse)
    assert isinstance(vote, RefinementBallot)
    assert (response.answer, vote.readiness.vote) == (Answer.DEFEND, "REVISE")


def test_one_stubborn_agent_is_outvoted() -> None:
    assert run_scenario(wrap_player_with_stubbornness(make_obliging_player(), GALILEO)).end.is_accepted


def test_two_stubborn_agents_bring_the_scenario_to_a_human() -> None:
    story = run_scenario(
        wrap_player_with_stubbornness(wrap_player_with_stubbornness(make_obliging_player(), GALILEO), EULER)
    )
    assert len(story.human_asks) == 1


def test_a_vetoing_agent_vetoes_as_often_as_said() -> None:
    player = wrap_player_with_vetoes(make_obliging_player(), NEWTON, build_veto(), times=2)
    reports = [said(player, NEWTON, PhysicsReport) for _ in range(3)]
    assert [len(each.vetoes) for each in reports if isinstance(each, PhysicsReport)] == [1, 1, 0]


def test_a_silent_agent_says_why_it_has_nothing_to_say() -> None:
    trace = said(wrap_player_with_silence(make_obliging_player(), GALILEO), GALILEO, AgentTrace)
    assert isinstance(trace, AgentTrace)
    assert (trace.found, bool(trace.justification)) == (NO_CONTRIBUTION, True)


def test_a_scenario_with_a_silent_agent_is_accepted() -> None:
    assert run_scenario(wrap_player_with_silence(make_obliging_player(), GALILEO)).end.is_accepted


def test_no_contribution_needs_a_justification() -> None:
    with pytest.raises(ValidationError, match="needs a justification"):
        AgentTrace.model_validate({**make_agent_trace().model_dump(), "found": f" {NO_CONTRIBUTION}. "})


def test_a_rambling_memo_is_longer_than_any_budget() -> None:
    memo = said(wrap_player_with_overlong_memo(make_obliging_player(), GALILEO), GALILEO, ReviewMemo)
    assert isinstance(memo, ReviewMemo)
    assert len(memo.text.split()) == 30_000


def test_a_rambling_agent_does_not_crowd_the_others_out() -> None:
    story = run_scenario(wrap_player_with_overlong_memo(make_obliging_player(), GALILEO))
    assert story.end.is_accepted


def test_a_liar_calls_everything_valid_and_is_sure() -> None:
    invalid = make_physics_report().model_copy(
        update={
            "claims": tuple(
                claim.model_copy(update={"verdict": "INVALID"}) for claim in make_physics_report().claims
            ),
            "confidence": 0.1,
        }
    )
    report = said(
        wrap_player_with_lies(build_scripted_player({(NEWTON, PhysicsReport): invalid}), NEWTON),
        NEWTON,
        PhysicsReport,
    )
    assert isinstance(report, PhysicsReport)
    assert ({claim.verdict for claim in report.claims}, report.confidence) == ({"VALID"}, 0.99)


@pytest.mark.parametrize(
    "manner",
    [
        wrap_player_with_stubbornness,
        wrap_player_with_silence,
        wrap_player_with_overlong_memo,
        wrap_player_with_lies,
    ],
    ids=lambda manner: str(manner.__name__),
)
def test_a_manner_changes_nobody_else(manner: object) -> None:
    assert callable(manner)
    player, plain = manner(make_obliging_player(), GALILEO), make_obliging_player()
    kinds = (ReviewMemo, AgentTrace, RefinementBallot, ChallengeResponse)
    assert [said(player, NEWTON, kind) for kind in kinds] == [said(plain, NEWTON, kind) for kind in kinds]


def test_play_hands_over_every_ask_in_order() -> None:
    asks = [ask_of(NEWTON, ReviewMemo), ask_of(EULER, ReviewMemo)]

    def flow() -> Flow[tuple[LabelledModel, ...]]:
        first = yield (asks[0],)
        second = yield (asks[1],)
        return (*first, *second)

    heard: list[Ask] = []
    replies = run_flow_with_player(flow(), make_obliging_player(), heard)
    assert (heard, len(replies)) == (asks, 2)
