"""Single integration steps: the states after a short time, with an error estimate.

The explicit step is that of Dormand and Prince. The implicit Rosenbrock step is for stiff rates: it uses the
Jacobian of the rates and can be long where the states hardly change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Final, TypeAlias

from impossible_moments.mechanics.language.scalar_evaluation import Closure, Values

GAMMA: Final = 1 / (2 + sqrt(2))
THIRD: Final = 6 + sqrt(2)
RELATIVE_STEP: Final = 1e-7
"""The relative change of a state for estimating the Jacobian."""

StateVector: TypeAlias = list[float]
Slopes: TypeAlias = list[float]
StepResult: TypeAlias = tuple[StateVector, float]
"""The states after a step, and its error relative to the scale of the states."""


@dataclass(frozen=True, slots=True)
class ChangingState:
    """A state with a rate. `place` is its index in the values, `low` and `high` are its bounds."""

    place: int
    rate: Closure
    low: float
    high: float

    def compute_error_scale(self, value: float) -> float:
        """Return the scale to which an error of this state is compared."""
        return max(abs(value), 1e-3 * min(self.high - self.low, 1e12), 1e-300)

    def clamp_slope_at_bound(self, value: float, slope: float) -> float:
        """Return the slope, or zero if it points beyond a bound that the state has reached."""
        return 0.0 if (slope > 0 and value >= self.high) or (slope < 0 and value <= self.low) else slope


class IntegrationStepper:
    """Computation of integration steps. Only the changing states differ from the given values."""

    def __init__(self, changing_states: Sequence[ChangingState], values: Values) -> None:
        self.changing_states = changing_states
        self._scratch = list(values)
        self.resting: set[int] = set()
        """The indices of the states that stay at rest whatever their rates are."""
        self._known: tuple[StateVector, Slopes] = ([], [])

    def compute_explicit_step(self, state: StateVector, step: float) -> StepResult:
        """Compute one fifth-order Dormand-Prince step, with the difference to fourth order as its error."""
        # the stages are written out because this code dominates the running time
        moving, slopes, h = self.changing_states, self.compute_slopes, step
        a = self.get_cached_slopes(state)
        b = slopes(advance_state(moving, state, a, h / 5))
        c = slopes(
            advance_state(moving, state, [3 / 40 * p + 9 / 40 * q for p, q in zip(a, b, strict=True)], h)
        )
        d = slopes(
            advance_state(
                moving,
                state,
                [44 / 45 * p - 56 / 15 * q + 32 / 9 * r for p, q, r in zip(a, b, c, strict=True)],
                h,
            )
        )
        e = slopes(
            advance_state(
                moving,
                state,
                [
                    19372 / 6561 * p - 25360 / 2187 * q + 64448 / 6561 * r - 212 / 729 * s
                    for p, q, r, s in zip(a, b, c, d, strict=True)
                ],
                h,
            )
        )
        f = slopes(
            advance_state(
                moving,
                state,
                [
                    9017 / 3168 * p - 355 / 33 * q + 46732 / 5247 * r + 49 / 176 * s - 5103 / 18656 * t
                    for p, q, r, s, t in zip(a, b, c, d, e, strict=True)
                ],
                h,
            )
        )
        after = advance_state(
            moving,
            state,
            [
                35 / 384 * p + 500 / 1113 * r + 125 / 192 * s - 2187 / 6784 * t + 11 / 84 * u
                for p, r, s, t, u in zip(a, c, d, e, f, strict=True)
            ],
            h,
        )
        errors = [
            71 / 57600 * p - 71 / 16695 * r + 71 / 1920 * s - 17253 / 339200 * t + 22 / 525 * u - 1 / 40 * v
            for p, r, s, t, u, v in zip(a, c, d, e, f, slopes(after), strict=True)
        ]
        return after, self._compute_relative_error(errors, after, h)  # fmt: skip

    def compute_implicit_step(self, state: StateVector, step: float) -> StepResult:
        """Compute one Rosenbrock step of second order, with an error estimate."""
        first = self.get_cached_slopes(state)
        answers = self._estimate_jacobian(state, first)
        matrix = [
            [(1.0 if row == column else 0.0) - step * GAMMA * answer for column, answer in enumerate(line)]
            for row, line in enumerate(answers)
        ]
        one = _solve_linear_system(matrix, first)
        halfway = self.compute_slopes(advance_state(self.changing_states, state, one, step / 2))
        turn = _solve_linear_system(matrix, [half - slope for half, slope in zip(halfway, one, strict=True)])
        two = [added + slope for added, slope in zip(turn, one, strict=True)]
        after = advance_state(self.changing_states, state, two, step)
        last = self.compute_slopes(after)
        three = _solve_linear_system(
            matrix,
            [
                end - THIRD * (k2 - half) - 2 * (k1 - start)
                for end, k2, half, k1, start in zip(last, two, halfway, one, first, strict=True)
            ],
        )
        errors = [(k1 - 2 * k2 + k3) / 6 for k1, k2, k3 in zip(one, two, three, strict=True)]
        return after, self._compute_relative_error(errors, after, step)

    def compute_slopes(self, state: StateVector) -> Slopes:
        """Return the rate of change of each state.

        It is zero for resting states and against a reached bound.
        """
        values = self.insert_state_into_values(state)
        found = [each.rate(values) for each in self.changing_states]
        for number, (each, value) in enumerate(zip(self.changing_states, state, strict=True)):
            if not each.low < value < each.high:
                found[number] = each.clamp_slope_at_bound(value, found[number])
        for number in self.resting:
            found[number] = 0.0
        return found

    def get_cached_slopes(self, state: StateVector) -> Slopes:
        """Return the slopes at a state, cached because several steps are tried from the same state."""
        if self._known[0] is not state:
            self._known = (state, self.compute_slopes(state))
        return self._known[1]

    def insert_state_into_values(self, state: StateVector) -> Values:
        """Return all values with the changing states inserted. The same list is reused for each call."""
        for each, value in zip(self.changing_states, state, strict=True):
            self._scratch[each.place] = value
        return self._scratch

    def _compute_relative_error(self, errors: Slopes, after: StateVector, step: float) -> float:
        worst = max([
            abs(error * step) / each.compute_error_scale(value)
            for error, value, each in zip(errors, after, self.changing_states, strict=True)
        ])  # fmt: skip
        return worst if isfinite(worst) else float("inf")

    def _estimate_jacobian(self, state: StateVector, slopes: Slopes) -> list[Slopes]:
        """Return the Jacobian: the derivative of each rate (row) by each state (column)."""
        columns = []
        for number, each in enumerate(self.changing_states):
            nudge = RELATIVE_STEP * max(abs(state[number]), min(1e-3 * (each.high - each.low), 1e3), 1e-30)
            if state[number] + nudge > each.high:
                nudge = -nudge
            nudged = [*state[:number], state[number] + nudge, *state[number + 1 :]]
            columns.append(
                [(new - old) / nudge for new, old in zip(self.compute_slopes(nudged), slopes, strict=True)]
            )
        return [list(row) for row in zip(*columns, strict=True)]


def advance_state(
    changing_states: Sequence[ChangingState], state: StateVector, slopes: Slopes, step: float
) -> StateVector:
    """Return the states after a time at constant slopes, each clamped to its bounds."""
    return [
        min(max(value + slope * step, each.low), each.high)
        for value, slope, each in zip(state, slopes, changing_states, strict=True)
    ]


def _solve_linear_system(matrix: list[Slopes], right: Slopes) -> Slopes:
    """Solve a small linear system by Gaussian elimination with partial pivoting."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        best = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[best] = rows[best], rows[column]
        for row in range(column + 1, size):
            share = rows[row][column] / rows[column][column]
            for place in range(column, size + 1):
                rows[row][place] -= share * rows[column][place]
    found = [0.0] * size
    for row in reversed(range(size)):
        known = sum(rows[row][place] * found[place] for place in range(row + 1, size))
        found[row] = (rows[row][size] - known) / rows[row][row]
    return found
