"""Phase 4: SOCRATES classifies the scenario blind, with the same task for every status."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.context.status_policies import BLIND_TASK
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.additional_agent_reports import (
    collect_additional_agent_reports,
)
from impossible_moments.agents.orchestrator.phases.dispute_resolution import escalate_for_agent
from impossible_moments.agents.orchestrator.phases.phase_runner import PhaseSpec
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import SOCRATES, Phase


def run_classify_phase(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Ask for the blind report.

    Its disputes wait for REFINE, because raising them now would reveal what is hidden. An escalation goes to
    a human at once, because humans may see everything.
    """
    report = yield from rules.desk.ask_agent(
        dossier, SOCRATES, Phase.CLASSIFY, "classification", BLIND_TASK, ClassificationReport
    )
    dossier = dossier.add_deliverable(Phase.CLASSIFY, SOCRATES, report)
    if report.escalation:
        dossier = yield from escalate_for_agent(rules, dossier, Phase.CLASSIFY, SOCRATES, report.escalation)
    return (yield from collect_additional_agent_reports(rules, dossier, Phase.CLASSIFY))


CLASSIFY = PhaseSpec(Phase.CLASSIFY, run_classify_phase)
