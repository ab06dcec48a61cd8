"""Readable quantities: the value in SI units with the unit spelled out, and in a commonly used unit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.tools.tool_results import Data
from impossible_moments.mechanics.language import COLDEST, PLAIN, Dimension, Unit, parse_unit
from impossible_moments.mechanics.language import dimensions as dim

# fmt: off
_UNIT_WORDS: Final[dict[Dimension, str]] = {
    dim.FORCE: "N", dim.PRESSURE: "Pa", dim.ENERGY: "J", dim.POWER: "W", dim.VOLTAGE: "V", dim.CHARGE: "C",
    dim.VOLTAGE / dim.CURRENT: "ohm", dim.CHARGE / dim.VOLTAGE: "F",
}
_BASES: Final = {
    "length": "m", "mass": "kg", "time": "s", "current": "A", "temperature": "K", "amount": "mol",
    "luminous intensity": "cd", "information": "bit", "euro": "eur", "dollar": "usd",
}
# from small to large: the largest unit in which the value is at least 1 is used
_USUAL_UNITS: Final[dict[Dimension, tuple[str, ...]]] = {
    dim.LENGTH: ("um", "mm", "cm", "m", "km"), dim.TIME: ("ms", "s", "min", "h", "day", "year"), dim.MASS: ("mg", "g", "kg", "t"),
    dim.LENGTH.raise_to(2): ("mm**2", "cm**2", "m**2", "km**2"), dim.LENGTH.raise_to(3): ("ml", "l", "m**3"),
    dim.FORCE: ("mN", "N", "kN", "MN"), dim.PRESSURE: ("Pa", "kPa", "MPa", "GPa"), dim.ENERGY: ("mJ", "J", "kJ", "MJ", "GJ"),
    dim.POWER: ("mW", "W", "kW", "MW", "GW"), dim.LENGTH.raise_to(3) / dim.TIME: ("ml/s", "l/s", "m**3/s"),
}
# fmt: on


def describe_quantity(value: float, dimension: Dimension, display_unit: Unit | None = None) -> Data:
    """Describe a number: its SI value, its unit, and its value in a common unit.

    `display_unit` is the unit its author used.
    """
    if dimension.is_plain and (display_unit is None or display_unit.factor == 1):
        return {"value": value, "dimension": str(dimension)}
    return {
        "value": value,
        "unit": format_si_unit(dimension),
        "readable": _format_readable_value(value, dimension, display_unit),
        "dimension": str(dimension),
    }


def format_si_unit(dimension: Dimension) -> str:
    """Return the SI unit of a dimension in the syntax of the record language, or `1` for a plain number."""
    if dimension == PLAIN:
        return "1"
    if dimension in _UNIT_WORDS:
        return _UNIT_WORDS[dimension]
    above = "*".join(_format_unit_powers(dimension, sign=1)) or "1"
    below = list(_format_unit_powers(dimension, sign=-1))
    return "/".join([above, *below])


def _format_unit_powers(dimension: Dimension, sign: int) -> Iterator[str]:
    for base, power in dimension.powers:
        if power * sign > 0:
            size = float(power * sign)
            yield _BASES[base] if size == 1 else f"{_BASES[base]}**{size:g}"


def _format_readable_value(value: float, dimension: Dimension, display_unit: Unit | None) -> str:
    unit = (
        display_unit
        if display_unit is not None and display_unit.dimension == dimension
        else _choose_usual_unit(value, dimension)
    )
    readable = f"{unit.from_si(value):.4g} {unit.text}"
    if dimension == dim.TEMPERATURE and not unit.offset and value >= COLDEST:
        return f"{readable} ({parse_unit('degC').from_si(value):.4g} degC)"
    return readable


def _choose_usual_unit(value: float, dimension: Dimension) -> Unit:
    names = _USUAL_UNITS.get(dimension)
    if names is None or value == 0:
        return Unit(format_si_unit(dimension), 1.0, dimension)
    units = [parse_unit(name) for name in names]
    return next((each for each in reversed(units) if abs(each.from_si(value)) >= 1), units[0])
