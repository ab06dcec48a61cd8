"""Time passing: states that change by themselves, and the moment a watched condition comes true.

Rates that read no changing state are straight lines between the moments at which states come to their bounds; the
others are curves. A state stops at its bounds.
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
"""How often a line between two bounds is looked at for a condition that may come and go on it."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """The moment at which the first of several watched conditions comes true."""

    moment: float
    which: int


class Dynamics:
    """The rates of a world. `clocked` adds the time since the start where the world itself does not read it."""

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
        """Let states change for a time."""
        if duration > 0 and self.moving:
            self.follow(values, duration, ())

    def first_crossing(self, values: Values, duration: float, watched: Sequence[Watch]) -> Crossing | None:
        """The first moment within a duration at which a watched condition holds; values are left as they are."""
        if not self.moving or not watched or duration <= 0:
            return None
        return self.follow(list(values), duration, watched)

    def follow(self, values: Values, duration: float, watched: Sequence[Watch]) -> Crossing | None:
        """Let states change for a time, or up to the first moment at which a watched condition holds."""
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
        """The stretches of steady rates: some between one state's coming to a bound and the next's, none once all are at rest."""
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
    """When a state comes to rest at a bound; at once where it does not move."""
    if slope == 0:
        return 0.0
    return max(((each.high if slope > 0 else each.low) - value) / slope, 0.0)


def _bound(bound: float | None, otherwise: float) -> float:
    return otherwise if bound is None else bound
