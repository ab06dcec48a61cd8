"""Metrics of finished scenarios, computed by replaying their ledgers without calling models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import track

from impossible_moments.agents import ScenarioMetric, measure_scenario
from impossible_moments.agents.orchestrator import Configuration, build_scenario_rules, load_configuration
from impossible_moments.agents.orchestrator.orchestrator import create_scenario
from impossible_moments.audit.documents import extract_essence
from impossible_moments.cli.actions.scenario_status import ScenarioStatus
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import Dossier
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger import FINISHED, AnsweredAsk, LedgerStore, list_answers
from impossible_moments.library import load_everyday_library
from impossible_moments.pipeline import replay_flow
from impossible_moments.scenarios import (
    AgentVersion,
    ComparedScenario,
    ScenarioRegistry,
    load_wordllama_embedder,
)


@dataclass(frozen=True, slots=True)
class ScenarioMetrics:
    """Metrics of a scenario, or the reason why they could not be computed."""

    metrics: tuple[ScenarioMetric, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _FinishedRun:
    """Finished scenario with its run time and start time."""

    standing: ScenarioStatus
    minutes: float | None
    first: float
    by_program: bool


def measure_finished_scenarios(
    store: LedgerStore, found: Sequence[ScenarioStatus], folder: Path, *, config: Path | None
) -> dict[str, ScenarioMetrics]:
    """Compute the metrics of every finished scenario. Return them by scenario ID."""
    runs = [_read_finished_run(store, each) for each in found if each.state in FINISHED]
    known = [run.minutes for run in runs if run.by_program and run.minutes is not None]
    usual = median(known) if known else None
    settings = load_configuration(config)
    progress = Console(stderr=True)
    shown = track(runs, "replaying", console=progress, transient=True) if progress.is_terminal else runs
    return {run.standing.scenario: _measure_scenario(store, run, folder, settings, usual) for run in shown}


def _read_finished_run(store: LedgerStore, standing: ScenarioStatus) -> _FinishedRun:
    answers: tuple[AnsweredAsk, ...] = tuple(
        store.read_and_wait(partial(list_answers, scenario=standing.scenario)).values()
    )
    if not answers:
        return _FinishedRun(standing, None, standing.row.enrolled_at, by_program=False)
    first, last = min(each.started_at for each in answers), max(each.answered_at for each in answers)
    # The run time of programs is compared with the median of all program runs.
    by_program = all(AgentVersion(model=each.model).is_program for each in answers)
    return _FinishedRun(standing, (last - first) / 60, first, by_program)


def _measure_scenario(
    store: LedgerStore, run: _FinishedRun, folder: Path, settings: Configuration, usual: float | None
) -> ScenarioMetrics:
    try:
        dossier = _rebuild_dossier_by_replay(store, run, folder, settings)
    except ImpossibleMomentsError as problem:
        return ScenarioMetrics(problem=str(problem))
    median_minutes = usual if run.by_program else None
    return ScenarioMetrics(measure_scenario(dossier, minutes=run.minutes, median_minutes=median_minutes))


def _rebuild_dossier_by_replay(
    store: LedgerStore, run: _FinishedRun, folder: Path, settings: Configuration
) -> Dossier:
    brief = GenerationBrief.model_validate_json(run.standing.row.brief)
    known = _load_earlier_essences(run, folder)
    rules = build_scenario_rules(
        settings,
        load_everyday_library(),
        load_wordllama_embedder(),
        registry=tuple(known.values()),
        taken=frozenset(known),
    )
    return replay_flow(store, run.standing.scenario, create_scenario(brief, rules)).dossier


def _load_earlier_essences(run: _FinishedRun, folder: Path) -> dict[str, ComparedScenario]:
    """Return the essences of scenarios published before this one was started, for the duplicate check."""
    return {
        name: extract_essence(name, path.read_text(encoding="utf-8"))
        for name, entry in ScenarioRegistry(folder).entries.items()
        if name != run.standing.scenario
        and _parse_creation_time(entry.stamps.created) + 1
        <= run.first  # time stamps are truncated to whole seconds
        and (path := folder / "public" / f"{name}.md").is_file()
    }


def _parse_creation_time(stamp: str) -> float:
    return datetime.fromisoformat(stamp).timestamp() if stamp else 0.0
