"""The challenge protocol: one agent disputes another's claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols import resolution_ladder
from impossible_moments.agents.orchestrator.protocols.challenge_validity import (
    LOGGED,
    ChallengeSubmission,
    find_challenge_refusal,
    format_challenge,
    remove_refuted_evidence,
)
from impossible_moments.agents.orchestrator.protocols.dispute_panel import (
    DisputePanel,
    add_private_notes,
    list_labels_agent_may_reveal,
    may_read,
)
from impossible_moments.domain.disputes import Answer, ChallengeResponse, HumanDecision
from impossible_moments.domain.dossier import AgentNote, ChallengeCase, DisagreementLogEntry, Dossier
from impossible_moments.domain.vocabulary import ORCHESTRATOR


class ChallengeState(StrEnum):
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


class ChallengeEvent(StrEnum):
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
TRANSITIONS: Final[Mapping[tuple[ChallengeState, ChallengeEvent], ChallengeState]] = {
    # 4.1, step 2: an invalid challenge is logged and not forwarded
    (ChallengeState.SUBMITTED, ChallengeEvent.REFUSED):        ChallengeState.LOGGED,
    (ChallengeState.SUBMITTED, ChallengeEvent.FORWARDED):      ChallengeState.ROUTED,
    # 4.1, step 4: the one response cycle
    (ChallengeState.ROUTED,    ChallengeEvent.ACCEPT):         ChallengeState.ACCEPTED,
    (ChallengeState.ROUTED,    ChallengeEvent.PARTIAL):        ChallengeState.PARTIAL,
    (ChallengeState.ROUTED,    ChallengeEvent.DEFEND):         ChallengeState.DEFENDED,
    # 4.1, step 5, and the ladder of 1.4
    (ChallengeState.DEFENDED,  ChallengeEvent.FOR_CHALLENGER): ChallengeState.UPHELD,
    (ChallengeState.DEFENDED,  ChallengeEvent.FOR_CHALLENGED): ChallengeState.OVERRIDDEN,
    (ChallengeState.DEFENDED,  ChallengeEvent.FOR_NEITHER):    ChallengeState.ESCALATED,
}
# fmt: on
TERMINAL: Final = frozenset(ChallengeState) - {state for state, _ in TRANSITIONS}
REVISED: Final = frozenset({ChallengeState.ACCEPTED, ChallengeState.PARTIAL, ChallengeState.UPHELD})
"""The final states that oblige the challenged agent to revise its claim."""


@dataclass(frozen=True, slots=True)
class ChallengeOutcome:
    """The outcome of a challenge."""

    state: ChallengeState
    case: ChallengeCase
    notes: tuple[AgentNote, ...] = ()
    """Notes to the parties: what to revise, and the response if the challenger may read it."""
    decision: HumanDecision | None = None

    @property
    def needs_revision(self) -> bool:
        """Whether the challenged agent must revise its claim."""
        return self.state in REVISED


@dataclass(frozen=True, slots=True)
class _ChallengeProgress:
    submission: ChallengeSubmission
    dossier: Dossier
    state: ChallengeState = ChallengeState.SUBMITTED
    refusal: str = ""
    response: ChallengeResponse | None = None
    resolution: resolution_ladder.DisputeResolution | None = None


def resolve_challenge(
    desk: AskDesk, dossier: Dossier, submission: ChallengeSubmission, *, panel: DisputePanel
) -> Flow[tuple[Dossier, ChallengeOutcome]]:
    """Process a challenge until it reaches a terminal state, and log it."""
    submission = remove_refuted_evidence(dossier, submission, panel)
    case = _ChallengeProgress(submission, dossier)
    while case.state not in TERMINAL:
        match case.state:
            case ChallengeState.SUBMITTED:
                event, case = _validate_challenge(desk, case, panel)
            case ChallengeState.ROUTED:
                event, case = yield from _request_challenge_response(desk, case)
            case _:
                event, case = yield from _settle_by_ladder(desk, case, panel)
        case = replace(case, state=TRANSITIONS[case.state, event])
    return _log_challenge(desk, case)


def compute_challenge_ask_limit(panel: DisputePanel) -> int:
    """Return the most asks that a challenge can take: the response and the ladder."""
    return 1 + resolution_ladder.compute_ladder_ask_limit(panel)


def _validate_challenge(
    desk: AskDesk, case: _ChallengeProgress, panel: DisputePanel
) -> tuple[ChallengeEvent, _ChallengeProgress]:
    reason = find_challenge_refusal(desk, case.dossier, case.submission, panel)
    return (
        (ChallengeEvent.FORWARDED, case)
        if reason is None
        else (ChallengeEvent.REFUSED, replace(case, refusal=reason))
    )


def _request_challenge_response(
    desk: AskDesk, case: _ChallengeProgress
) -> Flow[tuple[ChallengeEvent, _ChallengeProgress]]:
    submission, dossier = case.submission, case.dossier
    agent, phase = submission.challenge.challenged, submission.phase
    note = AgentNote(agent, format_challenge(submission.challenge, phase), phase)
    task = (
        "One of your claims is challenged. Your notes contain the challenge. ACCEPT it (you will revise the claim), "
        "DEFEND the claim with evidence, or answer PARTIAL if part of the challenge holds."
    )
    response = yield from desk.ask_agent(
        add_private_notes(dossier, note), agent, phase, "challenge", task, ChallengeResponse
    )
    case = replace(case, response=response, dossier=dossier.add_deliverable(phase, agent, response))
    return _EVENTS[response.answer], case


_EVENTS: Final = {
    Answer.ACCEPT: ChallengeEvent.ACCEPT,
    Answer.PARTIAL: ChallengeEvent.PARTIAL,
    Answer.DEFEND: ChallengeEvent.DEFEND,
}


def _settle_by_ladder(
    desk: AskDesk, case: _ChallengeProgress, panel: DisputePanel
) -> Flow[tuple[ChallengeEvent, _ChallengeProgress]]:
    assert case.response is not None
    disputed, response = case.submission.challenge, case.response
    dispute = resolution_ladder.Dispute(
        phase=case.submission.phase,
        claim=disputed.claim,
        domain=disputed.domain,
        challenger=resolution_ladder.DisputePosition(
            case.submission.challenger,
            disputed.recommendation or "The claim is wrong.",
            disputed.evidence,
            disputed.confidence,
        ),
        challenged=resolution_ladder.DisputePosition(
            disputed.challenged,
            response.text,
            panel.make_evidence_evaluator(case.dossier).filter_evidence_in_favour(response.evidence),
            response.confidence,
        ),
    )
    dossier, resolution = yield from resolution_ladder.settle_dispute(
        desk, case.dossier, dispute, panel=panel
    )
    case = replace(case, dossier=dossier, resolution=resolution)
    match resolution.side:
        case "CHALLENGER":
            return ChallengeEvent.FOR_CHALLENGER, case
        case "CHALLENGED":
            return ChallengeEvent.FOR_CHALLENGED, case
        case _:
            return ChallengeEvent.FOR_NEITHER, case


def _log_challenge(desk: AskDesk, case: _ChallengeProgress) -> tuple[Dossier, ChallengeOutcome]:
    """Add the challenge to both logs, and build the notes to its parties."""
    submission, disputed = case.submission, case.submission.challenge
    method = case.resolution.rung if case.resolution is not None else case.refusal or "response"
    record = ChallengeCase(
        phase=submission.phase,
        challenger=submission.challenger,
        challenge=disputed,
        outcome=str(case.state),
        method=str(method),
        losing_position=_describe_losing_position(case),
        votes=case.resolution.votes if case.resolution is not None else {},
        detected=submission.detected,
    )
    line = DisagreementLogEntry(
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
    return dossier, ChallengeOutcome(case.state, record, _build_party_notes(desk, case), decision)


def _describe_losing_position(case: _ChallengeProgress) -> str:
    disputed = case.submission.challenge
    match case.state:
        case ChallengeState.UPHELD:
            return f"{disputed.challenged}: {case.response.text if case.response else disputed.claim}"
        case ChallengeState.OVERRIDDEN:
            evidence = "; ".join(each.text for each in disputed.evidence)
            return f"{case.submission.challenger}: {evidence}"
        case _:
            return ""


def _build_party_notes(desk: AskDesk, case: _ChallengeProgress) -> tuple[AgentNote, ...]:
    submission, disputed = case.submission, case.submission.challenge
    notes: list[AgentNote] = []
    if case.state in REVISED:
        challenge_text = format_challenge(disputed, submission.phase)
        notes.append(
            AgentNote(
                disputed.challenged,
                f"Revise the claim; the challenge ended {case.state}.\n{challenge_text}",
                submission.phase,
            )
        )
    if submission.challenger == ORCHESTRATOR or case.response is None:
        return tuple(notes)
    # 1.3: the response goes to the challenger, if the challenger may read what it reveals.
    text = f"Your challenge of `{disputed.claim}` ended {case.state}."
    if may_read(
        desk,
        submission.challenger,
        phase=submission.phase,
        labels=list_labels_agent_may_reveal(disputed.challenged),
    ):
        text += f" {disputed.challenged} answered: {case.response.text}"
    return (*notes, AgentNote(submission.challenger, text, submission.phase))
