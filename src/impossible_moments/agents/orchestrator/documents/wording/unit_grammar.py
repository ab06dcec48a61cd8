"""Numbers with units as English writes them: `370 years`, `20 kg/m³`, `500 EUR`."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.mechanics.language import UnitError, parse_unit

_NUMBER: Final = r"(?<![\w.])(\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)"
_NUMBER_WITH_WORD: Final = re.compile(rf"{_NUMBER} ([a-z]{{3,}})\b(?![*/(])")
_NUMBER_WITH_POWER: Final = re.compile(rf"{_NUMBER} ([A-Za-z°µ%][\w°µ%*/()]*)")
_NUMBER_PER_UNIT: Final = re.compile(rf"{_NUMBER} 1/(s|min|h|day|week|year)\b")
_PER: Final = {"s": "second", "min": "minute", "h": "hour", "day": "day", "week": "week", "year": "year"}
_LARGE_NUMBER: Final = re.compile(r"(?<![\w.,])(\d{5,}) ([A-Za-z°µ%])")
_SIGNS: Final = (("**2", "²"), ("**3", "³"), ("*", "·"), ("degC", "°C"), ("percent", "%"))
_CURRENCIES: Final = re.compile(rf"{_NUMBER} (eur|usd|gbp)\b")
_NAMED_UNITS: Final = ("day", "week", "month", "year", "hour", "minute", "second", "knot")
"""Units that are English nouns and take a plural. Symbols such as `min` and `kg` take none."""


def correct_units(text: str) -> str:
    """Write unit names after a number in the plural, rates in words, powers with raised digits, currencies in capitals."""
    plural = _NUMBER_WITH_WORD.sub(_write_plural, text)
    rates = _NUMBER_PER_UNIT.sub(lambda found: f"{found[1]} per {_PER[found[2]]}", plural)
    powers = _NUMBER_WITH_POWER.sub(_write_powers, rates)
    powers = _LARGE_NUMBER.sub(lambda found: f"{int(found[1]):,} {found[2]}", powers)
    return _CURRENCIES.sub(lambda found: f"{found[1]} {found[2].upper()}", powers)


def _write_plural(found: re.Match[str]) -> str:
    number, unit = found[1], found[2]
    if unit not in _NAMED_UNITS or float(number.replace(",", "")) == 1.0:
        return found[0]
    return f"{number} {unit}s"


def _write_powers(found: re.Match[str]) -> str:
    number, unit = found[1], found[2]
    rest = ""
    while unit.endswith(")") and unit.count(")") > unit.count("("):
        unit, rest = unit[:-1], f"){rest}"  # the bracket belongs to the sentence
    try:
        parse_unit(unit)
    except UnitError:
        return found[0]
    for plain, sign in _SIGNS:
        unit = unit.replace(plain, sign)
    return f"{number} {unit}{rest}"
