"""Dynamics: states that change by their rates, and the first moment at which a watched condition holds.

If no rate reads a changing state, the states move in straight lines until they reach their bounds. Otherwise
they are integrated numerically. A state stops at its bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from impossible_moments.mechanics.execution.condition_watches import (
    ConditionWatch,
    compile_sides_of_turning_nodes,
)
from impossible_moments.mechanics.execution.integration_steps import (
    ChangingState,
    Slopes,
    StateVector,
    advance_state,
)
from impossible_moments.mechanics.execution.trajectory_integrator import (
    TrajectoryIntegrator,
    TrajectorySegment,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.scalar_evaluation import Values
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.world_model import ELAPSED

SEGMENTS: Final = 32
"""How many parts a line between two bounds is split into when a watched condition is not linear."""


@dataclass(frozen=True, slots=True)
class ConditionCrossing:
    """The first moment at which one of several watched conditions holds, and the index of its watch."""

    moment: float
    watch_index: int


class Dynamics:
    """The compiled rates of a world.

    `clocked` adds the elapsed time as a state if the world does not read it.
    """

    def __init__(self, engine: WorldEngine, *, reads_clock: bool = False) -> None:
        world = engine.world
        rates = {**world.rates, **({ELAPSED: ex.Number(1.0)} if reads_clock else {})}
        self.changing_states = tuple(
            ChangingState(
                engine.places[name],
                engine.compile_expression(tree),
                _get_bound_or_default(world.quantities[name].low, -1e300),
                _get_bound_or_default(world.quantities[name].high, 1e300),
            )
            for name, tree in rates.items()
        )
        self.changing = frozenset(rates)
        states_read = {
            name: world.collect_stated_quantities(tree) & self.changing for name, tree in rates.items()
        }
        self.has_constant_rates = not any(states_read.values())
        self._self_dependent = frozenset(
            number for number, (name, read) in enumerate(states_read.items()) if read == {name}
        )
        self._sides = compile_sides_of_turning_nodes(engine, rates.values(), self.changing, kinks=False)

    def find_first_crossing(
        self, values: Values, duration: float, watches: Sequence[ConditionWatch]
    ) -> ConditionCrossing | None:
        """Find the first moment within a duration at which a watched condition holds.

        `values` stay unchanged.
        """
        if not self.changing_states or not watches or duration <= 0:
            return None
        return self.advance_until_crossing(list(values), duration, watches)

    def advance_until_crossing(
        self, values: Values, duration: float, watches: Sequence[ConditionWatch]
    ) -> ConditionCrossing | None:
        """Advance the states in `values` by a duration, or until a watched condition holds.

        Return the crossing, or None if no watched condition was met.
        """
        first: StateVector = [float(values[each.place]) for each in self.changing_states]
        if self.has_constant_rates:
            slopes = [each.rate(values) for each in self.changing_states]
            least_segments = 1 if all(each.is_linear for each in watches) else SEGMENTS
            stretches = (
                self._iterate_line_segments(first, slopes, duration, least_segments) if watches else iter(())
            )
            last = advance_state(self.changing_states, first, slopes, duration)
        else:
            stretches, last = self._iterate_curve_segments(values, duration), None
        reached = first
        trial = list(values)
        before = [each.sides(trial) for each in watches]
        is_met = any(each.is_met(trial) for each in watches)
        for stretch in stretches:
            reached = stretch.state_at(stretch.later)
            self._store_state(trial, reached)
            after = [each.sides(trial) for each in watches]
            if after != before or is_met:
                crossing = self._find_crossing_in_segment(trial, stretch, watches)
                if crossing is not None:
                    self._store_state(values, stretch.state_at(crossing.moment))
                    return crossing
            before = after
        self._store_state(values, reached if last is None else last)
        return None

    def _iterate_curve_segments(self, values: Values, duration: float) -> Iterator[TrajectorySegment]:
        return TrajectoryIntegrator(
            self.changing_states, self._sides, values, duration, self_dependent=self._self_dependent
        ).iterate_segments()

    def _find_crossing_in_segment(
        self, trial: Values, stretch: TrajectorySegment, watches: Sequence[ConditionWatch]
    ) -> ConditionCrossing | None:
        def compute_values_at(moment: float) -> Values:
            self._store_state(trial, stretch.state_at(moment))
            return trial

        found = (
            (each.find_first_met_moment(stretch.earlier, stretch.later, compute_values_at), number)
            for number, each in enumerate(watches)
        )
        first = min(((moment, number) for moment, number in found if moment is not None), default=None)
        return None if first is None else ConditionCrossing(*first)

    def _iterate_line_segments(
        self, first: StateVector, slopes: Slopes, duration: float, least_segments: int
    ) -> Iterator[TrajectorySegment]:
        """Yield the segments of straight motion, cut where a state reaches a bound.

        Stop once all states rest.
        """
        stops = [
            _compute_moment_of_reaching_bound(each, value, slope)
            for each, value, slope in zip(self.changing_states, first, slopes, strict=True)
        ]
        cuts = sorted({0.0, *(stop for stop in stops if 0 < stop < duration), duration})
        for start, end in pairwise(cuts):
            if start >= max(stops):
                return
            moments = [start + (end - start) * look / least_segments for look in range(least_segments)] + [
                end
            ]
            for earlier, later in pairwise(moments):
                yield TrajectorySegment(
                    earlier, later, lambda moment: advance_state(self.changing_states, first, slopes, moment)
                )

    def _store_state(self, values: Values, state: StateVector) -> None:
        for each, value in zip(self.changing_states, state, strict=True):
            values[each.place] = value


def _compute_moment_of_reaching_bound(state: ChangingState, value: float, slope: float) -> float:
    """Return when a state reaches its bound, or zero if it does not move."""
    if slope == 0:
        return 0.0
    return max(((state.high if slope > 0 else state.low) - value) / slope, 0.0)


def _get_bound_or_default(bound: float | None, default: float) -> float:
    return default if bound is None else bound
