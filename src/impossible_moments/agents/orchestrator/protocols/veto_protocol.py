"""The veto protocol: a claim that breaks a law of physics or mathematics halts the scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import EvidenceEvaluator
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols import challenge_protocol as challenges
from impossible_moments.agents.orchestrator.protocols.dispute_panel import DisputePanel, add_private_notes
from impossible_moments.agents.orchestrator.protocols.escalation_protocol import (
    EscalationRequest,
    EscalationTrigger,
    escalate_to_human,
)
from impossible_moments.agents.orchestrator.protocols.veto_validity import (
    DOWNGRADED,
    RaisedVeto,
    convert_invalid_veto_to_challenge,
    find_veto_defect,
    format_veto,
    get_veto_domain,
    has_reached_veto_limit,
)
from impossible_moments.domain.disputes import HumanDecision, Option, VetoReview
from impossible_moments.domain.dossier import AgentNote, DisagreementLogEntry, Dossier, VetoCase
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA


class VetoState(StrEnum):
    """The states of a veto."""

    RAISED = "RAISED"
    DOWNGRADED = DOWNGRADED
    REVISING = "REVISING"
    REVIEWING = "REVIEWING"
    LIFTED = "LIFTED"
    UNRESOLVED = "UNRESOLVED"
    RETURNED = "RETURNED"
    RECLASSIFIED = "RECLASSIFIED"
    AWAITING_HUMAN = "AWAITING_HUMAN"
    DISCARDED = "DISCARDED"
    ESCALATED = "ESCALATED"


class VetoEvent(StrEnum):
    """The events that change the state of a veto."""

    INVALID = "INVALID"
    TOO_MANY = "TOO_MANY"
    CORRECTABLE = "CORRECTABLE"
    FUNDAMENTAL = "FUNDAMENTAL"
    ANSWERED = "ANSWERED"
    UNANSWERED = "UNANSWERED"
    SATISFIED = "SATISFIED"
    UNSATISFIED = "UNSATISFIED"
    REDESIGN_LEFT = "REDESIGN_LEFT"
    FORBIDDEN = "FORBIDDEN"
    NO_WAY_LEFT = "NO_WAY_LEFT"
    RESOLVE = "RESOLVE"
    REDESIGN = "REDESIGN"
    DISCARD = "DISCARD"
    SPLIT = "SPLIT"


# fmt: off
TRANSITIONS: Final[Mapping[tuple[VetoState, VetoEvent], VetoState]] = {
    # 4.2, constraints
    (VetoState.RAISED,         VetoEvent.INVALID):       VetoState.DOWNGRADED,
    (VetoState.RAISED,         VetoEvent.TOO_MANY):      VetoState.AWAITING_HUMAN,
    # 4.2, step 3: a corrective revision is possible
    (VetoState.RAISED,         VetoEvent.CORRECTABLE):   VetoState.REVISING,
    (VetoState.REVISING,       VetoEvent.ANSWERED):      VetoState.REVIEWING,
    (VetoState.REVISING,       VetoEvent.UNANSWERED):    VetoState.UNRESOLVED,
    (VetoState.REVIEWING,      VetoEvent.SATISFIED):     VetoState.LIFTED,
    (VetoState.REVIEWING,      VetoEvent.UNSATISFIED):   VetoState.UNRESOLVED,
    # 4.2, step 4: the scenario is fundamentally flawed
    (VetoState.RAISED,         VetoEvent.FUNDAMENTAL):   VetoState.UNRESOLVED,
    # if no revision helps: one redesign, then PX if it computes as PX, otherwise a human
    (VetoState.UNRESOLVED,     VetoEvent.REDESIGN_LEFT): VetoState.RETURNED,
    (VetoState.UNRESOLVED,     VetoEvent.FORBIDDEN):     VetoState.RECLASSIFIED,
    (VetoState.UNRESOLVED,     VetoEvent.NO_WAY_LEFT):   VetoState.AWAITING_HUMAN,
    # 4.3, step 3: a human lets the scenario continue, or does not
    (VetoState.AWAITING_HUMAN, VetoEvent.RESOLVE):       VetoState.LIFTED,
    (VetoState.AWAITING_HUMAN, VetoEvent.REDESIGN):      VetoState.RETURNED,
    (VetoState.AWAITING_HUMAN, VetoEvent.DISCARD):       VetoState.DISCARDED,
    (VetoState.AWAITING_HUMAN, VetoEvent.SPLIT):         VetoState.ESCALATED,
}
# fmt: on
TERMINAL: Final = frozenset(VetoState) - {state for state, _ in TRANSITIONS}
CONTINUING_STATES: Final = frozenset({VetoState.LIFTED, VetoState.DOWNGRADED})
"""The final states after which the phase continues. RETURNED and RECLASSIFIED lead back to SEED and to
VALIDATE. The caller counts the redesign."""


@dataclass(frozen=True, slots=True)
class VetoOutcome:
    """The outcome of a veto."""

    state: VetoState
    case: VetoCase
    reason: str = ""
    challenge: challenges.ChallengeOutcome | None = None
    """The outcome of the challenge that the veto was downgraded to."""
    decision: HumanDecision | None = None

    @property
    def lets_phase_continue(self) -> bool:
        """Whether the phase may continue."""
        return self.state in CONTINUING_STATES


@dataclass(frozen=True, slots=True)
class _VetoProgress:
    raised_veto: RaisedVeto
    dossier: Dossier
    state: VetoState = VetoState.RAISED
    reason: str = ""
    trigger: EscalationTrigger = EscalationTrigger.VETO
    decision: HumanDecision | None = None


def resolve_veto(
    desk: AskDesk, dossier: Dossier, raised_veto: RaisedVeto, *, panel: DisputePanel
) -> Flow[tuple[Dossier, VetoOutcome]]:
    """Process a veto until it reaches a terminal state, and log it. The scenario is halted until then."""
    case = _VetoProgress(raised_veto, dossier)
    while case.state not in TERMINAL:
        match case.state:
            case VetoState.RAISED:
                event, case = _examine_veto(case, panel)
            case VetoState.REVISING:
                event, case = yield from _request_seed_revision(desk, case)
            case VetoState.REVIEWING:
                event, case = yield from _request_veto_review(desk, case)
            case VetoState.UNRESOLVED:
                event, case = _choose_recourse_for_unresolved_veto(case, panel)
            case _:
                event, case = yield from _ask_human_about_veto(desk, case)
        case = replace(case, state=TRANSITIONS[case.state, event])
    dossier, outcome = _log_veto(case)
    if case.state is not VetoState.DOWNGRADED:
        return dossier, outcome
    # 4.2: a veto without proof is downgraded to a challenge.
    dossier, challenged = yield from challenges.resolve_challenge(
        desk, dossier, convert_invalid_veto_to_challenge(raised_veto), panel=panel
    )
    return dossier, replace(outcome, challenge=challenged)


def compute_veto_ask_limit(panel: DisputePanel) -> int:
    """Return the most asks that a veto can take: revision, review and a human, or a challenge."""
    return max(3, challenges.compute_challenge_ask_limit(panel))


def _examine_veto(case: _VetoProgress, panel: DisputePanel) -> tuple[VetoEvent, _VetoProgress]:
    """Check the conditions of 1.4 and 4.2: the form, then the number, then whether it is correctable."""
    raised_veto = case.raised_veto
    reason = find_veto_defect(raised_veto, panel.make_evidence_evaluator(case.dossier), panel.vetoers)
    if reason is not None:
        return VetoEvent.INVALID, replace(case, reason=reason)
    if has_reached_veto_limit(case.dossier, raised_veto.raised_by, panel.vetoes_per_agent):
        reason = f"{raised_veto.raised_by} has used its vetoes"
        return VetoEvent.TOO_MANY, replace(case, reason=reason, trigger=EscalationTrigger.VETO_LIMIT)
    return (VetoEvent.CORRECTABLE if raised_veto.veto.correctable else VetoEvent.FUNDAMENTAL), case


def _request_seed_revision(desk: AskDesk, case: _VetoProgress) -> Flow[tuple[VetoEvent, _VetoProgress]]:
    """Ask ATHENA for one revision of the seed. An unchanged seed does not count as one."""
    raised_veto = case.raised_veto
    note = AgentNote(ATHENA, format_veto(raised_veto.veto), raised_veto.phase)
    task = "A veto halts the scenario; your notes say what it violates. Revise the seed so that it no longer does."
    before = case.dossier.find_latest_deliverable(SeedDocument)
    seed = yield from desk.ask_agent(
        add_private_notes(case.dossier, note), ATHENA, raised_veto.phase, "revision", task, SeedDocument
    )
    case = replace(case, dossier=case.dossier.add_deliverable(raised_veto.phase, ATHENA, seed))
    return (VetoEvent.UNANSWERED if seed == before else VetoEvent.ANSWERED), case


def _request_veto_review(desk: AskDesk, case: _VetoProgress) -> Flow[tuple[VetoEvent, _VetoProgress]]:
    """Ask the agent that raised the veto whether it lifts it. No other agent can."""
    raised_veto = case.raised_veto
    note = AgentNote(raised_veto.raised_by, format_veto(raised_veto.veto), raised_veto.phase)
    task = "ATHENA revised the seed to meet your veto. Say whether you are satisfied."
    word = yield from desk.ask_agent(
        add_private_notes(case.dossier, note),
        raised_veto.raised_by,
        raised_veto.phase,
        "veto-review",
        task,
        VetoReview,
    )
    dossier = case.dossier.add_deliverable(raised_veto.phase, raised_veto.raised_by, word)
    case = replace(case, dossier=dossier, reason=word.reason)
    return (VetoEvent.SATISFIED if word.satisfied else VetoEvent.UNSATISFIED), case


def _choose_recourse_for_unresolved_veto(
    case: _VetoProgress, panel: DisputePanel
) -> tuple[VetoEvent, _VetoProgress]:
    if case.dossier.redesigns < panel.redesigns:
        return VetoEvent.REDESIGN_LEFT, case
    if case.dossier.brief.solution_status != "PX" and _is_computed_paradox(
        panel.make_evidence_evaluator(case.dossier)
    ):
        return VetoEvent.FORBIDDEN, replace(case, reason="the mechanics compute as PX")
    return VetoEvent.NO_WAY_LEFT, case


def _is_computed_paradox(evaluator: EvidenceEvaluator) -> bool:
    return evaluator.status == "PX"


def _ask_human_about_veto(desk: AskDesk, case: _VetoProgress) -> Flow[tuple[VetoEvent, _VetoProgress]]:
    raised_veto = case.raised_veto
    request = EscalationRequest(
        phase=raised_veto.phase,
        trigger=case.trigger,
        question=f"{raised_veto.raised_by} vetoes: {raised_veto.veto.claim} ({raised_veto.veto.law})",
        assessment=case.reason
        or "Neither a revision nor a redesign met the veto, and the mechanics do not compute as PX.",
        domain=get_veto_domain(raised_veto.raised_by),
        positions={raised_veto.raised_by: format_veto(raised_veto.veto)},
        evidence={raised_veto.raised_by: raised_veto.veto.proof},
    )
    dossier, decision = yield from escalate_to_human(desk, case.dossier, request)
    case = replace(case, dossier=dossier, decision=decision, reason=decision.justification)
    if decision.option is Option.RESOLVE and decision.prevails == "CHALLENGER":
        return VetoEvent.REDESIGN, case  # the veto is right, so the scenario must change
    return VetoEvent[decision.option.name], case


def _log_veto(case: _VetoProgress) -> tuple[Dossier, VetoOutcome]:
    raised_veto = case.raised_veto
    record = VetoCase(raised_veto.phase, raised_veto.raised_by, raised_veto.veto, str(case.state))
    line = DisagreementLogEntry(
        topic=raised_veto.veto.claim,
        agents=(raised_veto.raised_by, ATHENA),
        method="human escalation" if case.decision is not None else "veto",
        outcome=str(case.state),
        kind="veto",
    )
    dossier = replace(
        case.dossier,
        vetoes=(*case.dossier.vetoes, record),
        disagreements=(*case.dossier.disagreements, line),
    )
    return dossier, VetoOutcome(case.state, record, case.reason, decision=case.decision)
