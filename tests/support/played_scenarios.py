"""Whole runs played from a script: the Blast Room accepted, or halted at a human."""

from __future__ import annotations

from pathlib import Path

from impossible_moments.agents.scripted_players import Player, build_scripted_player
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.vocabulary import SOCRATES, Phase
from impossible_moments.pipeline.clock import FixedClock
from impossible_moments.pipeline.performers import ScriptedPerformer
from impossible_moments.pipeline.pipeline import GenerationResult, Pipeline
from support.dossiers import BRIEF, full_dossier

ANSWERS: dict[tuple[str, type[LabelledModel]], LabelledModel] = {
    (entry.author, type(entry.deliverable)): entry.deliverable
    for entry in full_dossier(Phase.DOCUMENT).entries
}


def obliging() -> Player:
    """Five agents who do everything well."""
    return build_scripted_player(ANSWERS)


def concerned() -> Player:
    """SOCRATES finds the scenario unethical, so that a human is asked."""
    report = ANSWERS[SOCRATES, ClassificationReport]
    assert isinstance(report, ClassificationReport)
    failed = report.model_copy(update={"ethics": report.ethics.model_copy(update={"status": "FAIL"})})
    return build_scripted_player({**ANSWERS, (SOCRATES, ClassificationReport): failed})


def played(
    folder: Path, player: Player, *, at: float = 0.0, scenario_id: str = "IM-0001"
) -> GenerationResult:
    """The result of a run in a folder, all of it at one moment."""
    brief: GenerationBrief = BRIEF.model_copy(update={"scenario_id": scenario_id})
    pipeline = Pipeline(output=folder, performer=ScriptedPerformer(player), clock=FixedClock(at))
    return pipeline.generate(brief)
