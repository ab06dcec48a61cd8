"""Time passing: states that change by themselves, and the moment a watched condition comes true.

Rates that read no changing state are straight lines; the others are followed by steps of Dormand and Prince
whose size follows the error. A state stops at its bounds.
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
BENDS: Final = 16
"""How many steps a curve is followed in, at least."""
BISECTIONS: Final = 30
ERROR: Final = 1e-6
MOST_STEPS: Final = 2_000

# fmt: off
STAGES: Final = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
"""Where a Dormand-Prince step looks: each row mixes the slopes found so far; the last is the step itself."""
ERRORS: Final = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
"""The difference between its fifth and fourth order results."""
# fmt: on

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
        return self._stepped(list(values), first, duration)[0]

    def _curve(self, values: Values, state: State, duration: float) -> list[tuple[float, State]]:
        scratch = list(values)
        course, done, step = [(0.0, state)], 0.0, duration / BENDS
        smallest = duration / MOST_STEPS
        while done < duration * (1 - 1e-12):
            if len(course) > MOST_STEPS:
                raise OverflowError("the rates change too fast to be followed")
            step = min(step, duration - done, duration / BENDS)
            after, error = self._stepped(scratch, state, step)
            if error > ERROR and step > smallest:
                step /= 2
                continue
            state = after
            done += step
            course.append((done, state))
            step *= 2 if error < ERROR / 32 else 1
        return course

    def _stepped(self, scratch: Values, state: State, step: float) -> tuple[State, float]:
        """One Dormand-Prince step: the state after it, and its error as a share of what the states can be."""
        slopes = [self._slopes(scratch, state)]
        for row in STAGES:
            slopes.append(self._slopes(scratch, self._moved(state, _mixed(slopes, row), step)))
        after = self._moved(state, _mixed(slopes, STAGES[-1]), step)
        errors = _mixed(slopes, ERRORS)
        return after, max(
            abs(error * step) / _size(value, each)
            for error, value, each in zip(errors, after, self.moving, strict=True)
        )

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


def _mixed(slopes: list[list[float]], weights: tuple[float, ...]) -> list[float]:
    return [
        sum(weight * slope for weight, slope in zip(weights, each, strict=False))
        for each in zip(*slopes, strict=True)
    ]


def _size(value: float, each: Moving) -> float:
    """What an error of a state is measured against."""
    return max(abs(value), 1e-3 * min(each.high - each.low, 1e12), 1e-300)


def _true(holds: Holds, values: Values) -> bool:
    try:
        return bool(holds(values))
    except UNDEFINED:
        return False
