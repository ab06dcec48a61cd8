"""Physical dimensions, as exponents of base quantities."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

Exponent: TypeAlias = int | Fraction

BASE_UNITS: Final = {
    "length": "m",
    "mass": "kg",
    "time": "s",
    "current": "A",
    "temperature": "K",
    "amount": "mol",
    "luminous intensity": "cd",
    "information": "bit",
    "euro": "eur",
    "dollar": "usd",
}
"""The unit of each base quantity in which values are kept."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A physical dimension. `powers` is sorted by base quantity and is empty for a plain number."""

    powers: tuple[tuple[str, Exponent], ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether the dimension is that of a plain number."""
        return not self.powers

    def __mul__(self, other: Dimension) -> Dimension:
        if not other.powers:
            return self
        if not self.powers:
            return other
        total: dict[str, Exponent] = dict(self.powers)
        for base, exponent in other.powers:
            total[base] = total.get(base, 0) + exponent
        return _build_dimension(total)

    def __truediv__(self, other: Dimension) -> Dimension:
        return self * other.raise_to(-1)

    def raise_to(self, exponent: Exponent) -> Dimension:
        """Return the dimension raised to a power."""
        return _build_dimension({base: _simplify_exponent(power * exponent) for base, power in self.powers})

    def __str__(self) -> str:
        return DIMENSION_NAMES.get(self) or _format_powers(self)


def make_base_dimension(name: str) -> Dimension:
    """Return the dimension of the base quantity with this name."""
    return Dimension(((name, 1),))


def _build_dimension(total: dict[str, Exponent]) -> Dimension:
    return Dimension(tuple(sorted((name, power) for name, power in total.items() if power)))


def _simplify_exponent(power: Exponent) -> Exponent:
    return int(power) if power == int(power) else power


def _format_powers(dimension: Dimension) -> str:
    if dimension.is_plain:
        return "plain number"
    return " * ".join(name if power == 1 else f"{name}^{power}" for name, power in dimension.powers)


PLAIN: Final = Dimension()
LENGTH: Final = make_base_dimension("length")
MASS: Final = make_base_dimension("mass")
TIME: Final = make_base_dimension("time")
CURRENT: Final = make_base_dimension("current")
TEMPERATURE: Final = make_base_dimension("temperature")
AMOUNT: Final = make_base_dimension("amount")
LIGHT: Final = make_base_dimension("luminous intensity")
INFORMATION: Final = make_base_dimension("information")
EURO: Final = make_base_dimension("euro")
DOLLAR: Final = make_base_dimension("dollar")

SPEED: Final = LENGTH / TIME
FORCE: Final = MASS * SPEED / TIME
PRESSURE: Final = FORCE / LENGTH.raise_to(2)
ENERGY: Final = FORCE * LENGTH
POWER: Final = ENERGY / TIME
CHARGE: Final = CURRENT * TIME
VOLTAGE: Final = POWER / CURRENT

# fmt: off
DIMENSION_NAMES: Final[dict[Dimension, str]] = {
    PLAIN: "plain number", LENGTH: "length", MASS: "mass", TIME: "time", CURRENT: "current",
    TEMPERATURE: "temperature", AMOUNT: "amount of substance", INFORMATION: "information",
    LENGTH.raise_to(2): "area", LENGTH.raise_to(3): "volume", SPEED: "speed", SPEED / TIME: "acceleration",
    FORCE: "force", PRESSURE: "pressure", ENERGY: "energy", POWER: "power", CHARGE: "charge",
    VOLTAGE: "voltage", TIME.raise_to(-1): "rate", LENGTH.raise_to(3) / TIME: "volume flow", MASS / TIME: "mass flow",
    MASS / LENGTH.raise_to(3): "density", TEMPERATURE / TIME: "heating rate", INFORMATION / TIME: "data rate",
    VOLTAGE / CURRENT: "resistance", CHARGE / VOLTAGE: "capacitance", FORCE / LENGTH: "stiffness",
}
# fmt: on
