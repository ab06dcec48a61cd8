"""Time passing: states that change by themselves, and the moment a watched condition comes true.

Rates that read no changing state are straight lines; the others are followed by Runge-Kutta steps whose size
follows the error. A state stops at its bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from impossible_moments.mechanics.engine import Engine
from impossible_moments.mechanics.scalars import UNDEFINED, Closure, Value, Values

LOOKS: Final = 32
"""How often a stretch is looked at, at least, for a condition that comes and goes."""
BISECTIONS: Final = 30
ERROR: Final = 1e-6
MOST_STEPS: Final = 2_000

Holds: TypeAlias = Callable[[Values], bool]
State: TypeAlias = list[float]


@dataclass(frozen=True, slots=True)
class Moving:
    """A state that changes by itself."""

    place: int
    rate: Closure
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Crossing:
    """The moment at which the first of several watched conditions comes true."""

    moment: float
    which: int


class Dynamics:
    """The rates of a world."""

    def __init__(self, engine: Engine) -> None:
        world = engine.world
        self.moving = tuple(
            Moving(
                engine.places[name],
                engine.closure(tree),
                _bound(world.quantities[name].low, -1e300),
                _bound(world.quantities[name].high, 1e300),
            )
            for name, tree in world.rates.items()
        )
        self.changing = frozenset(world.rates)
        self.straight = not any(world.bases(tree) & self.changing for tree in world.rates.values())

    def pass_time(self, values: Values, duration: float) -> None:
        """Let states change for a time."""
        if duration > 0 and self.moving:
            self._put(values, self._course(values, duration)[-1][1])

    def first_crossing(self, values: Values, duration: float, watched: Sequence[Holds]) -> Crossing | None:
        """The first moment within a duration at which a watched condition holds; values are left as they are."""
        if not self.moving or not watched or duration <= 0:
            return None
        return self.follow(list(values), duration, watched)

    def follow(self, values: Values, duration: float, watched: Sequence[Holds]) -> Crossing | None:
        """Let states change for a time, or up to the first moment at which a watched condition holds."""
        course = self._course(values, duration)
        trial = list(values)
        for (earlier, before), (later, after) in pairwise(course):
            self._put(trial, after)
            true = [number for number, holds in enumerate(watched) if _true(holds, trial)]
            if true:
                moment, which = min(
                    (self._narrowed(trial, before, later - earlier, watched[number]), number)
                    for number in true
                )
                self._put(values, before)
                self._put(values, self._after(values, moment))
                return Crossing(earlier + moment, which)
        self._put(values, course[-1][1])
        return None

    def _narrowed(self, trial: Values, before: State, span: float, holds: Holds) -> float:
        low, high = 0.0, span
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            self._put(trial, before)
            self._put(trial, self._after(trial, middle))
            low, high = (low, middle) if _true(holds, trial) else (middle, high)
            if high - low <= ERROR * span:
                break
        return high

    def _course(self, values: Values, duration: float) -> list[tuple[float, State]]:
        """Moments and states on the way, the first and the last included."""
        first: State = [_number(values[each.place]) for each in self.moving]
        if not self.straight:
            return self._curve(values, first, duration)
        slopes = [each.rate(values) for each in self.moving]
        moments = [duration * look / LOOKS for look in range(LOOKS + 1)]
        return [(moment, self._moved(first, slopes, moment)) for moment in moments]

    def _after(self, values: Values, duration: float) -> State:
        """The state after a short time, in one step."""
        first: State = [_number(values[each.place]) for each in self.moving]
        if self.straight:
            return self._moved(first, [each.rate(values) for each in self.moving], duration)
        return self._stepped(list(values), first, duration)

    def _curve(self, values: Values, state: State, duration: float) -> list[tuple[float, State]]:
        scratch = list(values)
        course, done, step = [(0.0, state)], 0.0, duration / LOOKS
        smallest = duration / MOST_STEPS
        while done < duration * (1 - 1e-12):
            if len(course) > MOST_STEPS:
                raise OverflowError("the rates change too fast to be followed")
            step = min(step, duration - done, duration / LOOKS)
            whole = self._stepped(scratch, state, step)
            half = self._stepped(scratch, state, step / 2)
            halves = self._stepped(scratch, half, step / 2)
            error = max(map(_difference, whole, halves, self.moving))
            if error > ERROR and step > smallest:
                step /= 2
                continue
            state = halves
            done += step
            course.append((done, state))
            step *= 2 if error < ERROR / 32 else 1
        return course

    def _stepped(self, scratch: Values, state: State, step: float) -> State:
        first = self._slopes(scratch, state)
        second = self._slopes(scratch, self._moved(state, first, step / 2))
        third = self._slopes(scratch, self._moved(state, second, step / 2))
        fourth = self._slopes(scratch, self._moved(state, third, step))
        mixed = [(a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(first, second, third, fourth, strict=True)]
        return self._moved(state, mixed, step)

    def _slopes(self, scratch: Values, state: State) -> list[float]:
        self._put(scratch, state)
        return [each.rate(scratch) for each in self.moving]

    def _moved(self, state: State, slopes: list[float], step: float) -> State:
        return [
            min(max(value + slope * step, each.low), each.high)
            for value, slope, each in zip(state, slopes, self.moving, strict=True)
        ]

    def _put(self, values: Values, state: State) -> None:
        for each, value in zip(self.moving, state, strict=True):
            values[each.place] = value


def _bound(bound: float | None, otherwise: float) -> float:
    return otherwise if bound is None else bound


def _number(value: Value) -> float:
    return value if isinstance(value, float) else float(value)


def _difference(one: float, other: float, each: Moving) -> float:
    scale = max(abs(one), abs(other), 1e-3 * min(each.high - each.low, 1e12))
    return abs(one - other) / scale if scale else 0.0


def _true(holds: Holds, values: Values) -> bool:
    try:
        return bool(holds(values))
    except UNDEFINED:
        return False
