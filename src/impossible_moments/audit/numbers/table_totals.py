"""Check of total rows of tables against the sum of their column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument, MarkdownTable, strip_emphasis
from impossible_moments.audit.numbers.amounts import Amount, find_amounts
from impossible_moments.audit.numbers.equations import normalize_math_text
from impossible_moments.mechanics.language import Dimension

TOLERANCE: Final = 0.02
FEWEST_ROWS: Final = 2
_TOTAL: Final = re.compile(r"^\W*(?:grand |sub)?(?:total|sum)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WrongTotal:
    """Total that differs from the sum of the rows above it."""

    line: int
    what: str
    found: str
    expected: str


@dataclass(slots=True)
class _ColumnSum:
    """Running sum of a column. `known` is false once a cell could not be parsed."""

    low: float = 0.0
    high: float = 0.0
    tolerance: float = 0.0
    known: bool = True
    dimension: Dimension | None = None

    def add(self, part: Amount | None) -> None:
        """Add the amount of a cell. None or a different dimension makes the sum unknown."""
        if part is None or (self.dimension is not None and part.dimension != self.dimension):
            self.known = False
            return
        self.dimension = part.dimension
        self.low += part.si[0]
        self.high += part.si[1]
        self.tolerance += part.half_step * part.factor

    def matches_total(self, total: Amount) -> bool:
        """Return whether a printed total agrees with this sum, or the sum is unknown."""
        if not self.known or self.dimension != total.dimension:
            return True
        tolerance = self.tolerance + total.half_step * total.factor
        tolerance += max(TOLERANCE, total.tolerance) * max(abs(self.low), abs(self.high))
        return self.low - tolerance <= total.si[1] and total.si[0] <= self.high + tolerance


def find_wrong_totals(document: MarkdownDocument) -> Iterator[WrongTotal]:
    """Yield all wrong totals of the tables of a document."""
    for table in document.tables:
        for column in range(1, len(table.header.cells)):
            yield from _check_column(table, column)


def _check_column(table: MarkdownTable, column: int) -> Iterator[WrongTotal]:
    """Yield the wrong totals of a column.

    A total may sum all rows above it, or the rows since the previous total, with or without that total.
    """
    sum_of_all, sum_since_total, sum_from_second = _ColumnSum(), _ColumnSum(), _ColumnSum()
    totals = 0
    for at, row in enumerate(table.rows):
        cell = _parse_single_amount(table.get_cell(row, column))
        if not row.cells or not _TOTAL.match(strip_emphasis(row.cells[0])):
            for each in (sum_of_all, sum_since_total, sum_from_second):
                each.add(cell)
            continue
        sums = (sum_of_all, sum_since_total, sum_from_second) if totals else (sum_of_all,)
        if at >= FEWEST_ROWS and cell is not None and not any(each.matches_total(cell) for each in sums):
            right = f"{sum_of_all.low / cell.factor:.6g} {cell.unit}".strip()
            printed = strip_emphasis(table.get_cell(row, column))
            yield WrongTotal(
                row.number, f"the column sums to {right}, but the stated total is {printed}", printed, right
            )
        totals += 1
        sum_since_total, sum_from_second = _ColumnSum(), _ColumnSum()
        sum_from_second.add(cell)


def _parse_single_amount(cell: str) -> Amount | None:
    """Return the amount of a cell that contains exactly one plain amount, or None."""
    found = list(find_amounts(normalize_math_text(cell)))
    return found[0] if len(found) == 1 and not re.search(r"[%/]|\bper\b|\beach\b", cell) else None
