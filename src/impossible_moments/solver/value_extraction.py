"""Extraction of numbers and facts from a public text, by the wordings that scenarios use for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Final

from impossible_moments.blueprints import ScenarioTables
from impossible_moments.mechanics.language import UnitError, normalize_printed_unit, parse_unit
from impossible_moments.mechanics.numbers import WORDING_NUMBER, parse_number_with_power_of_ten
from impossible_moments.mechanics.prose import (
    AnyTemplatePiece,
    PlainText,
    SaidNumber,
    ShownValue,
    ThingLabel,
    find_numerals,
    parse_template,
)
from impossible_moments.solver.public_text import PublicText, normalize_whitespace

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?![^{]*\})")
_MEASURE: Final = rf"({WORDING_NUMBER}(?:\s?[^\s|;,.]{{1,16}})?)"
"""A printed number followed by its unit."""
_COUNT: Final = (
    rf"({WORDING_NUMBER}|[a-z]+(?:-[a-z]+)?(?: (?:hundred|thousand|million|and)(?: [a-z]+(?:-[a-z]+)?)?)*?)"
)
_PRINTED_SPELLINGS: Final = (("−", "-"), ("knots", "knot"), ("miles", "mile"))
FEWEST_LETTERS: Final = 4
DIFFERENT: Final = 0.02
_COUNTED: Final = frozenset({"plain", "words"})


@dataclass
class ExtractedValues:
    """Values extracted from a text, in SI units and indexed by name, with the contradictions found."""

    values: dict[str, float] = field(default_factory=dict)
    contradictions: list[str] = field(default_factory=list)
    matched_wordings: int = 0
    """The number of wordings that occur in the text."""
    missed_wordings: int = 0

    def add_value(self, name: str, value: float) -> None:
        """Store a value, and record a contradiction if an earlier value differs from it."""
        known = self.values.setdefault(name, value)
        if abs(known - value) > DIFFERENT * max(abs(known), abs(value)):
            self.contradictions.append(name)


def extract_values(
    text: PublicText, prose: Mapping[str, str], tables: ScenarioTables, labels: Mapping[str, str]
) -> ExtractedValues:
    """Extract values from a text by the wordings of a known situation.

    `prose` and `tables` hold the wordings as templates. `labels` maps the things of the situation to their
    labels.
    """
    reading = ExtractedValues()
    for name, found in text.parts.items():
        earlier: Counter[str] = Counter()
        for sentence in _split_sentences(prose.get(name, "")):
            if _is_distinctive(sentence):
                pattern, _ = _compile_wording(sentence)
                _extract_values_by_wording(sentence, found, reading, earlier=earlier[pattern.pattern])
                earlier[pattern.pattern] += 1
    for head, template in (*tables.environment, *tables.capabilities):
        _extract_values_from_table_row(_insert_labels(head, labels), (template,), text, reading)
    for row in tables.objects:
        _extract_values_from_table_row(
            _insert_labels(row.label, labels), (row.mass, row.size, "", row.notes), text, reading
        )
    return reading


def _insert_labels(head: str, labels: Mapping[str, str]) -> str:
    return "".join(
        labels.get(piece.thing, "") if isinstance(piece, ThingLabel) else piece.raw
        for piece in parse_template(head)
    )


def _split_sentences(template: str) -> Iterator[str]:
    yield from (part for part in _SENTENCE.split(normalize_whitespace(template)) if part)


def _is_distinctive(sentence: str) -> bool:
    """Return whether a sentence has enough words to be recognised: `6 g, 4 g.` could be about anything."""
    words = (piece.raw for piece in parse_template(sentence) if isinstance(piece, PlainText))
    return sum(letter.isalpha() for part in words for letter in part) >= FEWEST_LETTERS


def _extract_values_from_table_row(
    head: str, cells: tuple[str, ...], text: PublicText, reading: ExtractedValues
) -> None:
    row = text.find_row(head)
    if row is None:
        reading.missed_wordings += 1
        return
    # a bare size looks like a bare mass, so each cell is matched only in its own column
    found = row[1:] if len(row) == len(cells) + 1 else (" | ".join(row[1:]),) * len(cells)
    for cell, within in zip(cells, found, strict=True):
        for part in filter(None, cell.split("; ")):
            _extract_values_by_wording(part, within, reading)


def _extract_values_by_wording(
    template: str, text: str, reading: ExtractedValues, *, earlier: int = 0
) -> None:
    """Extract the values of a wording.

    `earlier` counts the sentences before it that read alike, such as `It takes 3 h.` of another thing.
    """
    pattern, names = _compile_wording(template)
    occurrences = list(islice(pattern.finditer(text), earlier + 1))
    found = occurrences[-1] if occurrences else None
    if found is None:
        reading.missed_wordings += 1
        return
    reading.matched_wordings += 1
    for (name, form), printed in zip(names, found.groups(), strict=True):
        value = _parse_printed_value(printed, form)
        if value is not None:
            reading.add_value(name, value)


@lru_cache(maxsize=20_000)
def _compile_wording(template: str) -> tuple[re.Pattern[str], tuple[tuple[str, str], ...]]:
    """Return a wording as a regular expression, with the name and form of each number in it."""
    pieces = list(parse_template(template))
    names = tuple((piece.name, piece.form) for piece in pieces if isinstance(piece, ShownValue))
    return re.compile(
        "".join(map(_convert_template_piece_to_regex, pieces)) + r"(?!\w)", re.IGNORECASE
    ), names


def _convert_template_piece_to_regex(piece: AnyTemplatePiece) -> str:
    match piece:
        case PlainText():
            return re.escape(piece.raw)
        case SaidNumber():
            return re.escape(piece.text)
        case ThingLabel():
            return r".{1,80}?"
        case ShownValue(form=form) if form in _COUNTED:
            return _COUNT
        case _:
            return _MEASURE


def _parse_printed_value(printed: str, form: str) -> float | None:
    """Return a printed number in SI units, using the unit in the text, or None if it cannot be parsed."""
    found = re.match(WORDING_NUMBER, printed.strip())
    number = _parse_number(printed if found is None else found.group())
    if number is None or form in _COUNTED:
        return number
    unit_text = "" if found is None else printed.strip()[found.end() :].strip()
    unit_text = normalize_printed_unit(unit_text, _PRINTED_SPELLINGS)
    try:
        return parse_unit(unit_text or form).to_si(number)
    except UnitError:
        return None


def _parse_number(printed: str) -> float | None:
    text = printed.strip().lower()
    if (raised := parse_number_with_power_of_ten(text)) is not None:
        return raised
    number = next((each.value for each in find_numerals(text) if each.value is not None), None)
    if number is None:
        return {"one": 1.0, "a": 1.0, "an": 1.0, "zero": 0.0, "no": 0.0}.get(text)
    return -abs(number) if text.startswith(("-", "−")) else number
