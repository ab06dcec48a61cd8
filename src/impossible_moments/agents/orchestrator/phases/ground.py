"""Phase 3: GALILEO grounds the scenario in research."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.context_status import policy_for
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.disputing import heard
from impossible_moments.agents.orchestrator.phases.further import further_reports
from impossible_moments.agents.orchestrator.phases.phase import PhaseSpec
from impossible_moments.agents.orchestrator.phases.validate import revised, validated
from impossible_moments.agents.orchestrator.rules import Rules
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, Phase


def ground(rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    """Ask for the grounding report and resolve its disputes.

    Pending revisions are made and validated first.
    """
    if dossier.notes_for(ATHENA):
        dossier = yield from revised(rules, dossier, Phase.VALIDATE)
    if any(dossier.notes_for(agent) for agent in (ATHENA, NEWTON, EULER)):
        # Validators may read the scenario in their own phase, but not in this one.
        dossier = yield from validated(rules, dossier, Phase.VALIDATE)
    task = policy_for(dossier.brief.solution_status).tasks[GALILEO]
    report = yield from rules.desk.ask(dossier, GALILEO, Phase.GROUND, "grounding", task, GroundingReport)
    dossier = dossier.file(Phase.GROUND, GALILEO, report).answered_by(GALILEO)
    dossier = yield from heard(rules, dossier, Phase.GROUND, {GALILEO: report})
    return (yield from further_reports(rules, dossier, Phase.GROUND))


GROUND = PhaseSpec(Phase.GROUND, ground)
