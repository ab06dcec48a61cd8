"""Comparison of the public text with the record: no unknown numbers, and no missing values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.checks import CheckReport
from impossible_moments.mechanics.numbers import SUPERSCRIPT_SIGNS
from impossible_moments.mechanics.prose import (
    Numeral,
    PlaceholderError,
    ProseRequirements,
    SaidNumber,
    ShownValue,
    ThingLabel,
    collapse_whitespace,
    find_numerals,
    format_excerpt_around,
    is_record_value,
    list_prose_parts,
    read_leading_unit,
    render_piece,
    render_prose,
)
from impossible_moments.mechanics.records import ProseForm

MOST_NAMED: Final = 12
"""The most numbers that one note lists."""

_ARTICLE: Final = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_SUPERSCRIPT_CHARACTERS: Final = frozenset(SUPERSCRIPT_SIGNS)
"""The digits of a unit's power, which are not numbers of their own."""


def collect_public_texts(seed: SeedDocument) -> dict[str, str]:
    """Return the texts that a solver reads, by part. The title is a name and is not checked."""
    scenario = seed.scenario
    return {
        "narrative": scenario.narrative,
        "environment": " | ".join(f"{row.feature} | {row.specification}" for row in scenario.environment),
        "threat": scenario.threat,
        "position": scenario.position,
        "objects": " | ".join(
            f"{row.name} | {row.mass} | {row.dimensions} | {row.material} | {row.notes}"
            for row in scenario.objects
        ),
        "capabilities": " | ".join(f"{row.parameter} | {row.value}" for row in scenario.capabilities),
        "looks impossible": seed.impossibility_mirage.looks_impossible,
    }


def find_public_numbers_missing_from_record(seed: SeedDocument, report: CheckReport) -> Iterator[str]:
    """Yield the numbers of the public text that no quantity of the record shows, with their context.

    In a text that is the record's own prose, a unit may follow a number that is printed without one.
    """
    if report.tie is None or report.record is None:
        return
    known = tuple(dict.fromkeys(_iterate_printed_numbers(report.record.prose, report.tie)))
    prose = _render_record_prose(report.record.prose, report.tie)
    for name, text in collect_public_texts(seed).items():
        last_end = 0
        is_own = collapse_whitespace(text) == prose.get(name)
        for numeral in sorted(find_numerals(text), key=lambda each: each.start):
            if numeral.start < last_end or set(numeral.text) <= _SUPERSCRIPT_CHARACTERS:
                continue
            last_end = numeral.start + len(_match_printed_number(numeral, text, known, is_own=is_own))
            if last_end == numeral.start and not is_record_value(numeral, text[numeral.end :], report.tie):
                yield f"{name}: `{format_excerpt_around(text, numeral.start, numeral.end)}`"


def _render_record_prose(prose: ProseForm, requirements: ProseRequirements) -> dict[str, str]:
    """Return the parts of the record's prose on one line each; empty if a placeholder cannot be filled."""
    try:
        rendered = render_prose(prose, requirements)
    except PlaceholderError:
        return {}  # another check refuses the record for it
    return {name: collapse_whitespace(text) for name, text in rendered.items()}


def _match_printed_number(numeral: Numeral, text: str, known: tuple[str, ...], *, is_own: bool) -> str:
    """Return the record's printed form that starts at a number, or an empty string."""
    for printed_so in known:
        if printed_so.startswith(numeral.text) and text.startswith(printed_so, numeral.start):
            is_bare = printed_so == numeral.text
            if is_own or not (is_bare and read_leading_unit(text[numeral.end :])):
                return printed_so
    return ""


def find_record_values_missing_from_scenario(seed: SeedDocument, report: CheckReport) -> Iterator[str]:
    """Yield what the record's prose states and the scenario does not.

    Running text is compared word for word, tables value by value.
    """
    if report.tie is None or report.record is None:
        return
    try:
        rendered = render_prose(report.record.prose, report.tie)
    except PlaceholderError:
        return  # another check refuses the record for it
    texts = {name: collapse_whitespace(text) for name, text in collect_public_texts(seed).items()}
    for part in list_prose_parts(report.record.prose):
        if part.name in {"narrative", "threat", "position"}:
            if collapse_whitespace(rendered[part.name]) not in texts[part.name]:
                yield f"the {part.name} differs from what the record's prose prints"
            continue
        public_text = " ".join(texts.values()).lower()
        for piece in part.pieces:
            if (
                isinstance(piece, ShownValue | ThingLabel)
                and _normalize_label(render_piece(piece, report.tie)) not in public_text
            ):
                yield f"nothing states {piece.raw} of the {part.name}, which is {render_piece(piece, report.tie)}"


def _normalize_label(words: str) -> str:
    """Return a label or value without its article and in lower case."""
    return _ARTICLE.sub("", words).lower()


def _iterate_printed_numbers(prose: ProseForm, requirements: ProseRequirements) -> Iterator[str]:
    """Yield the numbers of the record's prose as printed, without sign.

    Numbers that the prose states on purpose are included.
    """
    for part in list_prose_parts(prose):
        for piece in part.pieces:
            if isinstance(piece, ShownValue | SaidNumber):
                with suppress(PlaceholderError):
                    yield render_piece(piece, requirements).lstrip("-−")
