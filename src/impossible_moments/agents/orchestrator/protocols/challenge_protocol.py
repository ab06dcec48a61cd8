"""The challenge protocol: one agent disputes another's claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.conflicts.claim_domain import list_dispute_domains
from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import EvidenceEvaluator
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols.challenge_validity import (
    LOGGED,
    OUTDATED,
    ChallengeSubmission,
    decide_submission_domains,
    find_challenge_refusal,
    format_challenge,
    remove_refuted_evidence,
)
from impossible_moments.agents.orchestrator.protocols.disagreement_log import (
    build_challenger_notices,
    build_log_entry,
)
from impossible_moments.agents.orchestrator.protocols.dispute import Dispute, DisputePosition
from impossible_moments.agents.orchestrator.protocols.dispute_panel import (
    DisputePanel,
    add_private_notes,
)
from impossible_moments.agents.orchestrator.protocols.resolution_ladder import (
    DisputeResolution,
    compute_ladder_ask_limit,
    settle_dispute,
)
from impossible_moments.domain.disputes import Answer, ChallengeResponse, Domain, Evidence, HumanDecision
from impossible_moments.domain.dossier import AgentNote, ChallengeCase, Dossier, RevisionDemand


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
    """The note to the challenged agent that says what to revise."""
    notices: tuple[AgentNote, ...] = ()
    """The report to the challenger: the end, with the response if the challenger may read it."""
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
    domains: tuple[Domain, ...] = ()
    response: ChallengeResponse | None = None
    resolution: DisputeResolution | None = None


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
    return 1 + compute_ladder_ask_limit(panel)


def _validate_challenge(
    desk: AskDesk, case: _ChallengeProgress, panel: DisputePanel
) -> tuple[ChallengeEvent, _ChallengeProgress]:
    reason = (
        OUTDATED
        if case.submission.is_outdated
        else find_challenge_refusal(desk, case.dossier, case.submission, panel)
    )
    if reason is not None:
        return ChallengeEvent.REFUSED, replace(case, refusal=reason)
    domains = decide_submission_domains(case.dossier, case.submission, panel)
    return ChallengeEvent.FORWARDED, replace(case, domains=domains)


def _request_challenge_response(
    desk: AskDesk, case: _ChallengeProgress
) -> Flow[tuple[ChallengeEvent, _ChallengeProgress]]:
    submission, dossier = case.submission, case.dossier
    agent, phase = submission.challenge.challenged, submission.phase
    note = AgentNote(agent, format_challenge(submission.challenge, phase, case.domains), phase)
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
    evaluator = panel.make_evidence_evaluator(case.dossier)
    counter_evidence = evaluator.filter_evidence_in_favour(response.evidence)
    dispute = Dispute(
        phase=case.submission.phase,
        claim=disputed.claim,
        domains=_list_domains(case, counter_evidence, evaluator),
        challenger=DisputePosition(
            case.submission.challenger,
            disputed.recommendation or "The claim is wrong.",
            disputed.evidence,
            disputed.confidence,
        ),
        challenged=DisputePosition(disputed.challenged, response.text, counter_evidence, response.confidence),
    )
    dossier, resolution = yield from settle_dispute(desk, case.dossier, dispute, panel=panel)
    case = replace(case, dossier=dossier, resolution=resolution, domains=dispute.domains)
    match resolution.side:
        case "CHALLENGER":
            return ChallengeEvent.FOR_CHALLENGER, case
        case "CHALLENGED":
            return ChallengeEvent.FOR_CHALLENGED, case
        case _:
            return ChallengeEvent.FOR_NEITHER, case


def _list_domains(
    case: _ChallengeProgress, counter_evidence: tuple[Evidence, ...], evaluator: EvidenceEvaluator
) -> tuple[Domain, ...]:
    """Return the domains of the dispute. The domain of a detected objection is known beforehand."""
    submission = case.submission
    evidence = {submission.challenge.challenged: counter_evidence}
    claim_domains = case.domains
    if submission.evidence_domain is None:
        evidence[submission.challenger] = submission.challenge.evidence
    elif submission.evidence_domain not in claim_domains:
        claim_domains = (*claim_domains, submission.evidence_domain)
    return list_dispute_domains(claim_domains, evidence, evaluator)


def _log_challenge(desk: AskDesk, case: _ChallengeProgress) -> tuple[Dossier, ChallengeOutcome]:
    """Add the challenge to both logs, and report its end to the parties."""
    record = _build_case(case)
    reason = case.resolution.reason if case.resolution is not None else case.refusal
    line = build_log_entry(record, case.response, reason)
    notices = build_challenger_notices(desk, record, case.response)
    dossier = replace(
        case.dossier,
        challenges=(*case.dossier.challenges, record),
        disagreements=(*case.dossier.disagreements, line),
    ).add_notices(notices)
    decision = case.resolution.decision if case.resolution is not None else None
    return dossier, ChallengeOutcome(case.state, record, _build_revision_notes(case), notices, decision)


def _build_case(case: _ChallengeProgress) -> ChallengeCase:
    submission, resolution, response = case.submission, case.resolution, case.response
    losing_position = _describe_losing_position(case)
    return ChallengeCase(
        phase=submission.phase,
        challenger=submission.challenger,
        challenge=submission.challenge,
        outcome=str(case.state),
        method=str(resolution.rung if resolution is not None else case.refusal or "response"),
        domains=case.domains,
        response=f"{response.answer}: {response.text}" if response is not None else "",
        losing_position=losing_position,
        losing_reason=resolution.reason if resolution is not None and losing_position else "",
        votes=dict(resolution.votes) if resolution is not None else {},
        vote_confidences=dict(resolution.vote_confidences) if resolution is not None else {},
        detected=submission.detected,
    )


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


def _build_revision_notes(case: _ChallengeProgress) -> tuple[AgentNote, ...]:
    if case.state not in REVISED:
        return ()
    submission, disputed = case.submission, case.submission.challenge
    challenge_text = format_challenge(disputed, submission.phase, case.domains)
    text = f"Revise the claim; the challenge ended {case.state}.\n{challenge_text}"
    answered = f" You answered: {case.response.text}" if case.response is not None else ""
    demand = RevisionDemand(
        submission.challenger,
        f"Revise the claim: {submission.challenger} challenged it, and the challenge ended {case.state}.{answered}",
        disputed.claim,
        evidence=" ".join(each.format_for_readers() for each in disputed.evidence),
        proposal=disputed.recommendation,
    )
    return (AgentNote(disputed.challenged, text, submission.phase, demand=demand),)
