"""Metrics of finished scenarios, computed by replaying their ledgers without calling models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from rich.progress import track

from impossible_moments.agents import ScenarioMetric, measure_scenario
from impossible_moments.agents.builtin import load_builtin_cast
from impossible_moments.agents.orchestrator import load_configuration
from impossible_moments.cli.actions.status.scenario_status import ScenarioStatus
from impossible_moments.cli.output.terminal import Console
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger import FINISHED, AnsweredAsk, LedgerStore, list_answers
from impossible_moments.library import load_everyday_library
from impossible_moments.pipeline import ScenarioSetup, build_recorded_flow, replay_flow
from impossible_moments.scenarios import AgentVersion, ScenarioRegistry
from impossible_moments.scenarios.similarity import load_wordllama_embedder


@dataclass(frozen=True, slots=True)
class ScenarioMetrics:
    """Metrics of a scenario, or the reason why they could not be computed."""

    metrics: tuple[ScenarioMetric, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _FinishedRun:
    """Finished scenario with its answers and its run time."""

    standing: ScenarioStatus
    answers: Mapping[str, AnsweredAsk]
    minutes: float | None
    by_program: bool


def measure_finished_scenarios(
    store: LedgerStore, found: Sequence[ScenarioStatus], folder: Path, *, config: Path | None
) -> dict[str, ScenarioMetrics]:
    """Compute the metrics of every finished scenario. Return them by scenario ID."""
    runs = [_read_finished_run(store, each) for each in found if each.state in FINISHED]
    known = [run.minutes for run in runs if run.by_program and run.minutes is not None]
    usual = median(known) if known else None
    stage = ScenarioSetup(
        load_configuration(config),
        load_everyday_library(),
        load_wordllama_embedder(),
        reader=load_builtin_cast().find_document_shortcoming,
    )
    registry = ScenarioRegistry(folder)
    progress = Console(stderr=True)
    shown = track(runs, "replaying", console=progress, transient=True) if progress.is_terminal else runs
    return {run.standing.scenario: _measure_scenario(store, run, registry, stage, usual) for run in shown}


def _read_finished_run(store: LedgerStore, standing: ScenarioStatus) -> _FinishedRun:
    answers = store.read_and_wait(partial(list_answers, scenario=standing.scenario))
    if not answers:
        return _FinishedRun(standing, answers, None, by_program=False)
    first = min(each.started_at for each in answers.values())
    last = max(each.answered_at for each in answers.values())
    # The run time of programs is compared with the median of all program runs.
    by_program = all(AgentVersion(model=each.model).is_program for each in answers.values())
    return _FinishedRun(standing, answers, (last - first) / 60, by_program)


def _measure_scenario(
    store: LedgerStore,
    run: _FinishedRun,
    registry: ScenarioRegistry,
    stage: ScenarioSetup,
    usual: float | None,
) -> ScenarioMetrics:
    try:
        flow = build_recorded_flow(store, registry, stage, run.standing.row, run.answers)
        dossier = replay_flow(store, run.standing.scenario, flow).dossier
    except ImpossibleMomentsError as problem:
        return ScenarioMetrics(problem=str(problem))
    median_minutes = usual if run.by_program else None
    return ScenarioMetrics(measure_scenario(dossier, minutes=run.minutes, median_minutes=median_minutes))
