"""Comparison of the public text with the record: no unknown numbers, and no missing values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.checks import CheckReport
from impossible_moments.mechanics.language import UnitError
from impossible_moments.mechanics.prose import (
    Numeral,
    PlaceholderError,
    ProseRequirements,
    SaidNumber,
    ShownValue,
    ThingLabel,
    collapse_whitespace,
    find_forms_printing,
    find_numerals,
    format_excerpt_around,
    list_prose_parts,
    parse_untrusted_unit,
    render_piece,
    render_prose,
)
from impossible_moments.mechanics.records import ProseForm

MOST_NAMED: Final = 12
"""The most numbers that one note lists."""

_JOINED: Final = re.compile(r"^(?:\s?(?:×|x|by|to|and|or|-|–)\s?\d[\d.,]*)+")
"""What stands between a number and the unit that it shares with later numbers: 1.2 × 0.8 m."""
_ARTICLE: Final = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_WORD: Final = re.compile(r"\s?(\S{1,20})")
_EDGES: Final = ".,;:!?()-–—|×\"'"
_NO_UNIT: Final = frozenset({"in", "bar", "C", "F"})
"""Words and letters that are also units but mostly mean something else."""
_RAISED: Final = frozenset("⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
"""The digits of a unit's power, which are not numbers of their own."""
_AS_WRITTEN: Final = (
    ("°C", "degC"), ("°F", "degF"), ("°", "deg"), ("Ω", "ohm"), ("µ", "u"), ("%", "percent"), ("·", "*"), ("mph", "mile/h"),
    ("⁻¹", "**-1"), ("⁻²", "**-2"), ("²", "**2"), ("³", "**3"),
)  # fmt: skip


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


def find_unknown_numbers(seed: SeedDocument, report: CheckReport) -> Iterator[str]:
    """Yield the numbers of the public text that no quantity of the record shows, with their context."""
    if report.tie is None or report.record is None:
        return
    known = tuple(dict.fromkeys(_iterate_printed_numbers(report.record.prose, report.tie)))
    for name, text in collect_public_texts(seed).items():
        behind = 0
        for numeral in sorted(find_numerals(text), key=lambda each: each.start):
            if numeral.start < behind or set(numeral.text) <= _RAISED:
                continue
            behind = numeral.start + len(_match_printed_number(numeral, text, known))
            if behind == numeral.start and not is_record_value(numeral, text[numeral.end :], report.tie):
                yield f"{name}: `{format_excerpt_around(text, numeral.start, numeral.end)}`"


def _match_printed_number(numeral: Numeral, text: str, known: tuple[str, ...]) -> str:
    """Return the record's printed form that starts at a number, or an empty string."""
    for printed_so in known:
        if printed_so.startswith(numeral.text) and text.startswith(printed_so, numeral.start):
            is_bare = printed_so == numeral.text
            if not (is_bare and _read_leading_unit(text[numeral.end :])):
                return printed_so
    return ""


def is_record_value(
    numeral: Numeral, behind: str, tie: ProseRequirements, names: frozenset[str] | None = None
) -> bool:
    """Return whether a number with the text behind it is a value of the record.

    `names` limits the quantities that are considered.
    """
    if numeral.value is None:
        return False
    near = _read_leading_unit(behind) or _read_leading_unit(_JOINED.sub("", behind)) or "plain"
    return any(
        near in find_forms_printing(numeral.value, printable, near)
        for name, printable in tie.printable.items()
        if names is None or name in names
    )


def find_unstated_values(seed: SeedDocument, report: CheckReport) -> Iterator[str]:
    """Yield what the record's prose states and the scenario does not.

    Running text is compared word for word, tables value by value.
    """
    if report.tie is None or report.record is None:
        return
    try:
        whole = render_prose(report.record.prose, report.tie)
    except PlaceholderError:
        return  # another check refuses the record for it
    texts = {name: collapse_whitespace(text) for name, text in collect_public_texts(seed).items()}
    for part in list_prose_parts(report.record.prose):
        if part.name in {"narrative", "threat", "position"}:
            if collapse_whitespace(whole[part.name]) not in texts[part.name]:
                yield f"the {part.name} differs from what the record's prose prints"
            continue
        shown = " ".join(texts.values()).lower()
        for piece in part.pieces:
            if (
                isinstance(piece, ShownValue | ThingLabel)
                and _normalize_label(render_piece(piece, report.tie)) not in shown
            ):
                yield f"nothing states {piece.raw} of the {part.name}, which is {render_piece(piece, report.tie)}"


def _normalize_label(words: str) -> str:
    """Return a label or value without its article and in lower case."""
    return _ARTICLE.sub("", words).lower()


def _iterate_printed_numbers(prose: ProseForm, tie: ProseRequirements) -> Iterator[str]:
    """Yield the numbers of the record's prose as printed, without sign.

    Numbers that the prose states on purpose are included.
    """
    for part in list_prose_parts(prose):
        for piece in part.pieces:
            if isinstance(piece, ShownValue | SaidNumber):
                with suppress(PlaceholderError):
                    yield render_piece(piece, tie).lstrip("-−")


def _read_leading_unit(text: str) -> str:
    word = _WORD.match(text)
    if word is None:
        return ""
    name = word[1].strip(_EDGES)
    for shown, written in _AS_WRITTEN:
        name = name.replace(shown, written)
    if not name or name in _NO_UNIT:
        return ""
    try:
        found = parse_untrusted_unit(name).text
    except UnitError:
        return ""
    return "" if found == "1" else found  # counts such as people have no unit
