"""Reading of a proposal for an open frontier: the figures that it states, and the criteria that it leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from impossible_moments.mechanics.language import Dimension, UnitError, normalize_printed_unit, parse_unit

LEAST_SHARE: Final = 0.34
"""The share of the words of a criterion that a proposal which addresses it contains."""
_PROPOSAL: Final = re.compile(r"^Proposed solution: (.*)$", re.MULTILINE)
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_FUNCTION_WORDS: Final = frozenset(
    "also been does each from have into least less more most must only other over same says some such than that their them "
    "then there these they this those under what when where which while will with would".split()
)


def read_proposal(notes: Iterable[str]) -> str:
    """Return the proposed solution that the newest note with one contains, or an empty text."""
    found = [match[1] for note in notes for match in _PROPOSAL.finditer(note)]
    return found[-1] if found else ""


def find_stated_figures(text: str, dimensions: Mapping[str, Dimension]) -> dict[str, float]:
    """Return the figures, in SI units, that a text states for named quantities as `name = figure unit`."""
    found: dict[str, float] = {}
    for name, dimension in dimensions.items():
        stated = re.search(
            rf"\b{re.escape(name)}\s*=\s*(-?\d[\d,]*\.?\d*(?:e[+-]?\d+)?)\s*([^\s,;()]*)", text
        )
        if stated is None:
            continue
        number, unit_text = float(stated[1].replace(",", "")), stated[2].rstrip(".")
        try:
            unit = parse_unit(normalize_printed_unit(unit_text) if unit_text else "1")
        except UnitError:
            unit = parse_unit("1")
        if unit.dimension == dimension:
            found[name] = unit.to_si(number)
    return found


def list_unaddressed_criteria(text: str, criteria: Iterable[str]) -> tuple[str, ...]:
    """Return the criteria of which a proposal contains too few words to be about them."""
    said = _collect_words(text)
    return tuple(
        criterion
        for criterion in criteria
        if (wanted := _collect_words(criterion)) and len(wanted & said) < LEAST_SHARE * len(wanted)
    )


def _collect_words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text)) - _FUNCTION_WORDS
