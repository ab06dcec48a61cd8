"""Scripted runs: The Blast Room accepted, or waiting for a human."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from impossible_moments.agents.scripted_players import Player, build_scripted_player
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.vocabulary import SOCRATES, Phase
from impossible_moments.pipeline.clock import FixedClock
from impossible_moments.pipeline.performers import ScriptedPerformer
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.pipeline.publishing.generation_results import GenerationResult
from support.dossiers import BRIEF, make_full_dossier


@cache
def build_scripted_answers() -> dict[tuple[str, type[LabelledModel]], LabelledModel]:
    """Return the deliverables of each agent, by agent and kind."""
    return {
        (entry.author, type(entry.deliverable)): entry.deliverable
        for entry in make_full_dossier(Phase.DOCUMENT).entries
    }


def make_obliging_player() -> Player:
    """Make a player in which all five agents do everything well."""
    return build_scripted_player(build_scripted_answers())


def make_concerned_player() -> Player:
    """Make a player in which SOCRATES finds the scenario unethical, so that a human is asked."""
    report = build_scripted_answers()[SOCRATES, ClassificationReport]
    assert isinstance(report, ClassificationReport)
    failed = report.model_copy(update={"ethics": report.ethics.model_copy(update={"status": "FAIL"})})
    return build_scripted_player({**build_scripted_answers(), (SOCRATES, ClassificationReport): failed})


def run_scenario(
    folder: Path, player: Player, *, at: float = 0.0, scenario_id: str = "IM-0001"
) -> GenerationResult:
    """Run a scenario in a folder with a fixed clock and return the result."""
    brief: GenerationBrief = BRIEF.model_copy(update={"scenario_id": scenario_id})
    pipeline = Pipeline(output=folder, performer=ScriptedPerformer(player), clock=FixedClock(at))
    return pipeline.generate(brief)
