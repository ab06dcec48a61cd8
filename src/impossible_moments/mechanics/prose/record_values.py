"""Recognition of record values in rendered text: a number with its unit that some quantity prints."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.mechanics.language.unit_text import normalize_printed_unit
from impossible_moments.mechanics.language.units import UnitError
from impossible_moments.mechanics.prose.numerals import Numeral
from impossible_moments.mechanics.prose.requirements import ProseRequirements
from impossible_moments.mechanics.prose.unit_formats import find_forms_printing, parse_untrusted_unit

_JOINED_NUMBERS: Final = re.compile(r"^(?:\s?(?:×|x|by|to|and|or|-|–)\s?\d[\d.,]*)+")
"""What stands between a number and the unit that it shares with later numbers: 1.2 × 0.8 m."""
_WORD: Final = re.compile(r"\s?(\S{1,20})")
_PUNCTUATION: Final = ".,;:!?()-–—|×\"'"
_NO_UNIT: Final = frozenset({"in", "bar", "C", "F"})
"""Words and letters that are also units but mostly mean something else."""
_UNIT_SPELLINGS: Final = (("mph", "mile/h"),)


def is_record_value(
    numeral: Numeral, text_after: str, requirements: ProseRequirements, names: frozenset[str] | None = None
) -> bool:
    """Return whether a number with the text behind it is a value of the record.

    `names` limits the quantities that are considered.
    """
    if numeral.value is None:
        return False
    unit = read_leading_unit(text_after) or read_leading_unit(_JOINED_NUMBERS.sub("", text_after)) or "plain"
    return any(
        unit in find_forms_printing(numeral.value, printable, unit)
        for name, printable in requirements.printable.items()
        if names is None or name in names
    )


def read_leading_unit(text: str) -> str:
    """Return the unit at the beginning of a text, or an empty string."""
    word = _WORD.match(text)
    if word is None:
        return ""
    name = normalize_printed_unit(word[1].strip(_PUNCTUATION), _UNIT_SPELLINGS)
    if not name or name in _NO_UNIT:
        return ""
    try:
        found = parse_untrusted_unit(name).text
    except UnitError:
        return ""
    return "" if found == "1" else found  # counts such as people have no unit
