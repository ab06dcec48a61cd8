"""Total rows of tables against the sum of their column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.amounts import Amount, amounts
from impossible_moments.audit.calculations import tidied
from impossible_moments.audit.markdown import Document, Row, Table, plain

TOLERANCE: Final = 0.02
FEWEST: Final = 2
_TOTAL: Final = re.compile(r"^\W*(?:grand |sub)?(?:total|sum)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WrongTotal:
    """A total that is not the sum of what stands above it."""

    line: int
    what: str
    found: str
    expected: str


def wrong_totals(document: Document) -> Iterator[WrongTotal]:
    """All wrong totals of a document's tables."""
    for table in document.tables:
        for at, row in enumerate(table.rows):
            if row.cells and _TOTAL.match(plain(row.cells[0])) and at >= FEWEST:
                yield from _columns(table, table.rows[:at], row)


def _columns(table: Table, above: tuple[Row, ...], total: Row) -> Iterator[WrongTotal]:
    for at in range(1, len(total.cells)):
        printed = _only(total.cells[at])
        parts = [_only(table.cell(row, at)) for row in above]
        if printed is None or any(part is None for part in parts):
            continue
        known = [part for part in parts if part is not None]
        if any(part.dimension != printed.dimension for part in known):
            continue
        low, high = sum(part.si[0] for part in known), sum(part.si[1] for part in known)
        room = printed.half * printed.factor + sum(part.half * part.factor for part in known)
        room += max(TOLERANCE, printed.tolerance) * max(abs(low), abs(high))
        if printed.si[1] < low - room or printed.si[0] > high + room:
            right = f"{low / printed.factor:.6g} {printed.unit}".strip()
            yield WrongTotal(
                total.number,
                f"the column sums to {right}, and the total says {plain(total.cells[at])}",
                plain(total.cells[at]),
                right,
            )


def _only(cell: str) -> Amount | None:
    """The one amount of a cell that holds nothing else that counts."""
    found = list(amounts(tidied(cell)))
    return found[0] if len(found) == 1 and not re.search(r"[%/]|\bper\b|\beach\b", cell) else None
