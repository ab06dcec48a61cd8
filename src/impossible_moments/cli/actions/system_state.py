"""System state of a folder: counts of scenarios by category, tier, status and state (specification 1.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from impossible_moments.cli.actions.scenario_status import ScenarioStatus
from impossible_moments.cli.output.tables import create_table
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS, parse_main_status
from impossible_moments.ledger import FINISHED
from impossible_moments.scenarios import ScenarioMetadata


@dataclass(frozen=True)
class StateCount:
    """The number of published scenarios of one kind, and of scenarios of that kind that are still in work."""

    kind: str
    value: str
    published: int
    in_work: int


@dataclass(frozen=True)
class SystemState:
    """Counts of the scenarios of a folder."""

    counts: tuple[StateCount, ...]
    """Counts by category, tier and status, without rows that are zero."""
    finished: int
    started: int

    @property
    def completion(self) -> float | None:
        """Share of started scenarios that are accepted or discarded, or None if none was started."""
        return self.finished / self.started if self.started else None

    def to_data(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        found: dict[str, Any] = {"category": {}, "tier": {}, "status": {}}
        for each in self.counts:
            found[each.kind][each.value] = {"published": each.published, "in_work": each.in_work}
        return {
            **found,
            "completion": {"finished": self.finished, "started": self.started, "share": self.completion},
        }


def compute_system_state(
    entries: Mapping[str, ScenarioMetadata], statuses: Sequence[ScenarioStatus]
) -> SystemState:
    """Count published scenarios by their metadata, and unfinished ones by their briefs."""
    briefs = [
        GenerationBrief.model_validate_json(each.row.brief)
        for each in statuses
        if each.state not in FINISHED and each.row.brief
    ]
    published = list(entries.values())
    rows = (
        ("category", CATEGORIES, [each.category for each in published], [each.category for each in briefs]),
        ("tier", TIERS, [each.tier for each in published], [each.difficulty_tier for each in briefs]),
        (
            "status",
            STATUSES,
            [parse_main_status(each.status) for each in published],
            [each.solution_status for each in briefs],
        ),
    )
    return SystemState(
        tuple(
            count for kind, values, done, open_ in rows for count in _count_values(kind, values, done, open_)
        ),
        sum(each.state in FINISHED for each in statuses),
        len(statuses),
    )


def _count_values(
    kind: str, values: Iterable[str], published: Iterable[str], in_work: Iterable[str]
) -> list[StateCount]:
    done, unfinished = Counter(published), Counter(in_work)
    return [
        StateCount(kind, value, done[value], unfinished[value])
        for value in values
        if done[value] or unfinished[value]
    ]


def print_system_state(console: Console, state: SystemState) -> None:
    """Print the counts as a table, with a line on completion."""
    if not state.counts:
        return
    table = create_table("by", "value", "published", "in work", whole=("by", "value"))
    for each in state.counts:
        table.add_row(each.kind, each.value, str(each.published), str(each.in_work))
    console.print()
    console.print(table)
    if state.completion is not None:
        console.print(
            f"{state.finished} of {state.started} started scenarios are finished ({state.completion:.0%})."
        )
