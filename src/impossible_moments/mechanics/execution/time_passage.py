"""The passage of time in a run: changing states, unattended moves that end, and never-lines."""

from __future__ import annotations

from math import isfinite
from typing import Final, Self

from impossible_moments.mechanics.execution.dynamics import ConditionCrossing
from impossible_moments.mechanics.execution.moves import Move, MoveCondition, MoveKind, StateChange
from impossible_moments.mechanics.execution.outcomes import RunTermination
from impossible_moments.mechanics.execution.trajectory_integrator import RatesTooFastError
from impossible_moments.mechanics.execution.world_laws import WorldLaws
from impossible_moments.mechanics.language.scalar_evaluation import TOLERANCE, UNDEFINED, Value, Values

LONGEST_PATIENCE: Final = 2
"""The longest wait for a condition, as a multiple of the deadline. A later moment counts as never."""
LONGEST_UNTIMED: Final = 1e8
"""The longest wait for a condition without a deadline, in seconds."""


class TimePassage:
    """The values and the time during a run.

    `lifted` names never-lines that are not checked. With `measured`, `dangers` holds the smallest margin to
    each.
    """

    def __init__(
        self, laws: WorldLaws, values: Values, lifted: frozenset[str], *, measured: bool = False
    ) -> None:
        self.laws = laws
        self.values = values
        self.time = 0.0
        self.lifted = lifted
        self.deadline = _compute_deadline(laws, values)
        self.measured = measured
        self.dangers: dict[str, float] = {}
        self.pending: list[tuple[float, Move]] = []
        self.undecided_quantities = {quantity.name for quantity in laws.engine.decisions}

    def copy(self) -> Self:
        """Return an independent copy that starts at the current moment and does not measure margins."""
        twin = self.__class__.__new__(self.__class__)
        twin.__dict__.update(self.__dict__)
        twin.values, twin.pending, twin.undecided_quantities = (
            list(self.values),
            list(self.pending),
            set(self.undecided_quantities),
        )
        twin.measured, twin.dangers = False, {}
        return twin

    @property
    def is_late(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline is not None and self.time > self.deadline * (1 + TOLERANCE)

    def is_goal_met(self) -> bool:
        """Return whether the goal holds now. An undefined goal counts as not met."""
        try:
            return bool(self.laws.goal(self.values))
        except UNDEFINED:
            return False

    def predict_condition_moment(self, test: MoveCondition) -> float:
        """Return when a condition becomes true, or when the run ends before, with never-lines ignored.

        Raise `RunTermination` if the condition never becomes true.
        """
        trial = self.copy()
        trial.lifted = frozenset(name for name, _ in self.laws.dangers)
        try:
            trial.wait_until_condition(test)
        except RunTermination as ended:
            if ended.end == "blocked wait_until":
                raise
        return trial.time

    def wait_until_condition(self, test: MoveCondition, *, latest: float | None = None) -> None:
        """Advance time until a condition holds, through rates or through an unattended move that ends.

        `latest` is the moment at which it is known to hold with never-lines ignored. The margin of a never-line
        that ends the run first is measured against it.
        """
        _, awaited = self.laws.get_waiting_dynamics_and_watch(test)
        horizon = self._compute_wait_time_limit(LONGEST_PATIENCE)
        while not awaited.is_met(self.values):
            due = min((each[0] for each in self.pending), default=horizon)
            until = min(due, horizon)
            if self._advance_idle_time(until - self.time, test, latest=latest):
                return
            if not self.pending or due > horizon:
                raise RunTermination("blocked wait_until", None, "that never happens in time")
            self.advance_time(max(due - self.time, 0.0))

    def _compute_wait_time_limit(self, longest_wait: float) -> float:
        return LONGEST_UNTIMED if self.deadline is None else self.deadline * longest_wait

    def can_condition_come_true(self, test: MoveCondition) -> bool:
        """Return whether rates alone make a condition true before the deadline. Raise `RatesTooFastError`."""
        dynamics, awaited = self.laws.get_waiting_dynamics_and_watch(test)
        horizon = self._compute_wait_time_limit(1.0)
        try:
            return dynamics.find_first_crossing(self.values, horizon - self.time, [awaited]) is not None
        except RatesTooFastError:
            raise
        except UNDEFINED:
            return False

    def advance_time(self, duration: float) -> None:
        """Advance time by a duration.

        Unattended moves that end within it take effect at their own moments.
        """
        end = self.time + duration
        while self.pending and min(each[0] for each in self.pending) <= end:
            moment, move = min(self.pending, key=lambda each: each[0])
            self.pending.remove((moment, move))
            self._advance_idle_time(moment - self.time)
            self._apply_state_changes_of_move(move)
            self._check_never_rules()
        self._advance_idle_time(end - self.time)

    def _advance_idle_time(
        self, duration: float, condition: MoveCondition | None = None, *, latest: float | None = None
    ) -> bool:
        """Advance time without any move.

        Return whether the awaited condition was met, which ends it early.
        """
        if duration <= 0:
            return False
        dynamics = (
            self.laws.dynamics
            if condition is None
            else self.laws.get_waiting_dynamics_and_watch(condition)[0]
        )
        elapsed, condition_met = duration, False
        if dynamics.changing_states:
            try:
                crossing = self._advance_states(duration, condition, latest)
            except RatesTooFastError as problem:
                raise RunTermination("blocked rates", None, str(problem), is_lost=True) from None
            except UNDEFINED as problem:
                raise RunTermination(
                    "blocked rates", None, f"a rate has no value on the way: {problem}"
                ) from None
            if crossing is not None:
                elapsed, condition_met = crossing.moment, True
        self.time += elapsed
        if self.laws.clock is not None:
            self.values[self.laws.clock] = self.time
        if self.measured and dynamics.changing_states:
            self._check_never_rules()
        return condition_met

    def _advance_states(
        self, duration: float, condition: MoveCondition | None, latest: float | None
    ) -> ConditionCrossing | None:
        """Advance the states. Raise `RunTermination` at the first moment at which a never-line holds."""
        watched = [each for each in self.laws.dangers if each[0] not in self.lifted]
        dynamics, watches = self.laws.dynamics, [danger for _, danger in watched]
        if condition is not None:
            dynamics, coming = self.laws.get_waiting_dynamics_and_watch(condition)
            watches.append(coming)
        crossing = dynamics.advance_until_crossing(self.values, duration, watches)
        if crossing is None or crossing.watch_index == len(watched):
            return crossing
        total_duration = (
            duration if latest is None else min(duration, max(latest - self.time, crossing.moment))
        )
        self.time += crossing.moment
        # at this moment the margin of the danger is zero, so the share of the remaining time is used instead
        raise RunTermination(
            f"never {watched[crossing.watch_index][0]}", crossing.moment / total_duration - 1
        )

    def _apply_state_changes_of_move(self, move: Move) -> None:
        computed: list[tuple[StateChange, Value]] = []
        for change in move.changes:
            try:
                computed.append((change, change.compute(self.values)))
            except UNDEFINED:
                raise RunTermination(
                    f"blocked {move.verb}.{change.name}", None, "its effect has no value here"
                ) from None
        for change, value in computed:
            if isinstance(value, float) and not _is_within_bounds(value, change):
                raise RunTermination(
                    f"blocked {move.verb}.{change.name}", None, f"`{change.name}` would leave its bounds"
                )
            self.values[change.place] = value
        if move.kind is MoveKind.CHOOSE:
            self.undecided_quantities -= {change.name for change in move.changes}
            self.laws.engine.recompute_derived_values(self.values)

    def _check_never_rules(self) -> None:
        for name, holds, compute_margin in self.laws.never_rules:
            if name in self.lifted:
                continue
            try:
                if holds(self.values):
                    self._end_run_by_never_rule(name)
                if self.measured and (margin := compute_margin(self.values)[1]) is not None:
                    self.dangers[name] = min(-margin, self.dangers.get(name, -margin))
            except UNDEFINED:
                raise RunTermination(
                    f"never {name}", None, "the danger has no value here, and counts as met"
                ) from None

    def _end_run_by_never_rule(self, name: str) -> None:
        compute_margin = next(each for each in self.laws.never_rules if each[0] == name)[2]
        try:
            margin = compute_margin(self.values)[1]
        except UNDEFINED:
            margin = None
        raise RunTermination(f"never {name}", None if margin is None else -abs(margin))

    def finish_unattended_moves(self) -> None:
        """Wait for all unattended moves to end, or until the goal is met."""
        while self.pending and not self.is_goal_met():
            self.advance_time(max(min(each[0] for each in self.pending) - self.time, 0.0))


def _compute_deadline(laws: WorldLaws, values: Values) -> float | None:
    if laws.deadline is None:
        return None
    try:
        deadline = float(laws.deadline(values))
    except UNDEFINED:
        return None
    return deadline if isfinite(deadline) else None


def _is_within_bounds(value: float, change: StateChange) -> bool:
    tolerance = TOLERANCE * (abs(value) + 1e-30)
    return (change.low is None or value >= change.low - tolerance) and (
        change.high is None or value <= change.high + tolerance
    )
