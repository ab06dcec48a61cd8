"""Dynamics: states that change by their rates, and the first moment at which a watched condition holds.

If no rate reads a changing state, the states move in straight lines until they reach their bounds. Otherwise
they are integrated numerically. A state stops at its bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.curves import Curve, Stretch
from impossible_moments.mechanics.engine import Engine
from impossible_moments.mechanics.scalars import Values
from impossible_moments.mechanics.stepping import Moving, Slopes, State, moved
from impossible_moments.mechanics.watches import Watch, sides_of
from impossible_moments.mechanics.world import ELAPSED

LOOKS: Final = 32
"""How many parts a line between two bounds is split into when a watched condition is not linear."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """The first moment at which one of several watched conditions holds, and the index of its watch."""

    moment: float
    which: int


class Dynamics:
    """The compiled rates of a world.

    `clocked` adds the elapsed time as a state if the world does not read it.
    """

    def __init__(self, engine: Engine, *, clocked: bool = False) -> None:
        world = engine.world
        rates = {**world.rates, **({ELAPSED: ex.Number(1.0)} if clocked else {})}
        self.moving = tuple(
            Moving(
                engine.places[name],
                engine.closure(tree),
                _bound(world.quantities[name].low, -1e300),
                _bound(world.quantities[name].high, 1e300),
            )
            for name, tree in rates.items()
        )
        self.changing = frozenset(rates)
        reads = {name: world.bases(tree) & self.changing for name, tree in rates.items()}
        self.straight = not any(reads.values())
        self._alone = frozenset(number for number, (name, read) in enumerate(reads.items()) if read == {name})
        self._sides = sides_of(engine, rates.values(), self.changing, kinks=False)

    def pass_time(self, values: Values, duration: float) -> None:
        """Advance the states in `values` by a duration."""
        if duration > 0 and self.moving:
            self.follow(values, duration, ())

    def first_crossing(self, values: Values, duration: float, watched: Sequence[Watch]) -> Crossing | None:
        """Find the first moment within a duration at which a watched condition holds.

        `values` stay unchanged.
        """
        if not self.moving or not watched or duration <= 0:
            return None
        return self.follow(list(values), duration, watched)

    def follow(self, values: Values, duration: float, watched: Sequence[Watch]) -> Crossing | None:
        """Advance the states in `values` by a duration, or until a watched condition holds.

        Return the crossing, or None if no watched condition was met.
        """
        first: State = [float(values[each.place]) for each in self.moving]
        if self.straight:
            slopes = [each.rate(values) for each in self.moving]
            looks = 1 if all(each.is_plain for each in watched) else LOOKS
            stretches = self._lines(first, slopes, duration, looks) if watched else iter(())
            last = moved(self.moving, first, slopes, duration)
        else:
            stretches, last = self._curve(values, duration), None
        reached = first
        trial = list(values)
        before = [each.sides(trial) for each in watched]
        met = any(each.is_met(trial) for each in watched)
        for stretch in stretches:
            reached = stretch.at(stretch.later)
            self._put(trial, reached)
            after = [each.sides(trial) for each in watched]
            if after != before or met:
                crossing = self._crossing(trial, stretch, watched)
                if crossing is not None:
                    self._put(values, stretch.at(crossing.moment))
                    return crossing
            before = after
        self._put(values, reached if last is None else last)
        return None

    def _curve(self, values: Values, duration: float) -> Iterator[Stretch]:
        return Curve(self.moving, self._sides, values, duration, alone=self._alone).stretches()

    def _crossing(self, trial: Values, stretch: Stretch, watched: Sequence[Watch]) -> Crossing | None:
        def glimpse(moment: float) -> Values:
            self._put(trial, stretch.at(moment))
            return trial

        found = (
            (each.first_met(stretch.earlier, stretch.later, glimpse), number)
            for number, each in enumerate(watched)
        )
        first = min(((moment, number) for moment, number in found if moment is not None), default=None)
        return None if first is None else Crossing(*first)

    def _lines(self, first: State, slopes: Slopes, duration: float, looks: int) -> Iterator[Stretch]:
        """Yield the segments of straight motion, cut where a state reaches a bound.

        Stop once all states rest.
        """
        stops = [
            _stop(each, value, slope) for each, value, slope in zip(self.moving, first, slopes, strict=True)
        ]
        cuts = sorted({0.0, *(stop for stop in stops if 0 < stop < duration), duration})
        for start, end in pairwise(cuts):
            if start >= max(stops):
                return
            moments = [start + (end - start) * look / looks for look in range(looks)] + [end]
            for earlier, later in pairwise(moments):
                yield Stretch(earlier, later, lambda moment: moved(self.moving, first, slopes, moment))

    def _put(self, values: Values, state: State) -> None:
        for each, value in zip(self.moving, state, strict=True):
            values[each.place] = value


def _stop(each: Moving, value: float, slope: float) -> float:
    """Return when a state reaches its bound, or zero if it does not move."""
    if slope == 0:
        return 0.0
    return max(((each.high if slope > 0 else each.low) - value) / slope, 0.0)


def _bound(bound: float | None, otherwise: float) -> float:
    return otherwise if bound is None else bound
