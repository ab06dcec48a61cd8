"""Every final state of every protocol is reached in a whole run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.protocols import (
    breakthrough_protocol,
    challenge_protocol,
    escalation_protocol,
    veto_protocol,
)
from impossible_moments.agents.scripted_players import Player, wrap_player_with_vetoes
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import (
    Answer,
    Ballot,
    Breakthrough,
    BreakthroughReview,
    ChallengeResponse,
    Option,
    VetoReview,
)
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES, Phase
from support.golden_dossiers import build_brief, build_validated_dossier
from support.scripted_runs import (
    ScenarioRun,
    add_tied_dispute,
    build_challenge,
    build_evidence,
    build_veto,
    change_fields,
    make_obliging_player,
    revise_every_time,
    run_scenario,
)


def challenging(answer: Answer = Answer.ACCEPT, choice: str = "CHALLENGER", **changes: Any) -> Player:
    """NEWTON challenges ATHENA in its memo; ATHENA answers, and all voters choose as given."""
    player = revise_every_time(make_obliging_player())
    player = change_fields(
        player, NEWTON, ReviewMemo, times=1, challenges=(build_challenge(ATHENA, **changes),)
    )
    player = change_fields(player, "", Ballot, choice=choice)
    return change_fields(player, ATHENA, ChallengeResponse, answer=answer)


def vetoing(
    option: Option = Option.RESOLVE, *, satisfied: bool = True, times: int = 1, **changes: Any
) -> Player:
    """NEWTON vetoes in VALIDATE."""
    player = revise_every_time(make_obliging_player(option))
    player = change_fields(player, NEWTON, VetoReview, satisfied=satisfied)
    return wrap_player_with_vetoes(player, NEWTON, build_veto(**changes), times=times)


def unproved() -> Player:
    return vetoing(proof=(build_evidence("I am 90 % sure."),))


CHALLENGES: dict[str, Callable[[], Player]] = {
    "LOGGED": lambda: challenging(evidence=()),
    "ACCEPTED": challenging,
    "PARTIAL": lambda: challenging(Answer.PARTIAL),
    "UPHELD": lambda: challenging(Answer.DEFEND),
    "OVERRIDDEN": lambda: challenging(Answer.DEFEND, "CHALLENGED"),
    "ESCALATED": lambda: add_tied_dispute(make_obliging_player(Option.DISCARD)),
}
VETOES: dict[str, Callable[[], Player]] = {
    "LIFTED": vetoing,
    "DOWNGRADED": unproved,
    "RETURNED": lambda: vetoing(satisfied=False),
    "DISCARDED": lambda: vetoing(Option.DISCARD, satisfied=False, times=2),
    "ESCALATED": lambda: vetoing(Option.SPLIT, satisfied=False, times=2),
}
ELSEWHERE = {"RECLASSIFIED"}
"""Reached in `test_dispute_resolution`, with a record that computes as a paradox."""
ESCALATIONS: dict[str, Option] = {
    "RESOLVED": Option.RESOLVE,
    "REDESIGN": Option.REDESIGN,
    "DISCARDED": Option.DISCARD,
    "SPLIT": Option.SPLIT,
}


def test_every_final_state_has_a_run() -> None:
    assert set(CHALLENGES) == challenge_protocol.TERMINAL
    assert set(VETOES) | ELSEWHERE == veto_protocol.TERMINAL
    assert set(ESCALATIONS) == escalation_protocol.TERMINAL
    assert {state for state, _, _ in BREAKTHROUGHS} | {"REFUSED"} == breakthrough_protocol.RUN_ENDS


@pytest.mark.parametrize("state", CHALLENGES)
def test_a_run_reaches_the_state_of_a_challenge(state: str) -> None:
    dossier = run_scenario(CHALLENGES[state]()).end.dossier
    assert [case.outcome for case in dossier.challenges] == [state]


@pytest.mark.parametrize("state", VETOES)
def test_a_run_reaches_the_state_of_a_veto(state: str) -> None:
    dossier = run_scenario(VETOES[state]()).end.dossier
    assert dossier.vetoes[-1].outcome == state


@pytest.mark.parametrize(("state", "option"), ESCALATIONS.items())
def test_a_run_reaches_the_state_of_an_escalation(state: str, option: Option) -> None:
    dossier = run_scenario(add_tied_dispute(make_obliging_player(option, structural_flaw=True))).end.dossier
    assert dossier.reviews[0].state == state
    assert [(each.decision, each.flaw) for each in dossier.design_reviews][:1] == [
        (option, "it was looked at")
    ]


# who is asked and informed in a whole run


def test_a_standing_veto_in_refine_is_confirmed_by_the_other_validator() -> None:
    player = revise_every_time(make_obliging_player(Option.DISCARD))
    player = change_fields(player, NEWTON, VetoReview, satisfied=False)
    player = change_fields(player, NEWTON, ReviewMemo, times=1, vetoes=(build_veto(),))
    story = run_scenario(change_fields(player, EULER, Ballot, choice="CHALLENGED"))
    assert "REFINE/EULER/veto-confirmation/1" in story.keys
    assert story.end.dossier.vetoes[0].confirmation == "CHALLENGED 1, CHALLENGER 1; unanimous of 2 needs 2"
    assert story.end.discarded_in is Phase.REFINE


def test_agents_learn_of_a_halt_in_later_asks_but_not_while_they_classify_blind() -> None:
    story = run_scenario(vetoing())
    lifted = ["Work on this scenario is halted in VALIDATE.", "The halt in VALIDATE is lifted."]
    shown = {ask.key: ask.assignment.context.get("notices") for ask in story.asks}
    assert shown["GROUND/GALILEO/grounding/1"] == lifted
    assert shown["CLASSIFY/SOCRATES/classification/1"] is None
    assert shown["REFINE/SOCRATES/reveal/1"] == lifted


def test_the_author_of_a_refused_challenge_is_answered_in_its_next_ask() -> None:
    story = run_scenario(CHALLENGES["LOGGED"]())
    (vote,) = [ask for ask in story.asks if ask.key == "REFINE/NEWTON/votes/1"]
    assert ["not forwarded" in text for text in vote.assignment.context["notices"]] == [True]


# breakthroughs: an open frontier

PROPOSAL = Breakthrough(proposal="a mirror", novelty="nobody tried", physics="it reflects 0.9 of it")


def propose(agent: str, kind: type[LabelledModel], *, survives: bool = True) -> ScenarioRun:
    """Run an open frontier in which an agent proposes a solution, and a human ends the run afterwards."""
    reports = {
        type(entry.deliverable): entry.deliverable for entry in build_validated_dossier("ice_at_noon").entries
    }
    player = make_obliging_player(Option.DISCARD)

    def answer(ask: Ask) -> LabelledModel:
        return reports.get(ask.returns) or player(ask)

    proposing = change_fields(answer, agent, kind, times=1, breakthrough=PROPOSAL)
    proposing = change_fields(proposing, "", BreakthroughReview, survives=survives)
    return run_scenario(proposing, build_brief("ice_at_noon").model_copy(update={"scenario_id": "IM-0007"}))


BREAKTHROUGHS = [("CANDIDATE", NEWTON, True), ("CANDIDATE", EULER, True), ("REJECTED", NEWTON, False)]


@pytest.mark.parametrize(("state", "agent", "survives"), BREAKTHROUGHS)
def test_a_run_reaches_the_state_of_a_proposal(state: str, agent: str, survives: bool) -> None:  # noqa: FBT001 - a column
    kind = PhysicsReport if agent == NEWTON else MathematicsReport
    story = propose(agent, kind, survives=survives)
    assert [case.state for case in story.end.dossier.breakthroughs] == [state]
    reviewers = {ask.agent for ask in story.asks if ask.returns is BreakthroughReview}
    assert reviewers == {EULER, NEWTON, GALILEO, ATHENA} - {agent}


def test_a_proposal_for_a_solved_scenario_is_refused_and_its_author_learns_why() -> None:
    player = change_fields(make_obliging_player(), SOCRATES, ReviewMemo, times=1, breakthrough=PROPOSAL)
    dossier = run_scenario(player).end.dossier
    assert [case.state for case in dossier.breakthroughs] == ["REFUSED"]
    assert [note.text for note in dossier.notices if note.addressee == SOCRATES] == [
        "Your proposal was not reviewed: the scenario is KS, and only OF scenarios wait for a solution."
    ]
