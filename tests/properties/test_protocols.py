"""The protocols as machines: what holds of their tables, and of every way through them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols import (
    breakthrough_proposal,
    breakthrough_protocol,
    challenge_protocol,
    escalation_protocol,
    veto_protocol,
)
from impossible_moments.agents.orchestrator.protocols.challenge_validity import (
    LOGGED,
    ChallengeSubmission,
)
from impossible_moments.agents.orchestrator.protocols.dispute_panel import OPEN_PHASES
from impossible_moments.agents.orchestrator.protocols.veto_validity import (
    DOWNGRADED,
    RaisedVeto,
)
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Breakthrough, Option
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.thresholds import CHALLENGES_PER_AGENT, REDESIGNS, VETOES_PER_AGENT
from impossible_moments.domain.vocabulary import EULER, HUMAN, NEWTON, ORCHESTRATOR, ROLES, SOCRATES, Phase
from support.dispute_cases import (
    CLAIM,
    DESK,
    DisputeRun,
    build_challenge,
    build_dossier,
    build_panel,
    build_seed,
    build_veto,
    draw_replies,
    pieces,
    replay_replies,
    sure,
    words,
)

# the tables


@dataclass(frozen=True)
class Machine:
    """A protocol's table."""

    states: Set[str]
    events: Set[str]
    transitions: Mapping[tuple[str, str], str]
    terminal: Set[str]
    start: str


def machine_of(protocol: Any, start: StrEnum, events: Iterable[str]) -> Machine:
    return Machine(set(type(start)), set(events), dict(protocol.TRANSITIONS), protocol.TERMINAL, start)


MACHINES = {
    "challenge": machine_of(
        challenge_protocol, challenge_protocol.ChallengeState.SUBMITTED, challenge_protocol.ChallengeEvent
    ),
    "veto": machine_of(veto_protocol, veto_protocol.VetoState.RAISED, veto_protocol.VetoEvent),
    "escalation": machine_of(
        escalation_protocol,
        escalation_protocol.EscalationState.COMPILING,
        {escalation_protocol.SENT, *Option},
    ),
    "breakthrough": machine_of(
        breakthrough_protocol,
        breakthrough_protocol.BreakthroughState.PROPOSED,
        breakthrough_protocol.BreakthroughEvent,
    ),
}

each_machine = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES.keys())


def reachable(machine: Machine, start: str) -> set[str]:
    found, left = {start}, [start]
    while left:
        here = left.pop()
        fresh = {after for (state, _), after in machine.transitions.items() if state == here} - found
        found |= fresh
        left += fresh
    return found


@each_machine
def test_every_state_can_be_reached(machine: Machine) -> None:
    assert reachable(machine, machine.start) == machine.states


@each_machine
def test_every_state_that_is_not_terminal_can_end(machine: Machine) -> None:
    assert all(reachable(machine, state) & machine.terminal for state in machine.states)


@each_machine
def test_nothing_leaves_a_terminal_state(machine: Machine) -> None:
    assert not machine.terminal & {state for state, _ in machine.transitions}


@each_machine
def test_no_state_comes_twice_on_one_way(machine: Machine) -> None:
    following = {
        state: {after for (at, _), after in machine.transitions.items() if at == state}
        for state in machine.states
    }
    assert all(
        state not in set().union(*(reachable(machine, after) for after in following[state]))
        for state in machine.states
    )


@each_machine
def test_every_event_moves_something(machine: Machine) -> None:
    assert {event for _, event in machine.transitions} == machine.events


# every way through them: an event that is not in its table would be a KeyError here

agents = st.sampled_from(ROLES)
phases = st.sampled_from(Phase)
submissions = st.builds(
    ChallengeSubmission,
    phase=phases,
    challenger=st.sampled_from([*ROLES, ORCHESTRATOR]),
    challenge=st.builds(
        build_challenge,
        challenged=agents,
        claim=st.sampled_from([CLAIM, "C1", "The table slides.", " "]),
        evidence=pieces,
        confidence=sure,
    ),
    detected=st.booleans(),
)
vetoes = st.builds(
    RaisedVeto,
    phase=st.sampled_from([Phase.VALIDATE, Phase.REFINE]),
    raised_by=st.sampled_from([NEWTON, EULER, SOCRATES]),
    veto=st.builds(
        build_veto,
        claim=st.sampled_from([CLAIM, "The table slides."]),
        proof=pieces,
        core=st.booleans(),
        correctable=st.booleans(),
    ),
)
proposals = st.builds(
    breakthrough_proposal.BreakthroughProposal,
    phase=phases,
    proposed_by=agents,
    breakthrough=st.builds(
        Breakthrough, proposal=words, novelty=words, physics=st.sampled_from(["", "F = 1 N"])
    ),
)
dossiers = st.builds(
    lambda status, pull, redesigns: replace(
        build_dossier(status, build_seed(pull=pull)), redesigns=redesigns
    ),
    st.sampled_from(["KS", "OF", "PX"]),
    st.sampled_from([1.0, 3.0]),
    st.integers(0, 1),
)


def flow_of(before: Dossier, case: Any) -> Flow[tuple[Dossier, Any]]:
    match case:
        case ChallengeSubmission():
            return challenge_protocol.resolve_challenge(DESK, before, case, panel=build_panel())
        case RaisedVeto():
            return veto_protocol.resolve_veto(DESK, before, case, panel=build_panel())
        case _:
            return breakthrough_protocol.review_breakthrough(DESK, before, case)


def bound(case: Any) -> int:
    match case:
        case ChallengeSubmission():
            return challenge_protocol.compute_challenge_ask_limit(build_panel())
        case RaisedVeto():
            return veto_protocol.compute_veto_ask_limit(build_panel())
        case _:
            return breakthrough_protocol.MOST_ASKS


ENDS: dict[type, Set[str]] = {
    ChallengeSubmission: challenge_protocol.TERMINAL,
    RaisedVeto: veto_protocol.TERMINAL,
    breakthrough_proposal.BreakthroughProposal: breakthrough_protocol.RUN_ENDS,
}
any_case = st.one_of(submissions, vetoes, proposals)


@settings(max_examples=300)
@given(dossiers, any_case, st.data())
def test_a_protocol_ends_in_a_terminal_state(before: Dossier, case: Any, data: st.DataObject) -> None:
    _, outcome = DisputeRun().run_flow(flow_of(before, case), draw_replies(data))
    assert outcome.state in ENDS[type(case)]


@settings(max_examples=300)
@given(dossiers, any_case, st.data())
def test_a_protocol_ends_within_its_number_of_asks(before: Dossier, case: Any, data: st.DataObject) -> None:
    run = DisputeRun()
    run.run_flow(flow_of(before, case), draw_replies(data))
    assert len(run.asks) <= bound(case)


@given(dossiers, any_case, st.data())
def test_the_same_replies_give_the_same_run(before: Dossier, case: Any, data: st.DataObject) -> None:
    first, second = DisputeRun(), DisputeRun()
    result = first.run_flow(flow_of(before, case), draw_replies(data))
    again = second.run_flow(flow_of(before, case), replay_replies(first.replies))
    assert (again, second.asks) == (result, first.asks)


@given(dossiers, any_case, st.data())
def test_no_two_asks_of_a_protocol_share_a_key(before: Dossier, case: Any, data: st.DataObject) -> None:
    run = DisputeRun()
    run.run_flow(flow_of(before, case), draw_replies(data))
    assert len({ask.key for ask in run.asks}) == len(run.asks)


@given(dossiers, any_case, st.data())
def test_a_protocol_takes_nothing_out_of_a_dossier(before: Dossier, case: Any, data: st.DataObject) -> None:
    after, _ = DisputeRun().run_flow(flow_of(before, case), draw_replies(data))
    assert after.entries[: len(before.entries)] == before.entries


@given(dossiers, any_case, st.data())
def test_notes_for_one_question_do_not_stay(before: Dossier, case: Any, data: st.DataObject) -> None:
    after, _ = DisputeRun().run_flow(flow_of(before, case), draw_replies(data))
    assert after.notes == before.notes


@given(dossiers, any_case, st.data())
def test_nobody_asks_socrates_about_a_dispute_before_the_reveal(
    before: Dossier, case: Any, data: st.DataObject
) -> None:
    run = DisputeRun()
    run.run_flow(flow_of(before, case), draw_replies(data))
    blind = {Phase.SEED, Phase.VALIDATE, Phase.GROUND, Phase.CLASSIFY}
    assert not [ask for ask in run.asks if ask.agent == SOCRATES and ask.assignment.phase in blind]


def secret(reply: LabelledModel) -> LabelledModel:
    """The reply with a confidence that can be recognised."""
    return (
        reply.model_copy(update={"confidence": SECRET}) if "confidence" in type(reply).model_fields else reply
    )


SECRET = 0.123456789


@given(dossiers, submissions, st.data())
def test_no_agent_reads_anothers_confidence_before_the_reveal(
    before: Dossier, case: ChallengeSubmission, data: st.DataObject
) -> None:
    run, reply = DisputeRun(), draw_replies(data)
    disputed = case.challenge.model_copy(update={"confidence": SECRET})
    run.run_flow(flow_of(before, replace(case, challenge=disputed)), lambda ask: secret(reply(ask)))
    hidden = [ask for ask in run.asks if ask.agent != HUMAN and ask.assignment.phase not in OPEN_PHASES]
    assert not [
        ask.key for ask in hidden if "0.12" in str(ask.assignment.context["notes"]) + ask.assignment.task
    ]


# limits that hold over a whole scenario


@settings(max_examples=50)
@given(dossiers, st.lists(submissions, min_size=4, max_size=12), st.data())
def test_no_agent_has_more_than_three_of_its_own_challenges_forwarded(
    before: Dossier, cases: list[ChallengeSubmission], data: st.DataObject
) -> None:
    after = before
    for case in cases:
        after, _ = DisputeRun().run_flow(flow_of(after, case), draw_replies(data))
    forwarded = [each.challenger for each in after.challenges if each.outcome != LOGGED and not each.detected]
    assert all(forwarded.count(agent) <= CHALLENGES_PER_AGENT for agent in ROLES)


@settings(max_examples=50)
@given(dossiers, st.lists(vetoes, min_size=3, max_size=8), st.data())
def test_the_third_veto_of_an_agent_goes_to_a_human(
    before: Dossier, cases: list[RaisedVeto], data: st.DataObject
) -> None:
    after = before
    for case in cases:
        run = DisputeRun()
        earlier = sum(
            each.raised_by == case.raised_by and each.outcome != DOWNGRADED for each in after.vetoes
        )
        after, outcome = run.run_flow(flow_of(after, case), draw_replies(data))
        if earlier >= VETOES_PER_AGENT and outcome.state != DOWNGRADED:
            assert run.agents == ["HUMAN"]


@settings(max_examples=50)
@given(dossiers, vetoes, st.data())
def test_a_redesigned_scenario_goes_back_again_only_if_a_human_sends_it(
    before: Dossier, case: RaisedVeto, data: st.DataObject
) -> None:
    _, outcome = DisputeRun().run_flow(
        flow_of(replace(before, redesigns=REDESIGNS), case), draw_replies(data)
    )
    assert outcome.state != veto_protocol.VetoState.RETURNED or outcome.decision is not None
