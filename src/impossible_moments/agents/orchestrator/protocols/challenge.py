"""The challenge protocol: one agent disputes another's claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from impossible_moments.agents.orchestrator.desk import Desk
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols import ladder
from impossible_moments.agents.orchestrator.protocols.bench import Bench, may_read, reveals, told
from impossible_moments.agents.orchestrator.protocols.challenge_validity import (
    LOGGED,
    Submission,
    refusal,
    routed,
    with_what_stands,
)
from impossible_moments.domain.disputes import Answer, ChallengeResponse, HumanDecision
from impossible_moments.domain.dossier import ChallengeCase, Disagreement, Dossier, Note
from impossible_moments.domain.vocabulary import ORCHESTRATOR


class State(StrEnum):
    """The states of a challenge."""

    SUBMITTED = "SUBMITTED"
    LOGGED = LOGGED
    ROUTED = "ROUTED"
    ACCEPTED = "ACCEPTED"
    PARTIAL = "PARTIAL"
    DEFENDED = "DEFENDED"
    UPHELD = "UPHELD"
    OVERRIDDEN = "OVERRIDDEN"
    ESCALATED = "ESCALATED"


class Event(StrEnum):
    """The events that change the state of a challenge."""

    REFUSED = "REFUSED"
    FORWARDED = "FORWARDED"
    ACCEPT = "ACCEPT"
    PARTIAL = "PARTIAL"
    DEFEND = "DEFEND"
    FOR_CHALLENGER = "FOR_CHALLENGER"
    FOR_CHALLENGED = "FOR_CHALLENGED"
    FOR_NEITHER = "FOR_NEITHER"


# fmt: off
TRANSITIONS: Final[Mapping[tuple[State, Event], State]] = {
    # 4.1, step 2: an invalid challenge is logged and not forwarded
    (State.SUBMITTED, Event.REFUSED):        State.LOGGED,
    (State.SUBMITTED, Event.FORWARDED):      State.ROUTED,
    # 4.1, step 4: the one response cycle
    (State.ROUTED,    Event.ACCEPT):         State.ACCEPTED,
    (State.ROUTED,    Event.PARTIAL):        State.PARTIAL,
    (State.ROUTED,    Event.DEFEND):         State.DEFENDED,
    # 4.1, step 5, and the ladder of 1.4
    (State.DEFENDED,  Event.FOR_CHALLENGER): State.UPHELD,
    (State.DEFENDED,  Event.FOR_CHALLENGED): State.OVERRIDDEN,
    (State.DEFENDED,  Event.FOR_NEITHER):    State.ESCALATED,
}
# fmt: on
TERMINAL: Final = frozenset(State) - {state for state, _ in TRANSITIONS}
REVISED: Final = frozenset({State.ACCEPTED, State.PARTIAL, State.UPHELD})
"""The final states that oblige the challenged agent to revise its claim."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a challenge."""

    state: State
    case: ChallengeCase
    notes: tuple[Note, ...] = ()
    """Notes to the parties: what to revise, and the response if the challenger may read it."""
    decision: HumanDecision | None = None

    @property
    def needs_revision(self) -> bool:
        """Whether the challenged agent must revise its claim."""
        return self.state in REVISED


@dataclass(frozen=True, slots=True)
class _Case:
    submission: Submission
    dossier: Dossier
    state: State = State.SUBMITTED
    refusal: str = ""
    response: ChallengeResponse | None = None
    resolution: ladder.Resolution | None = None


def challenge(
    desk: Desk, dossier: Dossier, submission: Submission, *, bench: Bench
) -> Flow[tuple[Dossier, Outcome]]:
    """Process a challenge until it reaches a terminal state, and log it."""
    submission = with_what_stands(dossier, submission, bench)
    case = _Case(submission, dossier)
    while case.state not in TERMINAL:
        match case.state:
            case State.SUBMITTED:
                event, case = _validated(desk, case, bench)
            case State.ROUTED:
                event, case = yield from _answered(desk, case)
            case _:
                event, case = yield from _settled(desk, case, bench)
        case = replace(case, state=TRANSITIONS[case.state, event])
    return _logged(desk, case)


def most_asks(bench: Bench) -> int:
    """Return the most asks that a challenge can take: the response and the ladder."""
    return 1 + ladder.most_asks(bench)


def _validated(desk: Desk, case: _Case, bench: Bench) -> tuple[Event, _Case]:
    reason = refusal(desk, case.dossier, case.submission, bench)
    return (Event.FORWARDED, case) if reason is None else (Event.REFUSED, replace(case, refusal=reason))


def _answered(desk: Desk, case: _Case) -> Flow[tuple[Event, _Case]]:
    submission, dossier = case.submission, case.dossier
    agent, phase = submission.challenge.challenged, submission.phase
    note = Note(agent, routed(submission.challenge, phase), phase)
    task = (
        "One of your claims is challenged; your notes hold the challenge. ACCEPT it (you will revise the claim), "
        "DEFEND the claim with evidence, or accept it in PART."
    )
    response = yield from desk.ask(told(dossier, note), agent, phase, "challenge", task, ChallengeResponse)
    case = replace(case, response=response, dossier=dossier.file(phase, agent, response))
    return _EVENTS[response.answer], case


_EVENTS: Final = {Answer.ACCEPT: Event.ACCEPT, Answer.PARTIAL: Event.PARTIAL, Answer.DEFEND: Event.DEFEND}


def _settled(desk: Desk, case: _Case, bench: Bench) -> Flow[tuple[Event, _Case]]:
    assert case.response is not None
    disputed, response = case.submission.challenge, case.response
    dispute = ladder.Dispute(
        phase=case.submission.phase,
        claim=disputed.claim,
        domain=disputed.domain,
        challenger=ladder.Position(
            case.submission.challenger,
            disputed.recommendation or "The claim is wrong.",
            disputed.evidence,
            disputed.confidence,
        ),
        challenged=ladder.Position(
            disputed.challenged,
            response.text,
            bench.yardstick(case.dossier).in_favour(response.evidence),
            response.confidence,
        ),
    )
    dossier, resolution = yield from ladder.settle(desk, case.dossier, dispute, bench=bench)
    case = replace(case, dossier=dossier, resolution=resolution)
    match resolution.side:
        case "CHALLENGER":
            return Event.FOR_CHALLENGER, case
        case "CHALLENGED":
            return Event.FOR_CHALLENGED, case
        case _:
            return Event.FOR_NEITHER, case


def _logged(desk: Desk, case: _Case) -> tuple[Dossier, Outcome]:
    """Add the challenge to both logs, and build the notes to its parties."""
    submission, disputed = case.submission, case.submission.challenge
    method = case.resolution.rung if case.resolution is not None else case.refusal or "response"
    record = ChallengeCase(
        phase=submission.phase,
        challenger=submission.challenger,
        challenge=disputed,
        outcome=str(case.state),
        method=str(method),
        losing_position=_losing_position(case),
        votes=case.resolution.votes if case.resolution is not None else {},
        detected=submission.detected,
    )
    line = Disagreement(
        topic=disputed.claim,
        agents=(submission.challenger, disputed.challenged),
        method=str(method),
        outcome=str(case.state),
        kind="challenge",
    )
    dossier = replace(
        case.dossier,
        challenges=(*case.dossier.challenges, record),
        disagreements=(*case.dossier.disagreements, line),
    )
    decision = case.resolution.decision if case.resolution is not None else None
    return dossier, Outcome(case.state, record, _notes(desk, case), decision)


def _losing_position(case: _Case) -> str:
    disputed = case.submission.challenge
    match case.state:
        case State.UPHELD:
            return f"{disputed.challenged}: {case.response.text if case.response else disputed.claim}"
        case State.OVERRIDDEN:
            evidence = "; ".join(each.text for each in disputed.evidence)
            return f"{case.submission.challenger}: {evidence}"
        case _:
            return ""


def _notes(desk: Desk, case: _Case) -> tuple[Note, ...]:
    submission, disputed = case.submission, case.submission.challenge
    notes: list[Note] = []
    if case.state in REVISED:
        asked = routed(disputed, submission.phase)
        notes.append(
            Note(
                disputed.challenged,
                f"Revise the claim; the challenge ended {case.state}.\n{asked}",
                submission.phase,
            )
        )
    if submission.challenger == ORCHESTRATOR or case.response is None:
        return tuple(notes)
    # 1.3: the response goes to the challenger, if the challenger may read what it reveals.
    text = f"Your challenge of `{disputed.claim}` ended {case.state}."
    if may_read(desk, submission.challenger, phase=submission.phase, labels=reveals(disputed.challenged)):
        text += f" {disputed.challenged} answered: {case.response.text}"
    return (*notes, Note(submission.challenger, text, submission.phase))
