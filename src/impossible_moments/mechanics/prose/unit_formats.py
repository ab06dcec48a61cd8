"""Text form of units, and the choice of a unit to print a value."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.language import dimensions as dim
from impossible_moments.mechanics.language.dimensions import PLAIN, Dimension
from impossible_moments.mechanics.language.units import Unit, UnitError, parse_unit
from impossible_moments.mechanics.numbers.number_text import TO_SUPERSCRIPT
from impossible_moments.mechanics.prose.number_formats import (
    USUAL_DIGITS,
    count_significant_digits,
    round_to_digits,
)
from impossible_moments.mechanics.prose.requirements import PrintableValue

# fmt: off
USUAL_UNITS: Final[dict[Dimension, tuple[str, ...]]] = {
    PLAIN:                           ("percent",),
    dim.LENGTH:                      ("m", "cm", "mm", "km"),
    dim.LENGTH.raise_to(2):            ("m**2", "cm**2", "mm**2", "ha"),
    dim.LENGTH.raise_to(3):            ("l", "ml", "m**3", "cm**3"),
    dim.TIME:                        ("min", "h", "s", "day", "year"),
    dim.TIME.raise_to(-1):             ("Hz", "1/min", "1/h", "kHz", "rpm"),
    dim.SPEED:                       ("m/s", "km/h", "m/min", "cm/s"),
    dim.SPEED / dim.TIME:            ("m/s**2",),
    dim.LENGTH.raise_to(3) / dim.TIME: ("l/min", "l/s", "l/h", "m**3/s", "m**3/h"),
    dim.MASS:                        ("kg", "g", "t", "mg"),
    dim.MASS / dim.TIME:             ("kg/s", "kg/min", "kg/h", "g/s"),
    dim.MASS / dim.LENGTH.raise_to(2): ("kg/m**2", "kg/cm**2"),
    dim.MASS / dim.LENGTH.raise_to(3): ("kg/m**3", "g/cm**3"),
    dim.TEMPERATURE:                 ("K",),
    dim.TEMPERATURE / dim.TIME:      ("K/h", "K/min", "K/s"),
    dim.FORCE:                       ("N", "kN", "mN"),
    dim.FORCE / dim.LENGTH:          ("N/m", "N/mm"),
    dim.PRESSURE:                    ("bar", "kPa", "Pa", "MPa"),
    dim.ENERGY:                      ("kJ", "J", "kW*h", "W*h", "MJ"),
    dim.POWER:                       ("W", "kW", "mW", "MW"),
    dim.CURRENT:                     ("A", "mA"),
    dim.VOLTAGE:                     ("V", "kV", "mV"),
    dim.CHARGE:                      ("A*h", "C"),
    dim.VOLTAGE / dim.CURRENT:       ("ohm", "kohm"),
    dim.CHARGE / dim.VOLTAGE:        ("uF", "pF", "F"),
    dim.INFORMATION:                 ("bit", "byte", "kbyte", "Mbyte", "Gbyte"),
    dim.INFORMATION / dim.TIME:      ("bit/s", "kbit/s", "Mbit/s"),
    dim.EURO:                        ("eur",),
    dim.DOLLAR:                      ("usd",),
}
# fmt: on
_NAMES: Final = {
    "percent": "%",
    "degC": "°C",
    "degF": "°F",
    "ohm": "Ω",
    "eur": "EUR",
    "usd": "USD",
    "deg": "°",
}
_COUNTED: Final = ("day", "week", "year", "hour", "mile", "knot", "bit", "byte")
_POWER: Final = re.compile(r"\*\*(-?\d+)(?!\.)")
_NAME: Final = re.compile(r"[A-Za-z]+")


def format_unit_suffix(number: str, measure: Unit, form: str) -> str:
    """Return the text of a unit after a printed number, with its space: ` kg/m³`, ` days`, ` %`, `°`."""
    if measure.text == "1":
        return f" {form}" if form.isalpha() else ""
    if measure.text == "deg":
        return "°"
    if measure.text == "mile/h":
        return " mph"
    if measure.text in _COUNTED:
        return f" {measure.text}" if number == "1" else f" {measure.text}s"
    text = _NAME.sub(_format_unit_name, measure.text)
    text = _POWER.sub(lambda match: match[1].translate(TO_SUPERSCRIPT), text)
    return " " + text.replace("**", "^").replace("*", "·")


def _format_unit_name(match: re.Match[str]) -> str:
    name = match.group()
    if name in _NAMES:
        return _NAMES[name]
    if name.endswith("ohm"):
        name = f"{name[:-3]}Ω"
    return f"µ{name[1:]}" if name.startswith("u") and len(name) > 1 else name


def parse_untrusted_unit(text: str) -> Unit:
    """Parse a unit from untrusted text. Raise `UnitError` for every fault, overflow included."""
    try:
        return parse_unit(text)
    except (OverflowError, ZeroDivisionError):
        raise UnitError(f"the unit `[{text}]` is too large or too small") from None


def get_numeric_value(printable: PrintableValue) -> float | None:
    """Return the value as a number, or None for words and truth values."""
    value = printable.value
    return None if isinstance(value, str | bool) else float(value)


def choose_print_form(printable: PrintableValue | None) -> str:
    """Choose the unit or form in which a value is easiest to read."""
    number = None if printable is None else get_numeric_value(printable)
    if printable is None or number is None or not printable.dimension or printable.dimension.is_plain:
        return "plain"
    usual = _list_usual_units(printable)
    if len(usual) == 1 or not math.isfinite(number):
        return usual[0]

    def score_awkwardness(text: str) -> tuple[bool, int]:
        printed_value = parse_unit(text).from_si(number)
        is_hard_to_read = not 1 <= abs(printed_value) < 1000  # noqa: PLR2004 - three digits before the point
        return is_hard_to_read, min(count_significant_digits(printed_value), USUAL_DIGITS + 1)

    return min(usual, key=score_awkwardness)


def find_forms_printing(number: float, printable: PrintableValue, nearby_unit: str = "") -> Iterator[str]:
    """Yield the forms in which a value is printed as `number`. `nearby_unit`, the unit beside it, is tried first."""
    value = get_numeric_value(printable)
    if value is None or not math.isfinite(value):
        return
    dimension = printable.dimension or PLAIN
    if dimension.is_plain and _is_printed_as(number, value):
        yield "plain"
    for text in dict.fromkeys((nearby_unit, *_list_usual_units(printable))):
        measure = _parse_fitting_unit(text, dimension)
        if measure is not None and _is_printed_as(number, measure.from_si(value)):
            yield text


def _parse_fitting_unit(text: str, dimension: Dimension) -> Unit | None:
    try:
        measure = parse_untrusted_unit(text)
    except UnitError:
        return None
    return measure if measure.dimension == dimension and measure.text != "1" else None


def _is_printed_as(number: float, value: float) -> bool:
    return number == float(round_to_digits(value)) or abs(number - value) <= 1e-9 * abs(value)


def _list_usual_units(printable: PrintableValue) -> tuple[str, ...]:
    dimension = printable.dimension or PLAIN
    if printable.absolute and dimension == dim.TEMPERATURE:
        return ("degC",)
    return USUAL_UNITS.get(dimension) or (_format_base_units(dimension),)


def _format_base_units(dimension: Dimension) -> str:
    """Return a unit made of base units, for a dimension without a usual unit."""
    powers = [(dim.BASE_UNITS[name], power) for name, power in dimension.powers if name in dim.BASE_UNITS]
    above = [_format_unit_power(name, float(power)) for name, power in powers if power > 0]
    below = [_format_unit_power(name, float(-power)) for name, power in powers if power < 0]
    return "/".join(["*".join(above) or "1", *below])


def _format_unit_power(name: str, power: float) -> str:
    return name if power == 1 else f"{name}**{power:g}"
