"""Integration of rates over time in small steps, with bounds of states and watched conditions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from impossible_moments.evaluation.second.state import NoValue, State, Value, names_read
from impossible_moments.evaluation.second.watching import (
    BENT,
    HALVINGS,
    JUMPING,
    Watch,
    first_holding,
    first_moment,
    position,
    switches,
)
from impossible_moments.mechanics.world import ELAPSED

Moving: TypeAlias = Mapping[str, float]
"""Values of the states that change over time, including `elapsed`."""

LOOKS: Final = 64
"""Least number of steps into which a time span is divided."""
ACCURACY: Final = 1e-10
"""Largest relative difference between one step and two half steps."""
AT_REST: Final = 1e-13
"""Relative change over the remaining time below which a state is at rest."""
NEAR: Final = 1e-12
"""Distance to a bound, as a share of the range, at which a state has reached it."""


SETTLED: Final = 1e-6
"""Extrapolated relative change over the remaining time below which a state has settled."""
WINDOW, MOST_STEPS = 100, 20_000
"""Number of steps between checks for settling, and the maximum number of steps of one time span."""


class RateWithoutValue(NoValue):
    """Error for a rate that becomes undefined, or changes too fast to be integrated over the time span."""


def pass_time(state: State, span: float, watches: tuple[Watch, ...]) -> Watch | None:
    """Advance a state by a time span; stop early at the first watched condition that holds, and return it."""
    found = first_holding(watches, state)
    if found is not None or span <= 0:
        return found
    end = state.now + span
    changing = {ELAPSED, *state.world.rates}
    awake = tuple(watch for watch in watches if names_read(state.world, [watch.tree]) & changing)
    if awake or state.world.rates:
        found = _Stretch(state, span, awake).run()
    if found is None:
        state.values[ELAPSED] = end
    return found


class _Stretch:
    """Integrator of the rates over one time span without calls."""

    def __init__(self, state: State, span: float, watches: tuple[Watch, ...]) -> None:
        self._state, self._span, self._watches = state, span, watches
        self._world = state.world
        self._deciding = switches(state.world, [watch.tree for watch in watches], JUMPING | BENT)
        self._turning = switches(state.world, state.world.rates.values())
        self._names = (ELAPSED, *(name for name in state.world.rates if name != ELAPSED))
        self._by_clock = ELAPSED in names_read(state.world, state.world.rates.values())
        self._scratch = state.copy()
        self._steps = 0
        self._everything = frozenset(self._names) - {ELAPSED}
        self._mark: tuple[float, Moving] = (0.0, {})
        self._is_settled = False

    def run(self) -> Watch | None:
        now: Moving = {name: float(self._state.values[name]) for name in self._names}
        passed, longest = 0.0, self._span / LOOKS
        size = longest
        while passed < self._span * (1 - 1e-13):
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise RateWithoutValue("the rates change too fast to be integrated over this time")
            left = self._span - passed
            held = self._everything if self._settles(now, passed) else self._held(now, left)
            size = min(max(size, self._least), left)
            size, accurate = self._accurate_size(now, held, size)
            reached = self._within_bounds(now, held, size)
            if reached < size * NEAR:
                # the state is at a bound and is pushed against it from now on
                held |= self._outside(self._after(now, held, reached))
                reached = self._within_bounds(now, held, size)
            if self._watches and (found := self._watched(now, held, reached)) is not None:
                return found
            now = self._settled(self._after(now, held, reached), cut=reached < size)
            passed += reached
            size = min(longest, 2 * size if accurate else size)
        self._state.values.update(now)
        return None

    def _watched(self, now: Moving, held: frozenset[str], size: float) -> Watch | None:
        """Return the watched condition that first holds in this step, and set the state to that moment."""

        def glimpse(share: float) -> State:
            # bounds are applied here as at the start of the next step
            moved = self._after(now, held, share * size)
            self._scratch.values.update(self._settled(moved, cut=False))
            return self._scratch.copy()

        found = first_moment(self._watches, self._deciding, glimpse)
        if found is None:
            return None
        share, watch = found
        self._state.values.update(self._settled(self._after(now, held, share * size), cut=False))
        return watch

    def _rates(self, moving: Moving, held: frozenset[str]) -> dict[str, float]:
        if any(self._is_astray(name, value) for name, value in moving.items()):
            raise RateWithoutValue("a step leads far outside the bounds")
        self._scratch.values.update({name: self._clamped(name, value) for name, value in moving.items()})
        still = {ELAPSED, *held}
        try:
            return {
                name: float(name == ELAPSED)
                if name in still
                else self._scratch.number(self._world.rates[name])
                for name in self._names
            }
        except NoValue as problem:
            raise RateWithoutValue(str(problem)) from None

    def _is_astray(self, name: str, value: float) -> bool:
        """Check whether a value is so far outside its bounds that the step is too long."""
        low, high = self._bounds(name)
        return not low - (high - low) <= value <= high + (high - low)

    def _held(self, now: Moving, left: float) -> frozenset[str]:
        """Return the states that do not move: those pushed against a bound, or all if at rest."""
        rates = self._rates(now, frozenset())
        pushed = frozenset(name for name in self._everything if self._is_pushed(name, now, rates))
        if self._by_clock:
            return pushed
        still = all(
            abs(rates[name]) * left <= AT_REST * self._scale(name, now)
            for name in self._names
            if name != ELAPSED and name not in pushed
        )
        return self._everything if still else pushed

    def _settles(self, now: Moving, passed: float) -> bool:
        """Check every `WINDOW` steps whether all states have settled; never if rates read the clock."""
        if self._by_clock or self._steps % WINDOW:
            return self._is_settled
        since, before = self._mark
        if before and passed > since:
            longer = (self._span - passed) / (passed - since)
            self._is_settled = all(
                abs(now[name] - before[name]) * longer <= SETTLED * self._scale(name, now)
                for name in self._everything
            )
        self._mark = (passed, now)
        return self._is_settled

    def _is_pushed(self, name: str, now: Moving, rates: Moving) -> bool:
        low, high = self._bounds(name)
        return (now[name] >= high and rates[name] > 0) or (now[name] <= low and rates[name] < 0)

    @property
    def _least(self) -> float:
        """The least step size; it grows with the number of steps, so that an oscillating rate terminates."""
        return self._span * 1e-14 * 10 ** (self._steps / 500)

    def _accurate_size(self, now: Moving, held: frozenset[str], size: float) -> tuple[float, bool]:
        """Return an accurate step size, and whether the next step may be longer."""
        while True:
            try:
                whole, halves = self._stepped(now, held, size), self._after(now, held, size)
                wrong = max(abs(whole[name] - halves[name]) / self._scale(name, now) for name in self._names)
                # a jump of a rate within the step can make whole and halves agree by accident
                if self._positions(now) != self._positions(halves):
                    wrong = float("inf")
            except RateWithoutValue:
                if size <= self._least:
                    raise
                wrong = float("inf")
            if wrong <= ACCURACY or size <= self._least:
                return size, wrong <= ACCURACY / 32
            size /= 2

    def _positions(self, moving: Moving) -> list[Value | None]:
        """Return the position of each switch in the rates."""
        self._scratch.values.update({name: self._clamped(name, value) for name, value in moving.items()})
        return [position(switch, self._scratch) for switch in self._turning]

    def _within_bounds(self, now: Moving, held: frozenset[str], size: float) -> float:
        """Return the step size up to the moment when the first state reaches a bound."""
        if not self._outside(self._after(now, held, size)):
            return size
        low, high = 0.0, size
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._outside(self._after(now, held, middle)) else (middle, high)
        return high

    def _outside(self, moving: Moving) -> frozenset[str]:
        return frozenset(name for name, value in moving.items() if value != self._clamped(name, value))

    def _settled(self, moving: Moving, *, cut: bool) -> dict[str, float]:
        """Return the states, with those that reached a bound set exactly to it."""
        settled: dict[str, float] = {}
        for name, value in moving.items():
            low, high = self._bounds(name)
            room = NEAR * (high - low) if cut and name != ELAPSED else 0.0
            settled[name] = high if value >= high - room else low if value <= low + room else value
        return settled

    def _after(self, now: Moving, held: frozenset[str], size: float) -> dict[str, float]:
        """Return the states after a step taken in two halves."""
        return self._stepped(self._stepped(now, held, size / 2), held, size / 2)

    def _stepped(self, now: Moving, held: frozenset[str], size: float) -> dict[str, float]:
        """Return the states after one step of the classical Runge-Kutta method."""
        one = self._rates(now, held)
        two = self._rates(_moved(now, one, size / 2), held)
        three = self._rates(_moved(now, two, size / 2), held)
        four = self._rates(_moved(now, three, size), held)
        mean = {name: (one[name] + 2 * two[name] + 2 * three[name] + four[name]) / 6 for name in self._names}
        return _moved(now, mean, size)

    def _bounds(self, name: str) -> tuple[float, float]:
        quantity = self._world.quantities[name]
        if name == ELAPSED or quantity.low is None or quantity.high is None:
            return float("-inf"), float("inf")
        return quantity.low, quantity.high

    def _clamped(self, name: str, value: float) -> float:
        low, high = self._bounds(name)
        return min(max(value, low), high)

    def _scale(self, name: str, now: Moving) -> float:
        """Return the scale relative to which errors of a state are measured."""
        if name == ELAPSED:
            return max(self._span, now[name])
        low, high = self._bounds(name)
        room = 1e-3 * (high - low) if high - low < float("inf") else 0.0
        return max(abs(now[name]), room, 1e-30)


def _moved(now: Moving, rates: Moving, size: float) -> dict[str, float]:
    return {name: value + rates[name] * size for name, value in now.items()}
