"""Check of object masses in tables against masses stated elsewhere in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument, MarkdownTable, strip_emphasis
from impossible_moments.audit.numbers.amounts import Amount, find_amounts, parse_amount_at
from impossible_moments.audit.numbers.equations import normalize_math_text
from impossible_moments.mechanics.language import MASS

TOLERANCE: Final = 0.05
LEAST_NAME: Final = 3
MOST_OBJECTS: Final = 300
"""Most table rows that are searched for in the text."""
_DIGIT: Final = re.compile(r"\d")
_MASS: Final = re.compile(r"^(?:mass|weight)$", re.IGNORECASE)
_SHARED: Final = re.compile(
    r"\b(?:each|both|two|three|four|five|six|total|combined|pair|together|per|plus|and|with|of|x\d)\b|\d",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MassDisagreement:
    """Quantity with two different values."""

    line: int
    what: str
    found: str
    expected: str


def find_mass_disagreements(document: MarkdownDocument) -> Iterator[MassDisagreement]:
    """Yield the lines that state a mass of an object different from its table."""
    mass_lines = tuple(_find_lines_stating_mass(document))
    left = MOST_OBJECTS
    for table in document.tables:
        at = table.find_column(_MASS)
        if at is not None and len(table.rows) <= left:
            left -= len(table.rows)
            yield from _check_table_masses(mass_lines, table, at)


@dataclass(frozen=True, slots=True)
class _MassLine:
    """Line that states at least one mass."""

    number: int
    text: str
    lowercase_text: str
    masses: tuple[Amount, ...]


def _find_lines_stating_mass(document: MarkdownDocument) -> Iterator[_MassLine]:
    for line in document.lines:
        if _DIGIT.search(line.text):
            text = normalize_math_text(line.text)
            masses = tuple(amount for amount in find_amounts(text) if amount.dimension == MASS)
            if masses:
                yield _MassLine(line.number, text, line.text.lower(), masses)


def _check_table_masses(
    mass_lines: tuple[_MassLine, ...], table: MarkdownTable, at: int
) -> Iterator[MassDisagreement]:
    names = [strip_emphasis(row.cells[0]).lower() for row in table.rows if row.cells]
    table_lines = {row.number for row in table.rows}
    for row in table.rows:
        name = re.sub(r"\(.*?\)", "", strip_emphasis(row.cells[0])).strip().lower() if row.cells else ""
        cell = normalize_math_text(table.get_cell(row, at))
        found = [amount for amount in find_amounts(cell) if amount.dimension == MASS]
        if (
            len(found) != 1
            or len(name) < LEAST_NAME
            or _SHARED.search(name)
            or re.search(r"each|total|with|per|empty|full|available|~", cell)
        ):
            continue
        if sum(1 for each in names if _get_head_noun(name) in each) > 1:
            continue  # several objects have this name, so it is unclear which one is meant
        for line in mass_lines:
            if line.number in table_lines or _get_head_noun(name) not in line.lowercase_text:
                continue
            again = _find_restated_mass(line, name)
            if again is not None and not _is_same_mass(found[0], again[0]):
                yield MassDisagreement(
                    line.number,
                    f"{name} has {cell} in the table (line {row.number}), but {again[1]} here",
                    again[1],
                    cell,
                )


def _get_head_noun(name: str) -> str:
    return name.rsplit(maxsplit=1)[-1]


def _find_restated_mass(line: _MassLine, name: str) -> tuple[Amount, str] | None:
    """Find a mass stated for a name, as in `the 15 kg table`, `table (15 kg)` or `table weighs 15 kg`.

    Return the mass and the matching text, or None.
    """
    text, word = line.text, re.escape(name)
    restated = re.search(
        rf"\b{word}\s*\((?:mass:? |~|about )?(?=[\d~])|\b{word}(?:'s)? (?:weighs|weighing|has a mass of|mass is|mass of) (?:about |approximately |~)?(?=[\d~])",
        text,
        re.IGNORECASE,
    )
    if restated is not None:
        amount = parse_amount_at(text, restated.end())
        if amount is not None and amount.dimension == MASS:
            return amount, text[restated.start() : amount.end]
    follows = re.compile(rf"[\s-](?!of )(?:\w+ )?{word}\b", re.IGNORECASE)
    for amount in line.masses:
        if follows.match(text, amount.end):
            before = text[max(0, amount.start - 12) : amount.start]
            if not re.search(r"[x×*/+=-]\s*$|\d\s*$", before):
                return amount, text[amount.start : amount.end + len(name) + 1]
    return None


def _is_same_mass(first: Amount, second: Amount) -> bool:
    low, high = first.si
    other_low, other_high = second.si
    tolerance = TOLERANCE * max(abs(high), abs(other_high)) + max(
        first.half_step * first.factor, second.half_step * second.factor
    )
    return low - tolerance <= other_high and other_low - tolerance <= high
