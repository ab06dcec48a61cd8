"""Numerical integration of states whose rates depend on changing states.

The step size is adapted to the estimated error. A step ends where a rate turns or a state reaches a bound. If
the rates cannot be followed, an error is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.execution.condition_watches import Positions, Sides
from impossible_moments.mechanics.execution.integration_steps import (
    ChangingState,
    IntegrationStepper,
    StateVector,
    StepResult,
)
from impossible_moments.mechanics.execution.root_finding import find_first_true_moment
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED, Values

LEAST_STEPS: Final = 16
"""The minimum number of steps for the whole duration."""
ERROR: Final = 1e-6
RESTING_ERROR: Final = 1e-9
"""The largest error of a step that ends where a state comes to rest."""
MOST_STEPS: Final = 2_000
SHORTEST_STEP: Final = 1e-12
"""The shortest step, as a share of the whole duration."""
SHORT_STEP: Final = 1e-6
MOST_SHORT_STEPS: Final = 12
"""How many consecutive steps below the share `SHORT` of the duration indicate an oscillating rate."""
LEAP_STEPS: Final = 1_500
"""The number of steps into which the duration is split for an oscillating rate."""
COARSEST: Final = 0.01
"""The largest relative change of a state in one such step."""
STIFF_ATTEMPT_INTERVAL: Final = 48
"""The number of steps between attempts to use the method for stiff rates."""
LARGEST_STEP_GROWTH: Final = 8


class RatesTooFastError(OverflowError):
    """Rates that change too fast to be integrated over the duration, so that the result is unknown."""


@dataclass(frozen=True, slots=True)
class TrajectorySegment:
    """A part of the whole duration.

    `state_at` returns the states at a moment counted from the start of the duration.
    """

    earlier: float
    later: float
    state_at: Callable[[float], StateVector]


class TrajectoryIntegrator:
    """Adaptive integrator of the changing states over one duration.

    `sides` returns the positions relative to all points at which a rate turns. `alone` holds the indices of
    the states whose rates read no other changing state.
    """

    def __init__(
        self,
        changing_states: Sequence[ChangingState],
        sides: Sides,
        values: Values,
        duration: float,
        *,
        self_dependent: frozenset[int] = frozenset(),
    ) -> None:
        self._stepper = IntegrationStepper(changing_states, values)
        self._self_dependent = self_dependent
        self._resting: frozenset[int] = frozenset()
        self._sides = sides
        self._duration = duration
        self._least = duration * SHORTEST_STEP
        self._short = duration * SHORT_STEP
        self._steps = 0
        self._short_steps = 0
        self._stiff = False
        self._restart_from_state([float(values[each.place]) for each in changing_states])

    def iterate_segments(self) -> Iterator[TrajectorySegment]:
        """Yield the segments in order. Each must be inspected before the next one is requested."""
        elapsed, step = 0.0, self._duration / LEAST_STEPS
        while elapsed < self._duration:
            left = self._duration - elapsed
            step, longer = self._choose_step_size(min(step, left, self._duration / LEAST_STEPS))
            step = self._limit_step_to_resting_point(min(step, left))
            later = self._duration if step >= left * (1 - SHORTEST_STEP) else elapsed + step
            yield TrajectorySegment(elapsed, later, self._create_state_function(elapsed, later, step))
            after = self._get_step_result(step)[0]
            self._stepper.resting |= self._resting
            self._restart_from_state(after)
            elapsed, step = later, step * longer

    def _create_state_function(
        self, elapsed: float, later: float, step: float
    ) -> Callable[[float], StateVector]:
        return lambda moment: self._get_step_result(step if moment >= later else moment - elapsed)[0]

    def _restart_from_state(self, state: StateVector) -> None:
        """Continue from a state and clear the cached steps."""
        self._state = state
        self._before = self._compute_sides_of_comparisons_and_bounds(state)
        self._steps_made: dict[float, StepResult] = {0.0: (state, 0.0)}

    def _get_step_result(self, step: float) -> StepResult:
        found = self._steps_made.get(step)
        if found is None:
            make = self._stepper.compute_implicit_step if self._stiff else self._stepper.compute_explicit_step
            found = self._steps_made[step] = make(self._state, step)
        return found

    def _choose_step_size(self, step: float) -> tuple[float, float]:
        """Choose a step that is accurate enough and ends no later than the first turn.

        Return the step and the factor by which the next one may be longer.
        """
        self._count_step()
        if self._short_steps > MOST_SHORT_STEPS:
            return self._choose_leap_step(), 1.0
        step, halved = self._choose_explicit_or_stiff_method(step), False
        while (error := self._estimate_step_error(step)) > ERROR:
            if step <= self._least:
                return self._count_short_step(step), 1.0
            step, halved = max(step / 2, self._least), True
        low, high = (step, 2 * step) if halved and not self._has_any_rate_turned(step) else (0.0, step)
        if not self._has_any_rate_turned(high):
            self._short_steps = 0 if step > self._short else self._short_steps
            return step, 2.0 if error < ERROR / 32 else 1.0
        shortened = max(find_first_true_moment(self._has_any_rate_turned, low, high), self._least)
        if self._estimate_step_error(shortened) > ERROR and low > 0:
            return self._count_short_step(step), 1.0
        return self._count_short_step(shortened), LARGEST_STEP_GROWTH

    def _count_short_step(self, step: float) -> float:
        """Return the step, and count it if it is very short. Many such steps indicate an oscillating rate."""
        self._short_steps += step <= self._short
        return step

    def _count_step(self) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise RatesTooFastError("the rates change too fast to be followed over so long a time")

    def _choose_explicit_or_stiff_method(self, step: float) -> float:
        """Return the step to use, and switch between the explicit and the stiff method.

        Every `STIFF` steps a much longer stiff step is tried. The stiff method is kept while it is accurate
        enough.
        """
        if self._stiff or self._steps % STIFF_ATTEMPT_INTERVAL:
            if self._stiff and self._estimate_step_error(step) > ERROR:
                self._set_stiff_method(stiff=False)
            return step
        longer = min(step * LARGEST_STEP_GROWTH, self._duration / LEAST_STEPS)
        self._set_stiff_method(stiff=True)
        if (
            longer > step
            and self._estimate_step_error(longer) <= ERROR
            and not self._has_any_rate_turned(longer)
        ):
            return longer
        self._set_stiff_method(stiff=False)
        return step

    def _set_stiff_method(self, *, stiff: bool) -> None:
        self._stiff = stiff
        self._restart_from_state(self._state)

    def _limit_step_to_resting_point(self, step: float) -> float:
        """Return the step, shortened to the point at which a state with an independent rate comes to rest."""
        if not self._find_reversing_states(step):
            return step
        shortened = find_first_true_moment(
            lambda shorter: bool(self._find_reversing_states(shorter)), 0.0, step
        )
        if self._estimate_step_error(shortened) > RESTING_ERROR and shortened > self._least:
            return shortened / 2
        self._resting = self._find_reversing_states(shortened)
        return shortened

    def _find_reversing_states(self, step: float) -> frozenset[int]:
        """Return the states with independent rates that reverse in a step.

        Such a state can only reverse at a point where its rate changes sign, and it rests there.
        """
        if not self._self_dependent:
            return frozenset()
        now, after = self._stepper.get_cached_slopes(self._state), self._get_step_result(step)[0]
        later_slopes = self._stepper.compute_slopes(after) if self._has_any_rate_turned(step) else now
        return frozenset(
            number
            for number in self._self_dependent
            if now[number] * later_slopes[number] < 0
            or now[number] * (after[number] - self._state[number]) < 0
        )

    def _choose_leap_step(self) -> float:
        """Return a fixed step over an oscillating rate.

        Raise `RatesTooFastError` if a state moves too far in it.
        """
        step = self._duration / LEAP_STEPS
        self._set_stiff_method(stiff=False)
        after, error = self._get_step_result(step)
        longest_step = (
            abs(new - old) / each.compute_error_scale(new)
            for new, old, each in zip(after, self._state, self._stepper.changing_states, strict=True)
        )
        if max(longest_step) > COARSEST:
            raise RatesTooFastError("a rate flips to and fro too fast to be followed over so long a time")
        if error <= ERROR and not self._has_any_rate_turned(step):
            self._short_steps = 0
        return step

    def _estimate_step_error(self, step: float) -> float:
        """Return the estimated error of a step, or infinity if a rate is undefined on it."""
        try:
            return self._get_step_result(step)[1]
        except UNDEFINED:
            return float("inf")

    def _has_any_rate_turned(self, step: float) -> bool:
        """Return whether a rate has turned or a state has reached or left a bound by the end of a step."""
        try:
            return (
                self._compute_sides_of_comparisons_and_bounds(self._get_step_result(step)[0]) != self._before
            )
        except UNDEFINED:
            return False

    def _compute_sides_of_comparisons_and_bounds(self, state: StateVector) -> Positions:
        """Return the positions of the comparisons in the rates and of the states relative to their bounds."""
        bounds = (
            float((value >= each.high) - (value <= each.low))
            for value, each in zip(state, self._stepper.changing_states, strict=True)
        )
        return (*self._sides(self._stepper.insert_state_into_values(state)), *bounds)
