"""Tables that lose no text on a narrow terminal: cells wrap or fold, and are never cut."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.table import Table

SHORT: Final = 18
"""Longest cell, in characters, that stays on one line."""
LEAST_TEXT: Final = 12
"""Least width of a column of longer texts."""


def create_table(
    *heads: str, whole: Collection[str] = (), right: Collection[str] = (), title: str | None = None
) -> Table:
    """Return an empty table without a frame.

    `whole` names columns of short cells that stay on one line, such as scenario IDs and figures. `right` names
    the columns that are aligned to the right.
    """
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for head in heads:
        table.add_column(
            head, justify="right" if head in right else "left", no_wrap=head in whole, overflow="fold"
        )
    return table


def choose_column_widths(heads: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> list[int | None]:
    """Return the width of each column of a table that is `room` characters wide. None means any width.

    Short cells stay on one line, longer ones share the rest, and headings wrap. If the table is still too wide, long
    words of headings fold, then the widest cells of several words wrap, and at last short words of headings fold.
    """
    columns = [_measure_column(head, [row[at] for row in rows]) for at, head in enumerate(heads)]
    room -= len(columns) - 1
    if sum(max(each.cell, each.head) for each in columns) <= room:
        return [None] * len(columns)
    wrapped = {at for at, each in enumerate(columns) if each.cell > SHORT}
    for at in sorted(range(len(columns)), key=lambda at: -columns[at].cell):
        if sum(_list_least_widths(columns, wrapped, SHORT)) <= room:
            break
        wrapped |= {at} if columns[at].cell_word < columns[at].cell else set()
    words = range(max(each.head_word for each in columns), 1, -1)
    longest = next((at for at in words if sum(_list_least_widths(columns, wrapped, at)) <= room), 1)
    widths = _list_least_widths(columns, wrapped, longest)
    return [None if at in wrapped else width for at, width in enumerate(widths)]


@dataclass(frozen=True, slots=True)
class _ColumnMeasures:
    """Widths of the heading and of the widest cell of a column, and of their longest words."""

    head: int
    head_word: int
    cell: int
    cell_word: int


def _measure_column(head: str, cells: Sequence[str]) -> _ColumnMeasures:
    words = [word for cell in cells for word in cell.split()]
    return _ColumnMeasures(
        head=cell_len(head),
        head_word=max(map(cell_len, head.split()), default=0),
        cell=max(map(cell_len, cells), default=0),
        cell_word=max(map(cell_len, words), default=0),
    )


def _list_least_widths(
    columns: Sequence[_ColumnMeasures], wrapped: Collection[int], longest: int
) -> list[int]:
    """Return the least width of each column if words of headings above `longest` characters fold."""
    return [
        max(min(each.cell_word, LEAST_TEXT) if at in wrapped else each.cell, min(each.head_word, longest))
        for at, each in enumerate(columns)
    ]
