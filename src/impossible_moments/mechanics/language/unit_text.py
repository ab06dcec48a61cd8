"""Units as prose prints them, behind a number: `5-meter`, `kg/m³`, `newtons`, `degrees C per minute`, `°C`."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final, TypeAlias

from impossible_moments.mechanics.language.dimensions import Dimension
from impossible_moments.mechanics.language.units import UnitError, parse_unit

PRINTED_UNIT_SIGNS: Final = (
    ("°C", "degC"), ("°F", "degF"), ("°", "deg"), ("Ω", "ohm"), ("µ", "u"), ("%", "percent"), ("·", "*"),
    ("⁻¹", "**-1"), ("⁻²", "**-2"), ("²", "**2"), ("³", "**3"),
)  # fmt: skip
"""Signs of printed units with their spelling in records, in the order in which they are replaced."""


def normalize_printed_unit(text: str, further: tuple[tuple[str, str], ...] = ()) -> str:
    """Return a printed unit in the spelling of records. `further` are more replacements of the caller."""
    for printed, written in (*PRINTED_UNIT_SIGNS, *further):
        text = text.replace(printed, written)
    return text


PrintedUnit: TypeAlias = tuple[float, Dimension, str]
"""Factor to SI units, dimension, and the unit as printed."""
# fmt: off
_WORDS: Final = {
    "seconds": "s", "second": "s", "secs": "s", "sec": "s", "minutes": "min", "minute": "min", "mins": "min",
    "hours": "h", "hour": "h", "hrs": "h", "hr": "h", "days": "day", "weeks": "week", "years": "year",
    "milliseconds": "ms", "millisecond": "ms", "microseconds": "us", "nanoseconds": "ns",
    "meters": "m", "metres": "m", "meter": "m", "metre": "m", "centimeters": "cm", "centimetres": "cm",
    "centimeter": "cm", "millimeters": "mm", "millimetres": "mm", "millimeter": "mm", "kilometers": "km",
    "kilometres": "km", "kilometer": "km", "micrometers": "um", "microns": "um", "micron": "um", "nanometers": "nm",
    "inches": "inch", "inch": "inch", "feet": "ft", "foot": "ft", "yards": "yd", "miles": "mile", "mile": "mile",
    "kilograms": "kg", "kilogram": "kg", "kilos": "kg", "grams": "g", "gram": "g", "milligrams": "mg",
    "tonnes": "t", "tonne": "t", "tons": "t", "pounds": "lb", "lbs": "lb", "ounces": "oz",
    "liters": "l", "litres": "l", "liter": "l", "litre": "l", "milliliters": "ml", "millilitres": "ml",
    "newtons": "N", "newton": "N", "joules": "J", "joule": "J", "kilojoules": "kJ", "watts": "W", "watt": "W",
    "kilowatts": "kW", "volts": "V", "volt": "V", "amps": "A", "amperes": "A", "amp": "A", "ohms": "ohm",
    "pascals": "Pa", "bars": "bar", "degrees": "deg", "degree": "deg", "percent": "percent", "%": "percent",
    "kelvin": "K", "hertz": "Hz", "moles": "mol", "mph": "mile/h", "kmh": "km/h", "kph": "km/h", "knots": "knot",
    "gallons": "gal", "gallon": "gal", "radians": "rad", "micrograms": "ug", "nanograms": "ng", "picograms": "pg", "kilonewtons": "kN",
    "millinewtons": "mN", "micronewtons": "uN", "nanonewtons": "nN", "milliwatts": "mW", "microwatts": "uW", "nanowatts": "nW", "megawatts": "MW",
    "milliamps": "mA", "microamps": "uA", "milliamperes": "mA", "millivolts": "mV", "kilovolts": "kV", "nanometer": "nm", "micrometer": "um",
    "megajoules": "MJ", "millijoules": "mJ", "kilopascals": "kPa", "megapascals": "MPa", "daltons": "Da", "milliliter": "ml", "calories": "cal",
    "°": "deg", "Ω": "ohm", "\u2126": "ohm", "kΩ": "kohm", "MΩ": "Mohm", "mΩ": "mohm", "µW": "uW", "µA": "uA", "µV": "uV", "µF": "uF", "µL": "ul",
}
_SHORT: Final = frozenset(
    """
    nm um µm μm mm cm dm m km pg fg ng ug µg μg mg g kg t lb oz ns us µs μs ms s min h day week year mN
    uN µN nN pN fN N kN MN aJ fJ pJ nJ mJ uJ µJ J kJ MJ GJ mW uW nW W kW MW GW uV mV V kV nA mA uA A ohm
    kohm Pa hPa kPa MPa GPa bar mbar atm psi mmHg ml mL ul uL l L Hz kHz MHz GHz K mol mmol Wh kWh MWh GWh TWh mAh
    Ah kcal cal eV rpm rad ft mile inch C F pF nF uF lm lx ppm USD EUR knot Da kDa
    """.split()
)
# fmt: on
_ADDITIONAL_UNITS: Final = {
    "gal": (3.785411784e-3, "m**3"),
    "Da": (1.66053907e-27, "kg"),
    "kDa": (1.66053907e-24, "kg"),
}
"""Units that occur in prose but not in records."""
_SYMBOLS: Final = frozenset({"h/g", "m/g", "N/A", "F/A", "F/m", "m/A"})
"""Symbols that look like units but are formulas, as in `2h/g`."""
_POWER_WORD: Final = {"squared": 2, "cubed": 3}
_UNIT_NAME: Final = "|".join(
    sorted({*map(re.escape, _WORDS), *map(re.escape, _SHORT)}, key=len, reverse=True)
)
_FACTOR: Final = rf"(?:{_UNIT_NAME})(?![A-Za-z%])(?:\s?-?(?:squared|cubed)\b|\^-?\d(?!\d)|[²³]|(?<=m)[23](?![\d.])|\*\*-?\d)?"
_UNIT: Final = rf"{_FACTOR}(?:\s?(?:/|\bper\b|[·*.-](?=[A-Za-z]))\s?(?:\({_FACTOR}(?:\s?[·*.-]\s?{_FACTOR})?\)|{_FACTOR})){{0,3}}"
_DEGREES_AT: Final = re.compile(r"\s?(?:degrees?|deg|°)\s?(?:C|Celsius|F|Fahrenheit)\b")


@cache
def _compile_unit_pattern() -> re.Pattern[str]:
    # compiled when first used: the pattern is large, and most commands do not read prose
    return re.compile(rf"\s?-?({_UNIT})")


@cache
def _compile_denominator_unit_pattern() -> re.Pattern[str]:
    return re.compile(rf"\s?(?:per|/)\s?({_FACTOR})")


def parse_unit_at(text: str, at: int) -> tuple[PrintedUnit | None, int]:
    """Parse the unit that is printed at a position.

    Return its factor, dimension and text, or None, with the position behind it.
    """
    degrees = _DEGREES_AT.match(text, at)
    if degrees is not None:
        return _parse_temperature_unit(text, degrees.end())
    match = _compile_unit_pattern().match(text, at)
    if match is None:
        return None, at
    found = _resolve_unit(match[1])
    return (found, match.end()) if found is not None else (None, at)


def _parse_temperature_unit(text: str, at: int) -> tuple[PrintedUnit, int]:
    """Parse a temperature difference or rate after a degree sign, such as 0.03 degrees C per minute."""
    per = _compile_denominator_unit_pattern().match(text, at)
    under = _resolve_unit(per[1]) if per is not None else None
    if per is None or under is None:
        return (1.0, parse_unit("K").dimension, "deg C"), at
    return (1.0 / under[0], parse_unit("K").dimension / under[1], f"deg C per {per[1]}"), per.end()


@lru_cache(maxsize=2048)
def _resolve_unit(text: str) -> PrintedUnit | None:
    normalized = re.sub(r"\s?-?\b(squared|cubed)\b", lambda match: f"**{_POWER_WORD[match[1]]}", text)
    normalized = (
        re.sub(r"(?<=m)([23])(?!\d)", r"**\1", normalized)
        if "^" not in normalized and "**" not in normalized
        else normalized
    )
    normalized = re.sub(r"\bper\b", "/", normalized).replace("²", "**2").replace("³", "**3").replace(" ", "")
    normalized = re.sub(r"(?<=[A-Za-z\d])[-.](?=[A-Za-z])", "*", normalized)
    normalized = re.sub(r"[A-Za-zµμ%°Ω\u2126]+", lambda match: _WORDS.get(match[0], match[0]), normalized)
    if normalized in _SYMBOLS:
        return None
    normalized = normalized.replace("Wh", "W*h").replace("Ah", "A*h")
    if normalized in _ADDITIONAL_UNITS:
        factor, base_unit = _ADDITIONAL_UNITS[normalized]
        return factor, parse_unit(base_unit).dimension, text
    try:
        found = parse_unit(normalized)
    except UnitError:
        return None
    return (found.factor, found.dimension, text) if not found.offset else None
