"""Parser of step tables: duration and running time of each row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.durations import HOUR, MINUTE, Duration, duration_of, is_instant, runs_beside
from impossible_moments.audit.markdown import Table, plain

_STEP: Final = re.compile(
    r"^(?:time(?:\s*(?:cost|needed|required|taken|\(.*\)))?|duration|step time|cost \(time\))\b",
    re.IGNORECASE,
)
_RUNNING: Final = re.compile(r"cumulative|running|elapsed|total time", re.IGNORECASE)
TOTAL: Final = re.compile(
    r"\btotal(?:\s+(?!active|setup|construction|preparation|recovery|workshop|installation|curing|repair|signal|decision|initial|emergency|passive)"
    r"[a-z-]+)?(?:\s+time)?(?:\s+(?:needed|required|elapsed))?\s*(?::|\bis\b)",
    re.IGNORECASE,
)
"""Total of the whole plan. Totals of a part, such as `total setup time`, do not match."""
_MEANWHILE: Final = re.compile(
    r"\W*(?:simultaneously|meanwhile|at the same time|in parallel|while|concurrently)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Slip:
    """Contradiction between times."""

    line: int
    code: str
    what: str
    found: str
    expected: str


@dataclass(frozen=True, slots=True)
class Step:
    """Row of a step table."""

    line: int
    time: Duration | None
    text: str
    beside: bool
    running: Duration | None
    running_text: str
    is_first: bool = True
    """False if the step number shows that the row continues another table."""


def readings(table: Table) -> tuple[tuple[Step, ...], ...]:
    """Parse the steps of a table twice, with `0:45` in minutes and in hours.

    Return an empty tuple if the table is not a step table.
    """
    time, running = table.column(_STEP), table.column(_RUNNING)
    if time == running:  # both are None, or one column matches both patterns
        return ()
    return tuple(_read(table, time, running, clock) for clock in (MINUTE, HOUR))


def _read(table: Table, time: int | None, running: int | None, clock: float) -> tuple[Step, ...]:
    found = []
    for row in table.rows:
        cell, sum_cell = table.cell(row, time), table.cell(row, running)
        if re.search(r"\btotal\b", plain(row.cells[0]) if row.cells else "", re.IGNORECASE):
            continue
        beside = (bool(cell) and runs_beside(cell)) or any(
            _MEANWHILE.match(plain(each)) for each in row.cells
        )
        instant = Duration(0.0, 0.0, 0.0) if is_instant(cell) else None
        found.append(
            Step(
                row.number,
                duration_of(cell, clock_unit=clock) or instant,
                cell,
                beside,
                duration_of(sum_cell, clock_unit=clock),
                sum_cell,
                not re.match(r"\W*(?:step\s*)?(?:[2-9]|\d\d)\b", row.cells[0], re.IGNORECASE),
            )
        )
    return tuple(found)


def plus(first: Duration, second: Duration) -> Duration:
    """Return the duration of two durations in sequence."""
    return Duration(
        first.low + second.low,
        first.high + second.high,
        max(first.half, second.half) if first.half else second.half,
        max(first.tolerance, second.tolerance),
    )


def overlaps(first: Duration, second: Duration) -> bool:
    """Return whether two duration ranges overlap within their precision and tolerance."""
    room = max(first.half, second.half)
    tolerance = 0.10 if second.tolerance or first.tolerance else 0.05
    return (
        first.low <= second.high * (1 + tolerance) + room
        and second.low <= first.high * (1 + tolerance) + room
    )
