"""The passage of time in a run: changing states, unattended moves that end, and never-lines."""

from __future__ import annotations

from math import isfinite
from typing import Final, Self

from impossible_moments.mechanics.curves import TooFast
from impossible_moments.mechanics.dynamics import Crossing
from impossible_moments.mechanics.laws import Laws
from impossible_moments.mechanics.moves import Change, Move, Test, Way
from impossible_moments.mechanics.outcomes import RunEnded
from impossible_moments.mechanics.scalars import TOLERANCE, UNDEFINED, Value, Values

LONGEST_PATIENCE: Final = 2
"""The longest wait for a condition, as a multiple of the deadline. A later moment counts as never."""
LONGEST_UNTIMED: Final = 1e8
"""The longest wait for a condition without a deadline, in seconds."""


class Passage:
    """The values and the time during a run.

    `lifted` names never-lines that are not checked. With `measured`, `dangers` holds the smallest margin to
    each.
    """

    def __init__(self, laws: Laws, values: Values, lifted: frozenset[str], *, measured: bool = False) -> None:
        self.laws = laws
        self.values = values
        self.time = 0.0
        self.lifted = lifted
        self.deadline = _deadline(laws, values)
        self.measured = measured
        self.dangers: dict[str, float] = {}
        self.pending: list[tuple[float, Move]] = []
        self.undecided = {quantity.name for quantity in laws.engine.decisions}

    def copy(self) -> Self:
        """Return an independent copy that starts at the current moment and does not measure margins."""
        twin = self.__class__.__new__(self.__class__)
        twin.__dict__.update(self.__dict__)
        twin.values, twin.pending, twin.undecided = list(self.values), list(self.pending), set(self.undecided)
        twin.measured, twin.dangers = False, {}
        return twin

    @property
    def is_late(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline is not None and self.time > self.deadline * (1 + TOLERANCE)

    def goal_met(self) -> bool:
        """Return whether the goal holds now. An undefined goal counts as not met."""
        try:
            return bool(self.laws.goal(self.values))
        except UNDEFINED:
            return False

    def foreseen(self, test: Test) -> float:
        """Return when a condition becomes true, or when the run ends before, with never-lines ignored.

        Raise `RunTermination` if the condition never becomes true.
        """
        ahead = self.copy()
        ahead.lifted = frozenset(name for name, _ in self.laws.dangers)
        try:
            ahead.let_come(test)
        except RunEnded as ended:
            if ended.end == "blocked wait_until":
                raise
        return ahead.time

    def let_come(self, test: Test, *, by: float | None = None) -> None:
        """Advance time until a condition holds, through rates or through an unattended move that ends.

        `by` is the moment at which it is known to hold with never-lines ignored. The margin of a never-line
        that ends the run first is measured against it.
        """
        _, awaited = self.laws.awaiting(test)
        horizon = self._horizon(LONGEST_PATIENCE)
        while not awaited.is_met(self.values):
            due = min((each[0] for each in self.pending), default=horizon)
            until = min(due, horizon)
            if self._drift(until - self.time, test, by=by):
                return
            if not self.pending or due > horizon:
                raise RunEnded("blocked wait_until", None, "that never happens in time")
            self.pass_time(max(due - self.time, 0.0))

    def _horizon(self, patience: float) -> float:
        return LONGEST_UNTIMED if self.deadline is None else self.deadline * patience

    def comes(self, test: Test) -> bool:
        """Return whether rates alone make a condition true before the deadline. Raise `RatesTooFastError`."""
        dynamics, awaited = self.laws.awaiting(test)
        horizon = self._horizon(1.0)
        try:
            return dynamics.first_crossing(self.values, horizon - self.time, [awaited]) is not None
        except TooFast:
            raise
        except UNDEFINED:
            return False

    def pass_time(self, duration: float) -> None:
        """Advance time by a duration.

        Unattended moves that end within it take effect at their own moments.
        """
        end = self.time + duration
        while self.pending and min(each[0] for each in self.pending) <= end:
            moment, move = min(self.pending, key=lambda each: each[0])
            self.pending.remove((moment, move))
            self._drift(moment - self.time)
            self._apply(move)
            self._watch()
        self._drift(end - self.time)

    def _drift(self, duration: float, awaited: Test | None = None, *, by: float | None = None) -> bool:
        """Advance time without any move.

        Return whether the awaited condition was met, which ends it early.
        """
        if duration <= 0:
            return False
        dynamics = self.laws.dynamics if awaited is None else self.laws.awaiting(awaited)[0]
        passed, came = duration, False
        if dynamics.moving:
            try:
                crossing = self._follow(duration, awaited, by)
            except TooFast as problem:
                raise RunEnded("blocked rates", None, str(problem), lost=True) from None
            except UNDEFINED as problem:
                raise RunEnded("blocked rates", None, f"a rate has no value on the way: {problem}") from None
            if crossing is not None:
                passed, came = crossing.moment, True
        self.time += passed
        if self.laws.clock is not None:
            self.values[self.laws.clock] = self.time
        if self.measured and dynamics.moving:
            self._watch()
        return came

    def _follow(self, duration: float, awaited: Test | None, by: float | None) -> Crossing | None:
        """Advance the states. Raise `RunTermination` at the first moment at which a never-line holds."""
        watched = [each for each in self.laws.dangers if each[0] not in self.lifted]
        dynamics, watches = self.laws.dynamics, [danger for _, danger in watched]
        if awaited is not None:
            dynamics, coming = self.laws.awaiting(awaited)
            watches.append(coming)
        crossing = dynamics.follow(self.values, duration, watches)
        if crossing is None or crossing.which == len(watched):
            return crossing
        whole = duration if by is None else min(duration, max(by - self.time, crossing.moment))
        self.time += crossing.moment
        # at this moment the margin of the danger is zero, so the share of the remaining time is used instead
        raise RunEnded(f"never {watched[crossing.which][0]}", crossing.moment / whole - 1)

    def _apply(self, move: Move) -> None:
        computed: list[tuple[Change, Value]] = []
        for change in move.changes:
            try:
                computed.append((change, change.compute(self.values)))
            except UNDEFINED:
                raise RunEnded(
                    f"blocked {move.verb}.{change.name}", None, "its effect has no value here"
                ) from None
        for change, value in computed:
            if isinstance(value, float) and not _within(value, change):
                raise RunEnded(
                    f"blocked {move.verb}.{change.name}", None, f"`{change.name}` would leave its bounds"
                )
            self.values[change.place] = value
        if move.way is Way.CHOOSE:
            self.undecided -= {change.name for change in move.changes}
            self.laws.engine.refill(self.values)

    def _watch(self) -> None:
        for name, holds, judged in self.laws.nevers:
            if name in self.lifted:
                continue
            try:
                if holds(self.values):
                    self._end_by_never(name)
                if self.measured and (margin := judged(self.values)[1]) is not None:
                    self.dangers[name] = min(-margin, self.dangers.get(name, -margin))
            except UNDEFINED:
                raise RunEnded(
                    f"never {name}", None, "the danger has no value here, and counts as met"
                ) from None

    def _end_by_never(self, name: str) -> None:
        judged = next(each for each in self.laws.nevers if each[0] == name)[2]
        try:
            margin = judged(self.values)[1]
        except UNDEFINED:
            margin = None
        raise RunEnded(f"never {name}", None if margin is None else -abs(margin))

    def let_unattended_end(self) -> None:
        """Wait for all unattended moves to end, or until the goal is met."""
        while self.pending and not self.goal_met():
            self.pass_time(max(min(each[0] for each in self.pending) - self.time, 0.0))


def _deadline(laws: Laws, values: Values) -> float | None:
    if laws.deadline is None:
        return None
    try:
        deadline = float(laws.deadline(values))
    except UNDEFINED:
        return None
    return deadline if isfinite(deadline) else None


def _within(value: float, change: Change) -> bool:
    slack = TOLERANCE * (abs(value) + 1e-30)
    return (change.low is None or value >= change.low - slack) and (
        change.high is None or value <= change.high + slack
    )
