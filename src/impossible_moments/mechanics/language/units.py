"""Units of measurement, parsed from text into a factor and a dimension.

The list of units is short on purpose. A full unit registry accepts thousands of names, so a misspelt name is
often a valid name of another unit. Here a misspelt name is an error with a suggestion.
"""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

from impossible_moments.mechanics.language import dimensions as dim
from impossible_moments.mechanics.language.dimensions import Dimension
from impossible_moments.mechanics.numbers.number_text import FROM_SUPERSCRIPT, RAISED_POWER

MAX_UNIT_LENGTH: Final = 40
LARGEST_POWER: Final = 6
SMALLEST_FACTOR: Final = 1e-60


class UnitError(ValueError):
    """Text that is not a unit. The message suggests a similar unit if there is one."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit with `si = value * factor + offset`. Only temperature scales have an offset."""

    text: str
    factor: float
    dimension: Dimension
    offset: float = 0.0

    def to_si(self, value: float) -> float:
        """Convert a value in this unit to SI."""
        return value * self.factor + self.offset

    def from_si(self, value: float) -> float:
        """Convert a value in SI to this unit."""
        return (value - self.offset) / self.factor


# fmt: off
_PREFIXED: Final[dict[str, tuple[float, Dimension]]] = {
    "m": (1.0, dim.LENGTH), "g": (1e-3, dim.MASS), "s": (1.0, dim.TIME), "A": (1.0, dim.CURRENT),
    "K": (1.0, dim.TEMPERATURE), "mol": (1.0, dim.AMOUNT), "cd": (1.0, dim.LIGHT),
    "N": (1.0, dim.FORCE), "Pa": (1.0, dim.PRESSURE), "J": (1.0, dim.ENERGY), "W": (1.0, dim.POWER),
    "V": (1.0, dim.VOLTAGE), "C": (1.0, dim.CHARGE), "F": (1.0, dim.CHARGE / dim.VOLTAGE),
    "ohm": (1.0, dim.VOLTAGE / dim.CURRENT), "S": (1.0, dim.CURRENT / dim.VOLTAGE),
    "H": (1.0, dim.VOLTAGE * dim.TIME / dim.CURRENT), "Wb": (1.0, dim.VOLTAGE * dim.TIME),
    "T": (1.0, dim.VOLTAGE * dim.TIME / dim.LENGTH.raise_to(2)), "Hz": (1.0, dim.TIME.raise_to(-1)),
    "l": (1e-3, dim.LENGTH.raise_to(3)), "L": (1e-3, dim.LENGTH.raise_to(3)), "bar": (1e5, dim.PRESSURE),
    "eV": (1.602176634e-19, dim.ENERGY), "bit": (1.0, dim.INFORMATION), "byte": (8.0, dim.INFORMATION),
    "lm": (1.0, dim.LIGHT), "lx": (1.0, dim.LIGHT / dim.LENGTH.raise_to(2)),
    "Gy": (1.0, dim.ENERGY / dim.MASS), "Sv": (1.0, dim.ENERGY / dim.MASS), "Bq": (1.0, dim.TIME.raise_to(-1)),
    "t": (1e3, dim.MASS),
}
_PREFIXES: Final = {
    "f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1,
    "h": 1e2, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
}
_PLAIN_UNITS: Final[dict[str, tuple[float, Dimension]]] = {
    "min": (60.0, dim.TIME), "h": (3600.0, dim.TIME), "hour": (3600.0, dim.TIME), "day": (86400.0, dim.TIME),
    "week": (604800.0, dim.TIME), "year": (31557600.0, dim.TIME),
    "ha": (1e4, dim.LENGTH.raise_to(2)), "knot": (1852 / 3600, dim.SPEED),
    "inch": (0.0254, dim.LENGTH), "ft": (0.3048, dim.LENGTH), "yd": (0.9144, dim.LENGTH),
    "mile": (1609.344, dim.LENGTH), "nmi": (1852.0, dim.LENGTH), "lb": (0.45359237, dim.MASS),
    "oz": (0.028349523125, dim.MASS), "au": (149597870700.0, dim.LENGTH), "ly": (9.4607304725808e15, dim.LENGTH),
    "atm": (101325.0, dim.PRESSURE), "mmHg": (133.322387415, dim.PRESSURE), "psi": (6894.757293168361, dim.PRESSURE),
    "Wh": (3600.0, dim.ENERGY), "kWh": (3.6e6, dim.ENERGY), "MWh": (3.6e9, dim.ENERGY), "Ah": (3600.0, dim.CHARGE),
    "cal": (4.184, dim.ENERGY), "kcal": (4184.0, dim.ENERGY), "hp": (745.6998715822702, dim.POWER),
    "rpm": (1 / 60, dim.TIME.raise_to(-1)), "deg": (math.pi / 180, dim.PLAIN), "rad": (1.0, dim.PLAIN),
    "percent": (0.01, dim.PLAIN), "ppm": (1e-6, dim.PLAIN), "1": (1.0, dim.PLAIN),
    "eur": (1.0, dim.EURO), "EUR": (1.0, dim.EURO), "usd": (1.0, dim.DOLLAR), "USD": (1.0, dim.DOLLAR),
}
_SCALES: Final = {"degC": (1.0, 273.15), "degF": (5 / 9, 459.67 * 5 / 9)}
_SPELLINGS: Final = {
    "celsius": "degC", "fahrenheit": "degF",
    "sec": "s", "second": "s", "seconds": "s", "minute": "min", "minutes": "min", "mins": "min", "hours": "h",
    "hr": "h", "days": "day", "d": "day", "weeks": "week", "years": "year", "metre": "m", "meter": "m", "metres": "m", "meters": "m",
    "liter": "l", "litre": "l", "liters": "l", "litres": "l", "tonne": "t", "in": "inch", "kmh": "km/h", "kph": "km/h",
    "Ohm": "ohm", "mph": "mile/h", "bits": "bit", "bytes": "byte", "B": "byte", "people": "1", "persons": "1",
    "times": "1", "pieces": "1",
}
# fmt: on
_SUPERSCRIPT: Final = re.compile(RAISED_POWER)
_TOKEN: Final = re.compile(r"\s*(?:(\*\*)|([*/()])|(-?\d+(?:\.5)?)|([^\W\d_]+))")


@lru_cache(maxsize=2048)
def parse_unit(text: str) -> Unit:
    """Parse a unit such as `kg*m/s**2` or `l/min`. Raise `UnitError` if the text is not a unit."""
    if len(text) > MAX_UNIT_LENGTH:
        raise UnitError(f"a unit may have at most {MAX_UNIT_LENGTH} characters; this one has {len(text)}")
    normalized = _normalize_unit_text(text)
    if normalized in _SCALES:
        factor, offset = _SCALES[normalized]
        return Unit(normalized, factor, dim.TEMPERATURE, offset)
    try:
        factor, dimension = _UnitParser(normalized, text).parse()
    except (OverflowError, ZeroDivisionError):
        factor, dimension = 0.0, dim.PLAIN
    if not SMALLEST_FACTOR < factor < 1 / SMALLEST_FACTOR:
        raise UnitError(f"the unit `[{text}]` is too large or too small")
    return Unit(normalized, factor, dimension)


def list_known_units() -> tuple[str, ...]:
    """Return every unit name, without prefixes."""
    return (*_PREFIXED, *_PLAIN_UNITS, *_SCALES)


def _normalize_unit_text(text: str) -> str:
    normalized = text.strip().replace("µ", "u").replace("μ", "u").replace("·", "*").replace("^", "**")
    normalized = _SUPERSCRIPT.sub(lambda match: "**" + match.group().translate(FROM_SUPERSCRIPT), normalized)
    normalized = re.sub(r"\s+", " ", normalized).replace(" per ", "/").replace(" / ", "/").replace(" * ", "*")
    for sign, name in (("%", "percent"), ("°", "deg"), ("Ω", "ohm")):
        normalized = normalized.replace(sign, name)
    return _SPELLINGS.get(normalized, normalized)


UnitSize: TypeAlias = tuple[float, Dimension]


class _UnitParser:
    """Parser of products and quotients of unit names, with powers and parentheses, from left to right."""

    def __init__(self, normalized: str, text: str) -> None:
        self._text = text
        self._tokens = [match.group().strip() for match in _TOKEN.finditer(normalized)]
        if "".join(self._tokens) != normalized.replace(" ", ""):
            raise self._make_syntax_error()

    def parse(self) -> UnitSize:
        size = self._parse_product()
        if self._tokens:
            raise self._make_syntax_error()
        return size

    def _parse_product(self) -> UnitSize:
        factor, dimension = self._parse_factor()
        while self._tokens and self._tokens[0] in "*/":
            sign = 1 if self._tokens.pop(0) == "*" else -1
            size, measured = self._parse_factor()
            factor *= size**sign
            dimension *= measured.raise_to(sign)
        return factor, dimension

    def _parse_factor(self) -> UnitSize:
        token = self._tokens.pop(0) if self._tokens else ""
        if token == "(":
            size = self._parse_product()
            if not self._tokens or self._tokens.pop(0) != ")":
                raise self._make_syntax_error()
        elif token == "1" or token.isalpha():
            size = _look_up_unit_name(token, self._text)
        else:
            raise self._make_syntax_error()
        if self._tokens and self._tokens[0] == "**":
            del self._tokens[0]
            return self._apply_exponent(size)
        return size

    def _apply_exponent(self, size: UnitSize) -> UnitSize:
        token = self._tokens.pop(0) if self._tokens else ""
        if not re.fullmatch(r"-?\d{1,3}(\.5)?", token) or abs(float(token)) > LARGEST_POWER:
            raise self._make_syntax_error()
        return size[0] ** float(token), size[1].raise_to(Fraction(token))

    def _make_syntax_error(self) -> UnitError:
        return UnitError(
            f"`[{self._text}]` is not a unit; combine unit names with *, / and **, as in [kg/m**3] or [l/min]"
        )


def _look_up_unit_name(name: str, text: str) -> UnitSize:
    name = _SPELLINGS.get(name, name)
    if name in _SCALES:
        raise UnitError(
            f"`[{text}]`: a temperature scale such as {name} cannot be part of a compound unit; "
            "write differences, rates and products in kelvin, as in [K/h]"
        )
    if name in _PLAIN_UNITS:
        return _PLAIN_UNITS[name]
    if name in _PREFIXED:
        return _PREFIXED[name]
    if "/" in name:
        unit = parse_unit(name)
        return unit.factor, unit.dimension
    if name[:1] not in _PREFIXES or name[1:] not in _PREFIXED:
        raise UnitError(f"unknown unit `[{text}]`{_suggest_unit(name)}")
    size, measured = _PREFIXED[name[1:]]
    return _PREFIXES[name[0]] * size, measured


def _suggest_unit(name: str) -> str:
    if name == "lpm":
        return ": write [l/min]"
    close = difflib.get_close_matches(
        name, [*_PREFIXED, *_PLAIN_UNITS, "kg", "cm", "mm", "km", "kN", "kW", "MPa", "ml"], n=1
    )
    return (
        f" (did you mean `[{close[0]}]`?)"
        if close
        else "; use SI units with prefixes, min, h, day, l, bar, deg or percent"
    )
