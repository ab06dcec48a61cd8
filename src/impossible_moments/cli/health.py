"""Metrics of finished scenarios, computed by replaying their ledgers without calling models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from rich.console import Console
from rich.progress import track

from impossible_moments.agents.configuration import Configuration, configuration
from impossible_moments.agents.metrics import Metric, measured
from impossible_moments.agents.orchestrator.orchestrator import create_scenario
from impossible_moments.agents.orchestrator.rules import rules_for
from impossible_moments.audit.essence import essence_of
from impossible_moments.cli.standing import Standing
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import Dossier
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.knowledge.everyday import everyday
from impossible_moments.ledger.leases import FINISHED
from impossible_moments.ledger.ledger import Answer, answers_of
from impossible_moments.ledger.store import Store
from impossible_moments.runtime.replay import replay
from impossible_moments.scenarios.embedding import wordllama_embedder
from impossible_moments.scenarios.registry import Registry
from impossible_moments.scenarios.similarity import Essence

PROGRAMS: Final = frozenset({"builtin"})
"""Models that are programs. Their run time is compared with the median of all program runs."""


@dataclass(frozen=True, slots=True)
class Health:
    """Metrics of a scenario, or the reason why they could not be computed."""

    metrics: tuple[Metric, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Run:
    """Finished scenario with its run time and start time."""

    standing: Standing
    minutes: float | None
    first: float
    by_program: bool


def healths(
    store: Store, found: Sequence[Standing], folder: Path, *, config: Path | None
) -> dict[str, Health]:
    """Compute the metrics of every finished scenario. Return them by scenario ID."""
    runs = [_run(store, each) for each in found if each.state in FINISHED]
    known = [run.minutes for run in runs if run.by_program and run.minutes is not None]
    usual = median(known) if known else None
    settings = configuration(config)
    progress = Console(stderr=True)
    shown = track(runs, "replaying", console=progress, transient=True) if progress.is_terminal else runs
    return {run.standing.scenario: _health(store, run, folder, settings, usual) for run in shown}


def _run(store: Store, standing: Standing) -> _Run:
    answers: tuple[Answer, ...] = tuple(
        store.read_now(partial(answers_of, scenario=standing.scenario)).values()
    )
    if not answers:
        return _Run(standing, None, standing.row.enrolled_at, by_program=False)
    first, last = min(each.started_at for each in answers), max(each.answered_at for each in answers)
    return _Run(standing, (last - first) / 60, first, all(each.model in PROGRAMS for each in answers))


def _health(store: Store, run: _Run, folder: Path, settings: Configuration, usual: float | None) -> Health:
    try:
        dossier = _dossier(store, run, folder, settings)
    except ImpossibleMomentsError as problem:
        return Health(problem=str(problem))
    median_minutes = usual if run.by_program else None
    return Health(measured(dossier, minutes=run.minutes, median_minutes=median_minutes))


def _dossier(store: Store, run: _Run, folder: Path, settings: Configuration) -> Dossier:
    brief = GenerationBrief.model_validate_json(run.standing.row.brief)
    known = _published_before(run, folder)
    rules = rules_for(
        settings,
        everyday(),
        wordllama_embedder(),
        registry=tuple(known.values()),
        taken=frozenset(known),
    )
    return replay(store, run.standing.scenario, create_scenario(brief, rules)).dossier


def _published_before(run: _Run, folder: Path) -> dict[str, Essence]:
    """Return the essences of scenarios published before this one was started, for the duplicate check."""
    return {
        name: essence_of(name, path.read_text(encoding="utf-8"))
        for name, entry in Registry(folder).entries.items()
        if name != run.standing.scenario
        and _created(entry.stamps.created) + 1 <= run.first  # time stamps are truncated to whole seconds
        and (path := folder / "public" / f"{name}.md").is_file()
    }


def _created(stamp: str) -> float:
    return datetime.fromisoformat(stamp).timestamp() if stamp else 0.0
