"""Resolution of what reports raise besides findings: vetoes, challenges, breakthroughs and escalations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from impossible_moments.agents.orchestrator.conflict_detector import find_conflicts
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.human_decisions import apply_human_decision
from impossible_moments.agents.orchestrator.protocols.breakthrough_proposal import BreakthroughProposal
from impossible_moments.agents.orchestrator.protocols.breakthrough_protocol import review_breakthrough
from impossible_moments.agents.orchestrator.protocols.challenge_protocol import (
    ChallengeOutcome,
    resolve_challenge,
)
from impossible_moments.agents.orchestrator.protocols.challenge_validity import ChallengeSubmission
from impossible_moments.agents.orchestrator.protocols.escalation_protocol import (
    EscalationRequest,
    EscalationTrigger,
    escalate_to_human,
)
from impossible_moments.agents.orchestrator.protocols.veto_protocol import VetoState, resolve_veto
from impossible_moments.agents.orchestrator.protocols.veto_validity import RaisedVeto, format_veto
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.agents.orchestrator.run_stops import (
    DiscardStop,
    ReclassificationStop,
    RedesignStop,
    SplitStop,
    format_reading,
)
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.disputes import Challenge, Veto
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ROLES, Phase

Report: TypeAlias = PhysicsReport | MathematicsReport | GroundingReport | ClassificationReport | ReviewMemo

_TURNS: Final = {
    VetoState.RETURNED: RedesignStop,
    VetoState.RECLASSIFIED: ReclassificationStop,
    VetoState.DISCARDED: DiscardStop,
    VetoState.ESCALATED: SplitStop,
}
"""The stop that follows from a veto which ends the phase."""

REVISING: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.SEED: (),
    Phase.VALIDATE: (ATHENA, NEWTON, EULER),
    Phase.GROUND: (ATHENA, NEWTON, EULER, GALILEO),
    Phase.CLASSIFY: (),
    Phase.REFINE: ROLES,
    Phase.DOCUMENT: (),
}
"""The agents that can revise their work in a phase after they lost a challenge."""


def resolve_disputes(
    rules: ScenarioRules, dossier: Dossier, phase: Phase, reports: dict[str, Report]
) -> Flow[Dossier]:
    """Resolve every dispute that reports raise, and every contradiction between deliverables.

    If a veto leads to a revision, the challenges of the same reports are about the version before it. They are logged,
    and their authors raise them again if they hold for the revised version.
    """
    notes: list[AgentNote] = []
    judged = dossier.find_latest_deliverable(SeedDocument)
    for author, report in reports.items():
        for raised_veto in _get_vetoes(report):
            dossier, new_notes = yield from _process_veto(
                rules, dossier, RaisedVeto(phase, author, raised_veto, report.confidence)
            )
            notes += new_notes
    is_revised = dossier.find_latest_deliverable(SeedDocument) is not judged
    for author, report in reports.items():
        for disputed in _get_challenges(report):
            dossier, new_notes = yield from _process_challenge(
                rules, dossier, ChallengeSubmission(phase, author, disputed, is_outdated=is_revised)
            )
            notes += new_notes
    if not is_revised:
        dossier, new_notes = yield from _process_contradictions(rules, dossier, phase)
        notes += new_notes
    for author, report in reports.items():
        proposal = getattr(report, "breakthrough", None)
        if proposal is not None:
            dossier, outcome = yield from review_breakthrough(
                rules.desk,
                dossier,
                BreakthroughProposal(phase, author, proposal),
                agents=rules.dispute_panel.agents,
            )
            if outcome.decision is not None:
                dossier = apply_human_decision(dossier, phase, outcome.decision)
        if report.escalation:
            dossier = yield from escalate_for_agent(rules, dossier, phase, author, report.escalation)
    return dossier.replace_notes((*dossier.notes, *notes))


def resolve_contradictions(rules: ScenarioRules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """Resolve every contradiction between the newest deliverables, such as after the readiness votes."""
    dossier, notes = yield from _process_contradictions(rules, dossier, phase)
    return dossier.replace_notes((*dossier.notes, *notes))


def _process_contradictions(
    rules: ScenarioRules, dossier: Dossier, phase: Phase
) -> Flow[tuple[Dossier, tuple[AgentNote, ...]]]:
    notes: list[AgentNote] = []
    for conflict in find_conflicts(dossier, rules.library):
        dossier, new_notes = yield from _process_challenge(rules, dossier, conflict.to_submission(phase))
        notes += new_notes
    return dossier, tuple(notes)


def _get_vetoes(report: Report) -> tuple[Veto, ...]:
    return getattr(report, "vetoes", ())


def _get_challenges(report: Report) -> tuple[Challenge, ...]:
    return report.challenges


def _process_veto(
    rules: ScenarioRules, dossier: Dossier, raised_veto: RaisedVeto
) -> Flow[tuple[Dossier, tuple[AgentNote, ...]]]:
    dossier, outcome = yield from resolve_veto(rules.desk, dossier, raised_veto, panel=rules.dispute_panel)
    if not outcome.lets_phase_continue:
        veto = raised_veto.veto
        readings = {
            raised_veto.raised_by: format_reading(format_veto(veto), veto.proof),
            ATHENA: format_reading(veto.claim),
        }
        raise _TURNS.get(outcome.state, DiscardStop)(
            dossier, raised_veto.phase, outcome.reason or veto.claim, readings
        )
    if outcome.challenge is None:
        return dossier, ()
    # The veto was invalid and was treated as a challenge.
    if outcome.challenge.decision is not None:
        dossier = apply_human_decision(dossier, raised_veto.phase, outcome.challenge.decision)
    return dossier, _mark_notes_with_owed_revision(outcome.challenge, raised_veto.phase)


def _process_challenge(
    rules: ScenarioRules, dossier: Dossier, submission: ChallengeSubmission
) -> Flow[tuple[Dossier, tuple[AgentNote, ...]]]:
    dossier, outcome = yield from resolve_challenge(
        rules.desk, dossier, submission, panel=rules.dispute_panel
    )
    if outcome.decision is not None:
        dossier = apply_human_decision(dossier, submission.phase, outcome.decision)
    return dossier, _mark_notes_with_owed_revision(outcome, submission.phase)


def _mark_notes_with_owed_revision(outcome: ChallengeOutcome, phase: Phase) -> tuple[AgentNote, ...]:
    """Return the notes to the parties of a challenge.

    The note to the losing agent is marked as owed if that agent can revise its work in this phase.
    """
    loser = outcome.case.challenge.challenged if outcome.needs_revision else None
    return tuple(
        replace(note, owed=True) if note.addressee == loser and loser in REVISING[phase] else note
        for note in outcome.notes
    )


def escalate_for_agent(
    rules: ScenarioRules, dossier: Dossier, phase: Phase, author: str, reason: str
) -> Flow[Dossier]:
    """Ask a human at the request of an agent, and apply the decision."""
    request = EscalationRequest(phase, EscalationTrigger.INVOKED, reason, f"{author} asks for a human")
    dossier, human = yield from escalate_to_human(rules.desk, dossier, request)
    return apply_human_decision(dossier, phase, human)
