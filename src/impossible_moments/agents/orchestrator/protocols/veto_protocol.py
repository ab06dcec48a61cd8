"""The veto protocol: a claim that breaks a law of physics or mathematics halts the scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.protocols import challenge_protocol as challenges
from impossible_moments.agents.orchestrator.protocols.disagreement_log import build_veto_log_entry
from impossible_moments.agents.orchestrator.protocols.dispute_panel import DisputePanel, add_private_notes
from impossible_moments.agents.orchestrator.protocols.escalation_protocol import (
    EscalationRequest,
    EscalationTrigger,
    escalate_to_human,
)
from impossible_moments.agents.orchestrator.protocols.revision_summary import summarize_revision
from impossible_moments.agents.orchestrator.protocols.veto_confirmation import (
    is_veto_confirmed,
    request_veto_confirmation,
)
from impossible_moments.agents.orchestrator.protocols.veto_notices import (
    VetoAudience,
    announce_end,
    announce_halt,
    select_veto_audience,
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
from impossible_moments.domain.dossier import AgentNote, Dossier, VetoCase
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
    CONFIRMED = "CONFIRMED"
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
    CONFIRMED = "CONFIRMED"
    UNCONFIRMED = "UNCONFIRMED"
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
    # 1.4: a veto that stands is confirmed unanimously by the relevant subset
    (VetoState.UNRESOLVED,     VetoEvent.CONFIRMED):     VetoState.CONFIRMED,
    (VetoState.UNRESOLVED,     VetoEvent.UNCONFIRMED):   VetoState.AWAITING_HUMAN,
    # if no revision helps: one redesign, then PX if it computes as PX, otherwise a human
    (VetoState.CONFIRMED,      VetoEvent.REDESIGN_LEFT): VetoState.RETURNED,
    (VetoState.CONFIRMED,      VetoEvent.FORBIDDEN):     VetoState.RECLASSIFIED,
    (VetoState.CONFIRMED,      VetoEvent.NO_WAY_LEFT):   VetoState.AWAITING_HUMAN,
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
    audience: VetoAudience
    state: VetoState = VetoState.RAISED
    reason: str = ""
    trigger: EscalationTrigger = EscalationTrigger.VETO
    defect: str = ""
    revision_summary: str = ""
    review_reason: str = ""
    confirmation: str = ""
    decision: HumanDecision | None = None


def resolve_veto(
    desk: AskDesk, dossier: Dossier, raised_veto: RaisedVeto, *, panel: DisputePanel
) -> Flow[tuple[Dossier, VetoOutcome]]:
    """Process a veto until it reaches a terminal state, and log it. The scenario is halted until then."""
    case = _VetoProgress(raised_veto, dossier, select_veto_audience(desk, raised_veto, panel))
    while case.state not in TERMINAL:
        match case.state:
            case VetoState.RAISED:
                event, case = _examine_veto(case, panel)
            case VetoState.REVISING:
                event, case = yield from _request_seed_revision(desk, case)
            case VetoState.REVIEWING:
                event, case = yield from _request_veto_review(desk, case)
            case VetoState.UNRESOLVED:
                event, case = yield from _confirm_veto(desk, case, panel)
            case VetoState.CONFIRMED:
                event, case = _choose_recourse_for_confirmed_veto(case, panel)
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
    """Return the most asks that a veto can take: revision, review, confirmation and a human, or a challenge."""
    return max(3 + len(panel.vetoers), challenges.compute_challenge_ask_limit(panel))


def _examine_veto(case: _VetoProgress, panel: DisputePanel) -> tuple[VetoEvent, _VetoProgress]:
    """Check the conditions of 1.4 and 4.2: the form, then the number, then whether it is correctable.

    A valid veto halts the scenario, and all agents are informed of the halt.
    """
    raised_veto = case.raised_veto
    defect = find_veto_defect(raised_veto, panel.make_evidence_evaluator(case.dossier), panel.vetoers)
    if defect is not None:
        return VetoEvent.INVALID, replace(case, reason=defect, defect=defect)
    case = replace(case, dossier=announce_halt(case.dossier, raised_veto, case.audience))
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
    summary = summarize_revision(before, seed)
    dossier = case.dossier.add_deliverable(raised_veto.phase, ATHENA, seed)
    case = replace(case, dossier=dossier, revision_summary=summary)
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
    case = replace(case, dossier=dossier, reason=word.reason, review_reason=word.reason)
    return (VetoEvent.SATISFIED if word.satisfied else VetoEvent.UNSATISFIED), case


def _confirm_veto(
    desk: AskDesk, case: _VetoProgress, panel: DisputePanel
) -> Flow[tuple[VetoEvent, _VetoProgress]]:
    """Ask the other agents with veto power that may read the matter whether the veto is right."""
    voters = tuple(agent for agent in case.audience.readers if agent in panel.vetoers)
    dossier, tally = yield from request_veto_confirmation(desk, case.dossier, case.raised_veto, voters)
    case = replace(case, dossier=dossier, confirmation=str(tally))
    if is_veto_confirmed(tally):
        return VetoEvent.CONFIRMED, case
    reason = f"the veto is not confirmed: {tally}; unsure: {', '.join(tally.unsure) or 'none'}"
    return VetoEvent.UNCONFIRMED, replace(case, reason=reason, trigger=EscalationTrigger.CONSENSUS)


def _choose_recourse_for_confirmed_veto(
    case: _VetoProgress, panel: DisputePanel
) -> tuple[VetoEvent, _VetoProgress]:
    if case.dossier.redesigns < panel.redesigns:
        return VetoEvent.REDESIGN_LEFT, case
    computed_status = panel.make_evidence_evaluator(case.dossier).status
    if case.dossier.brief.solution_status != "PX" and computed_status == "PX":
        return VetoEvent.FORBIDDEN, replace(case, reason="the mechanics compute as PX")
    return VetoEvent.NO_WAY_LEFT, case


def _ask_human_about_veto(desk: AskDesk, case: _VetoProgress) -> Flow[tuple[VetoEvent, _VetoProgress]]:
    raised_veto = case.raised_veto
    request = EscalationRequest(
        phase=raised_veto.phase,
        trigger=case.trigger,
        question=f"{raised_veto.raised_by} vetoes: {raised_veto.veto.claim} ({raised_veto.veto.law})",
        assessment=case.reason
        or "Neither a revision nor a redesign met the veto, and the mechanics do not compute as PX.",
        domain=get_veto_domain(raised_veto.raised_by),
        positions={raised_veto.raised_by: format_veto(raised_veto.veto), ATHENA: raised_veto.veto.claim},
        evidence={raised_veto.raised_by: raised_veto.veto.proof},
    )
    dossier, decision = yield from escalate_to_human(desk, case.dossier, request)
    case = replace(case, dossier=dossier, decision=decision, reason=decision.justification)
    if decision.option is Option.RESOLVE and decision.prevails == "CHALLENGER":
        return VetoEvent.REDESIGN, case  # the veto is right, so the scenario must change
    return VetoEvent[decision.option.name], case


def _log_veto(case: _VetoProgress) -> tuple[Dossier, VetoOutcome]:
    """Add the veto to both logs, and inform the agents of the end of the halt."""
    raised_veto, audience, dossier = case.raised_veto, case.audience, case.dossier
    if case.state is VetoState.DOWNGRADED:
        audience = VetoAudience((), ())  # an invalid veto halts nothing
    else:
        end = f"{case.state}: {case.reason or 'no revision met it'}"
        dossier = announce_end(dossier, raised_veto, audience, end, is_lifted=case.state is VetoState.LIFTED)
    record = VetoCase(
        phase=raised_veto.phase,
        raised_by=raised_veto.raised_by,
        veto=raised_veto.veto,
        outcome=str(case.state),
        defect=case.defect,
        revision_summary=case.revision_summary,
        review_reason=case.review_reason,
        confirmation=case.confirmation,
        end_reason=case.reason,
        informed_of_veto=audience.readers,
        informed_of_halt=audience.others,
    )
    line = build_veto_log_entry(record, is_decided_by_human=case.decision is not None)
    dossier = replace(dossier, vetoes=(*dossier.vetoes, record), disagreements=(*dossier.disagreements, line))
    return dossier, VetoOutcome(case.state, record, case.reason, decision=case.decision)
