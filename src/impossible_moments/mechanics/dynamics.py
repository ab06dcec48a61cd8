"""Time passing: states that change by themselves, and the moment a forbidden condition comes true.

Rates that read no changing state are straight lines; the others are followed by a Runge-Kutta step whose
size follows the error. A state stops at its bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.engine import Engine
from impossible_moments.mechanics.scalars import UNDEFINED, Closure, Values

LOOKS: Final = 8
"""How often a straight stretch is looked at for a condition that comes and goes."""
BISECTIONS: Final = 40
ERROR: Final = 1e-7
MOST_STEPS: Final = 4_000


@dataclass(frozen=True, slots=True)
class Moving:
    """A state that changes by itself."""

    place: int
    rate: Closure
    low: float
    high: float


class Dynamics:
    """The rates of a world."""

    def __init__(self, engine: Engine) -> None:
        world = engine.world
        self.moving = tuple(
            Moving(
                engine.places[name],
                engine.closure(tree),
                _end(world.quantities[name].low, -1.0),
                _end(world.quantities[name].high, 1.0),
            )
            for name, tree in world.rates.items()
        )
        rated = frozenset(world.rates)
        self.straight = not any(world.bases(tree) & rated for tree in world.rates.values())
        self.changing = rated

    def pass_time(self, values: Values, duration: float) -> None:
        """Let states change for a time."""
        if duration <= 0 or not self.moving:
            return
        if self.straight:
            slopes = [each.rate(values) for each in self.moving]
            for each, slope in zip(self.moving, slopes, strict=True):
                values[each.place] = min(max(values[each.place] + slope * duration, each.low), each.high)  # type: ignore[operator]
        else:
            self._curve(values, duration)

    def first_moment(self, values: Values, duration: float, holds: Callable[[Values], bool]) -> float | None:
        """The first moment within a duration at which a condition holds, or None; values are left as they are."""
        if not self.moving:
            return None
        earlier, step = list(values), duration / LOOKS
        for look in range(LOOKS):
            later = list(earlier)
            self.pass_time(later, step)
            if _true(holds, later):
                return look * step + self._narrowed(earlier, step, holds)
            earlier = later
        return None

    def _narrowed(self, values: Values, step: float, holds: Callable[[Values], bool]) -> float:
        low, high = 0.0, step
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            trial = list(values)
            self.pass_time(trial, middle)
            low, high = (low, middle) if _true(holds, trial) else (middle, high)
            if high - low <= ERROR * step:
                break
        return high

    def _curve(self, values: Values, duration: float) -> None:
        done, step, taken = 0.0, duration / 16, 0
        while done < duration * (1 - 1e-12):
            taken += 1
            if taken > MOST_STEPS:
                raise OverflowError("the rates change too fast to be followed")
            step = min(step, duration - done)
            whole, halves = self._stepped(values, step), list(values)
            for _ in range(2):
                halves = self._stepped(halves, step / 2)
            error = max((_difference(whole, halves, each) for each in self.moving), default=0.0)
            if error > ERROR and step > duration / MOST_STEPS:
                step /= 2
                continue
            values[:] = halves
            done += step
            step *= 2 if error < ERROR / 32 else 1

    def _stepped(self, values: Values, step: float) -> Values:
        first = self._slopes(values)
        second = self._slopes(self._moved(values, first, step / 2))
        third = self._slopes(self._moved(values, second, step / 2))
        fourth = self._slopes(self._moved(values, third, step))
        mixed = [(a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(first, second, third, fourth, strict=True)]
        return self._moved(values, mixed, step)

    def _slopes(self, values: Values) -> list[float]:
        return [each.rate(values) for each in self.moving]

    def _moved(self, values: Values, slopes: list[float], step: float) -> Values:
        moved = list(values)
        for each, slope in zip(self.moving, slopes, strict=True):
            moved[each.place] = min(max(moved[each.place] + slope * step, each.low), each.high)  # type: ignore[operator]
        return moved


def _end(bound: float | None, sign: float) -> float:
    return sign * 1e300 if bound is None else bound


def _difference(one: Values, other: Values, each: Moving) -> float:
    left, right = float(one[each.place]), float(other[each.place])
    scale = max(abs(left), abs(right), 1e-3 * min(each.high - each.low, 1e12))
    return abs(left - right) / scale if scale else 0.0


def _true(holds: Callable[[Values], bool], values: Values) -> bool:
    try:
        return holds(values)
    except UNDEFINED:
        return False
