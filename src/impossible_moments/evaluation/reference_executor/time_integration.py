"""Integration of rates over time in small steps, with bounds of states and watched conditions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from impossible_moments.evaluation.reference_executor.reference_state import (
    ReferenceState,
    UndefinedValue,
    Value,
    collect_names_read,
)
from impossible_moments.evaluation.reference_executor.watched_conditions import (
    BISECTION_STEPS,
    DISCONTINUOUS_FUNCTIONS,
    KINKED_OPERATORS,
    WatchedCondition,
    collect_switches,
    compute_switch_position,
    find_first_met_condition,
    find_first_met_moment,
)
from impossible_moments.mechanics.world import ELAPSED

Moving: TypeAlias = Mapping[str, float]
"""Values of the states that change over time, including `elapsed`."""

LEAST_STEPS: Final = 64
"""Least number of steps into which a time span is divided."""
ACCURACY: Final = 1e-10
"""Largest relative difference between one step and two half steps."""
RESTING_CHANGE: Final = 1e-13
"""Relative change over the remaining time below which a state is at rest."""
BOUND_TOLERANCE: Final = 1e-12
"""Distance to a bound, as a share of the range, at which a state has reached it."""


SETTLED_CHANGE: Final = 1e-6
"""Extrapolated relative change over the remaining time below which a state has settled."""
WINDOW, MOST_STEPS = 100, 20_000
"""Number of steps between checks for settling, and the maximum number of steps of one time span."""


class UndefinedRate(UndefinedValue):
    """Error for a rate that becomes undefined, or changes too fast to be integrated over the time span."""


def advance_time(
    state: ReferenceState, span: float, watches: tuple[WatchedCondition, ...]
) -> WatchedCondition | None:
    """Advance a state by a time span; stop early at the first watched condition that holds, and return it."""
    found = find_first_met_condition(watches, state)
    if found is not None or span <= 0:
        return found
    end = state.now + span
    changing = {ELAPSED, *state.world.rates}
    relevant_watches = tuple(
        watch for watch in watches if collect_names_read(state.world, [watch.tree]) & changing
    )
    if relevant_watches or state.world.rates:
        found = _TimeIntegrator(state, span, relevant_watches).run()
    if found is None:
        state.values[ELAPSED] = end
    return found


class _TimeIntegrator:
    """Integrator of the rates over one time span without calls."""

    def __init__(self, state: ReferenceState, span: float, watches: tuple[WatchedCondition, ...]) -> None:
        self._state, self._span, self._watches = state, span, watches
        self._world = state.world
        self._deciding = collect_switches(
            state.world, [watch.tree for watch in watches], DISCONTINUOUS_FUNCTIONS | KINKED_OPERATORS
        )
        self._turning = collect_switches(state.world, state.world.rates.values())
        self._names = (ELAPSED, *(name for name in state.world.rates if name != ELAPSED))
        self._by_clock = ELAPSED in collect_names_read(state.world, state.world.rates.values())
        self._scratch = state.copy()
        self._steps = 0
        self._everything = frozenset(self._names) - {ELAPSED}
        self._mark: tuple[float, Moving] = (0.0, {})
        self._is_settled = False

    def run(self) -> WatchedCondition | None:
        now: Moving = {name: float(self._state.values[name]) for name in self._names}
        elapsed, longest = 0.0, self._span / LEAST_STEPS
        size = longest
        while elapsed < self._span * (1 - 1e-13):
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise UndefinedRate("the rates change too fast to be integrated over this time")
            left = self._span - elapsed
            held_states = (
                self._everything if self._has_settled(now, elapsed) else self._find_unmoving_states(now, left)
            )
            size = min(max(size, self._least_step), left)
            size, accurate = self._find_accurate_step_size(now, held_states, size)
            reached = self._cut_step_at_bounds(now, held_states, size)
            if reached < size * BOUND_TOLERANCE:
                # the state is at a bound and is pushed against it from now on
                held_states |= self._find_states_outside_bounds(
                    self._advance_by_half_steps(now, held_states, reached)
                )
                reached = self._cut_step_at_bounds(now, held_states, size)
            if (
                self._watches
                and (found := self._find_first_met_watched_condition(now, held_states, reached)) is not None
            ):
                return found
            now = self._snap_to_bounds(
                self._advance_by_half_steps(now, held_states, reached), cut=reached < size
            )
            elapsed += reached
            size = min(longest, 2 * size if accurate else size)
        self._state.values.update(now)
        return None

    def _find_first_met_watched_condition(
        self, now: Moving, held_states: frozenset[str], size: float
    ) -> WatchedCondition | None:
        """Return the watched condition that first holds in this step, and set the state to that moment."""

        def compute_state_at(share: float) -> ReferenceState:
            # bounds are applied here as at the start of the next step
            moved = self._advance_by_half_steps(now, held_states, share * size)
            self._scratch.values.update(self._snap_to_bounds(moved, cut=False))
            return self._scratch.copy()

        found = find_first_met_moment(self._watches, self._deciding, compute_state_at)
        if found is None:
            return None
        share, watch = found
        self._state.values.update(
            self._snap_to_bounds(self._advance_by_half_steps(now, held_states, share * size), cut=False)
        )
        return watch

    def _compute_rates(self, moving: Moving, held_states: frozenset[str]) -> dict[str, float]:
        if any(self._is_far_outside_bounds(name, value) for name, value in moving.items()):
            raise UndefinedRate("a step leads far outside the bounds")
        self._scratch.values.update(
            {name: self._clamp_to_bounds(name, value) for name, value in moving.items()}
        )
        constant_states = {ELAPSED, *held_states}
        try:
            return {
                name: float(name == ELAPSED)
                if name in constant_states
                else self._scratch.evaluate_number(self._world.rates[name])
                for name in self._names
            }
        except UndefinedValue as problem:
            raise UndefinedRate(str(problem)) from None

    def _is_far_outside_bounds(self, name: str, value: float) -> bool:
        """Check whether a value is so far outside its bounds that the step is too long."""
        low, high = self._get_bounds(name)
        return not low - (high - low) <= value <= high + (high - low)

    def _find_unmoving_states(self, now: Moving, left: float) -> frozenset[str]:
        """Return the states that do not move: those pushed against a bound, or all if at rest."""
        rates = self._compute_rates(now, frozenset())
        pushed_outward = frozenset(
            name for name in self._everything if self._is_pushed_against_bound(name, now, rates)
        )
        if self._by_clock:
            return pushed_outward
        is_unmoving = all(
            abs(rates[name]) * left <= RESTING_CHANGE * self._compute_error_scale(name, now)
            for name in self._names
            if name != ELAPSED and name not in pushed_outward
        )
        return self._everything if is_unmoving else pushed_outward

    def _has_settled(self, now: Moving, passed: float) -> bool:
        """Check every `WINDOW` steps whether all states have settled; never if rates read the clock."""
        if self._by_clock or self._steps % WINDOW:
            return self._is_settled
        since, before = self._mark
        if before and passed > since:
            longer = (self._span - passed) / (passed - since)
            self._is_settled = all(
                abs(now[name] - before[name]) * longer
                <= SETTLED_CHANGE * self._compute_error_scale(name, now)
                for name in self._everything
            )
        self._mark = (passed, now)
        return self._is_settled

    def _is_pushed_against_bound(self, name: str, now: Moving, rates: Moving) -> bool:
        low, high = self._get_bounds(name)
        return (now[name] >= high and rates[name] > 0) or (now[name] <= low and rates[name] < 0)

    @property
    def _least_step(self) -> float:
        """The least step size; it grows with the number of steps, so that an oscillating rate terminates."""
        return self._span * 1e-14 * 10 ** (self._steps / 500)

    def _find_accurate_step_size(
        self, now: Moving, held_states: frozenset[str], size: float
    ) -> tuple[float, bool]:
        """Return an accurate step size, and whether the next step may be longer."""
        while True:
            try:
                one_step, halves = (
                    self._take_runge_kutta_step(now, held_states, size),
                    self._advance_by_half_steps(now, held_states, size),
                )
                error = max(
                    abs(one_step[name] - halves[name]) / self._compute_error_scale(name, now)
                    for name in self._names
                )
                # a jump of a rate within the step can make whole and halves agree by accident
                if self._compute_switch_positions(now) != self._compute_switch_positions(halves):
                    error = float("inf")
            except UndefinedRate:
                if size <= self._least_step:
                    raise
                error = float("inf")
            if error <= ACCURACY or size <= self._least_step:
                return size, error <= ACCURACY / 32
            size /= 2

    def _compute_switch_positions(self, moving: Moving) -> list[Value | None]:
        """Return the position of each switch in the rates."""
        self._scratch.values.update(
            {name: self._clamp_to_bounds(name, value) for name, value in moving.items()}
        )
        return [compute_switch_position(switch, self._scratch) for switch in self._turning]

    def _cut_step_at_bounds(self, now: Moving, held_states: frozenset[str], size: float) -> float:
        """Return the step size up to the moment when the first state reaches a bound."""
        if not self._find_states_outside_bounds(self._advance_by_half_steps(now, held_states, size)):
            return size
        low, high = 0.0, size
        for _ in range(BISECTION_STEPS):
            middle = (low + high) / 2
            low, high = (
                (low, middle)
                if self._find_states_outside_bounds(self._advance_by_half_steps(now, held_states, middle))
                else (middle, high)
            )
        return high

    def _find_states_outside_bounds(self, moving: Moving) -> frozenset[str]:
        return frozenset(
            name for name, value in moving.items() if value != self._clamp_to_bounds(name, value)
        )

    def _snap_to_bounds(self, moving: Moving, *, cut: bool) -> dict[str, float]:
        """Return the states, with those that reached a bound set exactly to it."""
        settled: dict[str, float] = {}
        for name, value in moving.items():
            low, high = self._get_bounds(name)
            tolerance = BOUND_TOLERANCE * (high - low) if cut and name != ELAPSED else 0.0
            settled[name] = high if value >= high - tolerance else low if value <= low + tolerance else value
        return settled

    def _advance_by_half_steps(
        self, now: Moving, held_states: frozenset[str], size: float
    ) -> dict[str, float]:
        """Return the states after a step taken in two halves."""
        return self._take_runge_kutta_step(
            self._take_runge_kutta_step(now, held_states, size / 2), held_states, size / 2
        )

    def _take_runge_kutta_step(
        self, now: Moving, held_states: frozenset[str], size: float
    ) -> dict[str, float]:
        """Return the states after one step of the classical Runge-Kutta method."""
        one = self._compute_rates(now, held_states)
        two = self._compute_rates(_advance_values_by_rates(now, one, size / 2), held_states)
        three = self._compute_rates(_advance_values_by_rates(now, two, size / 2), held_states)
        four = self._compute_rates(_advance_values_by_rates(now, three, size), held_states)
        mean = {name: (one[name] + 2 * two[name] + 2 * three[name] + four[name]) / 6 for name in self._names}
        return _advance_values_by_rates(now, mean, size)

    def _get_bounds(self, name: str) -> tuple[float, float]:
        quantity = self._world.quantities[name]
        if name == ELAPSED or quantity.low is None or quantity.high is None:
            return float("-inf"), float("inf")
        return quantity.low, quantity.high

    def _clamp_to_bounds(self, name: str, value: float) -> float:
        low, high = self._get_bounds(name)
        return min(max(value, low), high)

    def _compute_error_scale(self, name: str, now: Moving) -> float:
        """Return the scale relative to which errors of a state are measured."""
        if name == ELAPSED:
            return max(self._span, now[name])
        low, high = self._get_bounds(name)
        tolerance = 1e-3 * (high - low) if high - low < float("inf") else 0.0
        return max(abs(now[name]), tolerance, 1e-30)


def _advance_values_by_rates(now: Moving, rates: Moving, size: float) -> dict[str, float]:
    return {name: value + rates[name] * size for name, value in now.items()}
