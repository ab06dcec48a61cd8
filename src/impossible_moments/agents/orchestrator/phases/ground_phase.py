"""Phase 3: GALILEO grounds the scenario in research."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.context.status_policies import get_status_policy
from impossible_moments.agents.orchestrator.flow import Flow, add_computed_figures, request_answer
from impossible_moments.agents.orchestrator.gates.grounding_context import build_grounding_context
from impossible_moments.agents.orchestrator.phases.additional_agent_reports import (
    collect_additional_agent_reports,
)
from impossible_moments.agents.orchestrator.phases.dispute_resolution import resolve_disputes
from impossible_moments.agents.orchestrator.phases.phase_runner import PhaseSpec
from impossible_moments.agents.orchestrator.phases.validate_phase import request_revision, run_validation
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, Phase


def run_ground_phase(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Ask for the grounding report and resolve its disputes.

    Pending revisions are made and validated first.
    """
    if dossier.list_notes_for(ATHENA):
        dossier = yield from request_revision(rules, dossier, Phase.VALIDATE)
    if any(dossier.list_notes_for(agent) for agent in (ATHENA, NEWTON, EULER)):
        # Validators may read the scenario in their own phase, but not in this one.
        dossier = yield from run_validation(rules, dossier, Phase.VALIDATE)
    report = yield from request_grounding_report(rules, dossier, Phase.GROUND)
    dossier = dossier.add_deliverable(Phase.GROUND, GALILEO, report).clear_owed_revisions(GALILEO)
    dossier = yield from resolve_disputes(rules, dossier, Phase.GROUND, {GALILEO: report})
    return (yield from collect_additional_agent_reports(rules, dossier, Phase.GROUND))


def request_grounding_report(rules: ScenarioRules, dossier: Dossier, phase: Phase) -> Flow[GroundingReport]:
    """Ask GALILEO for the grounding report, with the nearest existing scenarios and the rubric of the status."""
    task = get_status_policy(dossier.brief.solution_status).tasks[GALILEO]
    question = rules.desk.build_ask(dossier, GALILEO, phase, "grounding", task, GroundingReport)
    figures = build_grounding_context(dossier, rules.gate_resources)
    return (yield from request_answer(add_computed_figures(question, figures), GroundingReport))


GROUND = PhaseSpec(Phase.GROUND, run_ground_phase)
