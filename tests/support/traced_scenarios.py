"""Published scenarios of the built-in cast with their traces and the ledgers of their runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from impossible_moments.agents.builtin.athena.offer_selection import list_reachable_targets
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import CATEGORIES, Category
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.pipeline.pipeline import Pipeline
from support.ledger_runs import LedgerRun, read_ledger_run

PER_CATEGORY: Final = 2
_FIRST_SEED: Final = 7


@dataclass(frozen=True)
class TracedScenario:
    """A published scenario, its methodology trace, and the run that led to it."""

    scenario: str
    category: Category
    trace: str
    run: LedgerRun


@cache
def select_briefs(category: Category | None = None) -> tuple[GenerationBrief, ...]:
    """Return briefs of one category or of all, with the statuses that were used least so far first."""
    used: Counter[str] = Counter()
    return tuple(
        brief for each in CATEGORIES for brief in _iterate_briefs(each, used) if category in {None, each}
    )


def _iterate_briefs(category: Category, used: Counter[str]) -> Iterator[GenerationBrief]:
    targets = [
        (status, tier)
        for each, status, tier in list_reachable_targets(load_builtin_cast().catalogue)
        if each == category
    ]
    statuses = sorted(dict.fromkeys(status for status, _ in targets), key=lambda status: used[status])
    used.update(statuses[:PER_CATEGORY])
    for number, status in enumerate(statuses):
        tiers = [tier for each, tier in targets if each == status]
        yield GenerationBrief(
            category=category,
            solution_status=status,
            difficulty_tier=tiers[number % len(tiers)],
            seed=_FIRST_SEED + number,
        )


def publish_scenarios(folder: Path, briefs: Iterable[GenerationBrief], *, most: int) -> list[TracedScenario]:
    """Create scenarios in a folder until `most` are published, and read their ledgers."""
    pipeline = Pipeline(output=folder)
    found: list[TracedScenario] = []
    for brief in briefs:
        if len(found) == most:
            break
        result = pipeline.generate(brief)
        if result.state is ScenarioState.ACCEPTED:
            run = read_ledger_run(folder, result.scenario_id)
            found.append(TracedScenario(result.scenario_id, brief.category, result.methodology_trace, run))
    return found
