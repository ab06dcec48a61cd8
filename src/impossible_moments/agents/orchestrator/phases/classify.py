"""Phase 4: SOCRATES classifies blind. What it is told is the same for every status."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.context_status import BLIND_TASK
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.phase import PhaseSpec
from impossible_moments.agents.orchestrator.rules import Rules
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import SOCRATES, Phase


def classify(rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    """Ask for the blind report. Disputes about it wait for REFINE: to raise one now would show what is hidden."""
    report = yield from rules.desk.ask(
        dossier, SOCRATES, Phase.CLASSIFY, "classification", BLIND_TASK, ClassificationReport
    )
    return dossier.file(Phase.CLASSIFY, SOCRATES, report)


CLASSIFY = PhaseSpec(Phase.CLASSIFY, classify)
