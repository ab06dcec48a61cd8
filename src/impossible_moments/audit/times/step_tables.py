"""Parser of step tables: duration and running time of each row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownTable, strip_emphasis
from impossible_moments.audit.times.durations import (
    HOUR,
    MINUTE,
    Duration,
    is_instant,
    is_parallel_duration,
    parse_duration,
)

_STEP: Final = re.compile(
    r"^(?:time(?:\s*(?:cost|needed|required|taken|\(.*\)))?|duration|step time|cost \(time\))\b",
    re.IGNORECASE,
)
_RUNNING_TIME_HEADER: Final = re.compile(r"cumulative|running|elapsed|total time", re.IGNORECASE)
TOTAL: Final = re.compile(
    r"\btotal(?:\s+(?!active|setup|construction|preparation|recovery|workshop|installation|curing|repair|signal|decision|initial|emergency|passive)"
    r"[a-z-]+)?(?:\s+time)?(?:\s+(?:needed|required|elapsed))?\s*(?::|\bis\b)",
    re.IGNORECASE,
)
"""Total of the whole plan. Totals of a part, such as `total setup time`, do not match."""
_PARALLEL_STEP: Final = re.compile(
    r"\W*(?:simultaneously|meanwhile|at the same time|in parallel|while|concurrently)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class TimeContradiction:
    """Contradiction between times."""

    line: int
    code: str
    what: str
    found: str
    expected: str


@dataclass(frozen=True, slots=True)
class TableStep:
    """Row of a step table."""

    line: int
    time: Duration | None
    text: str
    is_parallel: bool
    running: Duration | None
    running_text: str
    is_first: bool = True
    """False if the step number shows that the row continues another table."""


def parse_step_table(table: MarkdownTable) -> tuple[tuple[TableStep, ...], ...]:
    """Parse the steps of a table twice, with `0:45` in minutes and in hours.

    Return an empty tuple if the table is not a step table.
    """
    time_column, running_column = table.find_column(_STEP), table.find_column(_RUNNING_TIME_HEADER)
    if time_column == running_column:  # both are None, or one column matches both patterns
        return ()
    return tuple(_parse_steps(table, time_column, running_column, clock) for clock in (MINUTE, HOUR))


def _parse_steps(
    table: MarkdownTable, time: int | None, running_column: int | None, clock: float
) -> tuple[TableStep, ...]:
    found = []
    for row in table.rows:
        cell, sum_cell = table.get_cell(row, time), table.get_cell(row, running_column)
        if re.search(r"\btotal\b", strip_emphasis(row.cells[0]) if row.cells else "", re.IGNORECASE):
            continue
        is_parallel = (bool(cell) and is_parallel_duration(cell)) or any(
            _PARALLEL_STEP.match(strip_emphasis(each)) for each in row.cells
        )
        instant = Duration(0.0, 0.0, 0.0) if is_instant(cell) else None
        found.append(
            TableStep(
                row.number,
                parse_duration(cell, clock_unit=clock) or instant,
                cell,
                is_parallel,
                parse_duration(sum_cell, clock_unit=clock),
                sum_cell,
                not re.match(r"\W*(?:step\s*)?(?:[2-9]|\d\d)\b", row.cells[0], re.IGNORECASE),
            )
        )
    return tuple(found)


def add_durations(first: Duration, second: Duration) -> Duration:
    """Return the duration of two durations in sequence."""
    return Duration(
        first.low + second.low,
        first.high + second.high,
        max(first.half_step, second.half_step) if first.half_step else second.half_step,
        max(first.tolerance, second.tolerance),
    )


def has_duration_overlap(first: Duration, second: Duration) -> bool:
    """Return whether two duration ranges overlap within their precision and tolerance."""
    precision = max(first.half_step, second.half_step)
    tolerance = 0.10 if second.tolerance or first.tolerance else 0.05
    return (
        first.low <= second.high * (1 + tolerance) + precision
        and second.low <= first.high * (1 + tolerance) + precision
    )
