"""Phase 4: SOCRATES classifies the scenario blind, with the same task for every status."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.context_status import BLIND_TASK
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.disputing import called_for
from impossible_moments.agents.orchestrator.phases.further import further_reports
from impossible_moments.agents.orchestrator.phases.phase import PhaseSpec
from impossible_moments.agents.orchestrator.rules import Rules
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import SOCRATES, Phase


def classify(rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    """Ask for the blind report.

    Its disputes wait for REFINE, because raising them now would reveal what is hidden. An escalation goes to
    a human at once, because humans may see everything.
    """
    report = yield from rules.desk.ask(
        dossier, SOCRATES, Phase.CLASSIFY, "classification", BLIND_TASK, ClassificationReport
    )
    dossier = dossier.file(Phase.CLASSIFY, SOCRATES, report)
    if report.escalation:
        dossier = yield from called_for(rules, dossier, Phase.CLASSIFY, SOCRATES, report.escalation)
    return (yield from further_reports(rules, dossier, Phase.CLASSIFY))


CLASSIFY = PhaseSpec(Phase.CLASSIFY, classify)
