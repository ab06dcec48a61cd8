"""Physical dimensions, as exponents of base quantities."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

Exponent: TypeAlias = int | Fraction


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
        return _of(total)

    def __truediv__(self, other: Dimension) -> Dimension:
        return self * other.to_the(-1)

    def to_the(self, exponent: Exponent) -> Dimension:
        """Return the dimension raised to a power."""
        return _of({base: _simplest(power * exponent) for base, power in self.powers})

    def __str__(self) -> str:
        return FAMILIAR.get(self) or _spelled(self)


def base(name: str) -> Dimension:
    """Return the dimension of the base quantity with this name."""
    return Dimension(((name, 1),))


def _of(total: dict[str, Exponent]) -> Dimension:
    return Dimension(tuple(sorted((name, power) for name, power in total.items() if power)))


def _simplest(power: Exponent) -> Exponent:
    return int(power) if power == int(power) else power


def _spelled(dimension: Dimension) -> str:
    if dimension.is_plain:
        return "plain number"
    return " * ".join(name if power == 1 else f"{name}^{power}" for name, power in dimension.powers)


PLAIN: Final = Dimension()
LENGTH: Final = base("length")
MASS: Final = base("mass")
TIME: Final = base("time")
CURRENT: Final = base("current")
TEMPERATURE: Final = base("temperature")
AMOUNT: Final = base("amount")
LIGHT: Final = base("luminous intensity")
INFORMATION: Final = base("information")
EURO: Final = base("euro")
DOLLAR: Final = base("dollar")

SPEED: Final = LENGTH / TIME
FORCE: Final = MASS * SPEED / TIME
PRESSURE: Final = FORCE / LENGTH.to_the(2)
ENERGY: Final = FORCE * LENGTH
POWER: Final = ENERGY / TIME
CHARGE: Final = CURRENT * TIME
VOLTAGE: Final = POWER / CURRENT

# fmt: off
FAMILIAR: Final[dict[Dimension, str]] = {
    PLAIN: "plain number", LENGTH: "length", MASS: "mass", TIME: "time", CURRENT: "current",
    TEMPERATURE: "temperature", AMOUNT: "amount of substance", INFORMATION: "information",
    LENGTH.to_the(2): "area", LENGTH.to_the(3): "volume", SPEED: "speed", SPEED / TIME: "acceleration",
    FORCE: "force", PRESSURE: "pressure", ENERGY: "energy", POWER: "power", CHARGE: "charge",
    VOLTAGE: "voltage", TIME.to_the(-1): "rate", LENGTH.to_the(3) / TIME: "volume flow", MASS / TIME: "mass flow",
    MASS / LENGTH.to_the(3): "density", TEMPERATURE / TIME: "heating rate", INFORMATION / TIME: "data rate",
    VOLTAGE / CURRENT: "resistance", CHARGE / VOLTAGE: "capacitance", FORCE / LENGTH: "stiffness",
}
# fmt: on
