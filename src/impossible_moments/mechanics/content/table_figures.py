"""Checks of the figures in the public text: prose and tables agree, and no row contradicts a stated bound."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.content.scenario_texts import (
    PublicText,
    TableRow,
    collect_stems,
    split_sentences,
)
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.prose import find_numerals

CLOSEST: Final = 0.8
"""Two figures are compared if the smaller is at least this part of the larger: else they are different things."""
FEWEST_LABEL_WORDS: Final = 2
_UNIT: Final = re.compile(r"\s?(%|°C|[A-Za-zµ]{1,4}(?:[/·][A-Za-zµ0-9²³()·]+)?[²³]?)(?![\w-])")
_NO_UNIT: Final = frozenset(
    "in at to of and or is by on as a an the for it he she we they you i men per with from that than".split()
)
_LEAST: Final = re.compile(
    r"\b(?:at least|the least|least that any|no less than|never less than|lowest|smallest)\b", re.IGNORECASE
)
_MOST: Final = re.compile(
    r"\b(?:at most|the most|most that any|no more than|never more than|highest|largest|greatest)\b",
    re.IGNORECASE,
)
_OF_ANY: Final = re.compile(
    r"\bany [a-z]+(?=$|:|[,;.]| (?:in|on|at|for|has|can|by|over)\b| [a-z]+s\b)", re.IGNORECASE
)
"""A bound on everything of a kind. `Of any clean one` is a bound on some of them only."""


@dataclass(frozen=True, slots=True)
class _Figure:
    """A number with its unit and the stems of the clause around it."""

    value: float
    unit: str
    stems: frozenset[str]
    text: str


def check_table_figures(text: PublicText, findings: Findings) -> None:
    """Report figures that differ between prose and table, and bounds that another row contradicts."""
    narrated = [
        figure for sentence in split_sentences(text.narrative) for figure in _find_single_figures(sentence)
    ]
    tabled = [(row, figure) for row in text.rows for figure in _find_row_figures(row)]
    values = {(figure.value, figure.unit) for _, figure in tabled}
    for figure in narrated:
        if (figure.value, figure.unit) in values:
            continue
        for row, other in tabled:
            if _is_about_row(figure, other, row) and _is_near(figure.value, other.value):
                findings.add(
                    "text.figure-differs",
                    f"/prose/{row.table}",
                    f"the narrative says {figure.value:g} {figure.unit} and the table {other.value:g} {other.unit} about what seems to be the same",
                    found=f"{figure.text} | {other.text}",
                    expected="one figure, printed from one quantity in both places",
                )
    _check_bounds(tabled, findings)


def _is_about_row(narrated: _Figure, tabled: _Figure, row: TableRow) -> bool:
    """Return whether a sentence has the unit of a figure in a table, all words of its label, and one of its cell."""
    label = collect_stems(row.label)
    return (
        narrated.unit == tabled.unit
        and len(label) >= FEWEST_LABEL_WORDS
        and label <= narrated.stems
        and (row.table != "objects" or bool((tabled.stems - label) & narrated.stems))
    )


def _find_single_figures(sentence: str) -> list[_Figure]:
    """Return the figures of a sentence that are the only ones with their unit in it."""
    found = list(_find_figures(sentence))
    return [figure for figure in found if sum(other.unit == figure.unit for other in found) == 1]


def _is_near(first: float, second: float) -> bool:
    low, high = sorted((abs(first), abs(second)))
    return low != high and high > 0 and low / high >= CLOSEST


def _check_bounds(tabled: list[tuple[TableRow, _Figure]], findings: Findings) -> None:
    for row, bound in tabled:
        side = (bool(_LEAST.search(bound.text)), bool(_MOST.search(bound.text)))
        if sum(side) != 1 or not _OF_ANY.search(row.label):
            continue
        for other_row, other in tabled:
            shared = bound.stems & other.stems
            is_beyond = other.value < bound.value if side[0] else other.value > bound.value
            if other_row is not row and other.unit == bound.unit and shared and is_beyond:
                findings.add(
                    "text.bound-broken",
                    f"/prose/{other_row.table}",
                    f"`{other_row.label}` has {other.value:g} {other.unit}, beyond the bound that `{row.label}` states",
                    found=f"{bound.text} | {other.text}",
                    expected="a bound that holds for every row, or words that say for which rows it holds",
                )


def _find_row_figures(row: TableRow) -> Iterator[_Figure]:
    for cell in row.cells:
        for figure in _find_figures(cell):
            stems = figure.stems | collect_stems(row.label)
            yield _Figure(figure.value, figure.unit, stems, f"{row.label}: {cell}")


def _find_figures(clause: str) -> Iterator[_Figure]:
    stems = collect_stems(re.sub(r"[\d.,]+", " ", clause))
    for numeral in find_numerals(clause):
        unit = _UNIT.match(clause, numeral.end)
        if numeral.value is not None and unit is not None and unit[1].lower() not in _NO_UNIT:
            yield _Figure(numeral.value, unit[1], stems, clause)
