"""Execution: a plan carried out call by call, and how it really ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.dynamics import Dynamics, Holds
from impossible_moments.mechanics.engine import Engine
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.margins import Margin
from impossible_moments.mechanics.moves import Change, Move, Moves, Test, Way
from impossible_moments.mechanics.outcomes import Outcome, RunEnded, Step
from impossible_moments.mechanics.plans import read_call, unquoted
from impossible_moments.mechanics.scalars import TOLERANCE, UNDEFINED, Value, Values
from impossible_moments.mechanics.world import Imposed, Never

LONGEST_WAIT: Final = 1e9
SHORTEST_QUOTE: Final = 8
MOST_TRACES: Final = 16
LONGEST_PATIENCE: Final = 10
"""How many deadlines long a wait for a condition may last; what is awaited longer never happens."""
LONGEST_UNTIMED: Final = 1e8


class Executor:
    """Carries out plans in one world."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.moves = Moves(engine)
        self.dynamics = Dynamics(engine)
        world = engine.world
        self.goal = engine.closure(world.goal)
        self.deadline = engine.closure(world.deadline) if world.deadline is not None else None
        self.nevers = tuple(
            (never.name, engine.closure(never.tree), engine.judge(never.tree)) for never in world.nevers
        )

    def plan(self, calls: Iterable[str]) -> tuple[Move, ...]:
        """The moves of a written plan; raises PlanError or MoveError."""
        return tuple(self.moves.move(read_call(call)) for call in calls)

    def run(
        self,
        moves: Sequence[Move],
        *,
        changes: Mapping[str, Value] | None = None,
        lifted: frozenset[str] = frozenset(),
    ) -> Outcome:
        """Execute moves from the start; `changes` alters stated values, `lifted` names never-lines not watched."""
        return Run(self, self.engine.start(changes), lifted, measured=True).through(moves)

    @cached_property
    def logistics(self) -> tuple[Move, ...]:
        """The library's going and fetching, as moves."""
        return tuple(move for move in self.moves.all_actions if move.logistics)

    def logistics_for(self, test: Test) -> tuple[Move, ...]:
        """The going and fetching that touches what a condition reads."""
        if test.arranged_by is None:
            read = self.engine.world.bases(test.tree)
            test.arranged_by = tuple(
                move for move in self.logistics if any(change.name in read for change in move.changes)
            )
        return test.arranged_by


class Run:
    """A plan under way: values, time, what runs unattended, what is not yet chosen."""

    def __init__(
        self, executor: Executor, values: Values, lifted: frozenset[str], *, measured: bool = False
    ) -> None:
        self.executor = executor
        self.values = values
        self.time = 0.0
        self.lifted = lifted
        self.deadline = _deadline(executor, values)
        self.measured = measured
        self.dangers: dict[str, float] = {}
        self.awaited: set[Expression] = set()
        self.steps: list[Step] = []
        self.said: list[str] = []
        self.pending: list[tuple[float, Move]] = []
        self.undecided = {quantity.name for quantity in executor.engine.decisions}

    def copy(self) -> Run:
        """A run that goes on from here without changing this one."""
        twin = Run.__new__(Run)
        twin.executor, twin.values, twin.time, twin.lifted = (
            self.executor,
            list(self.values),
            self.time,
            self.lifted,
        )
        twin.deadline, twin.steps, twin.said = self.deadline, [], []
        twin.measured, twin.dangers, twin.awaited = False, {}, set(self.awaited)
        twin.pending, twin.undecided = list(self.pending), set(self.undecided)
        return twin

    def through(self, moves: Sequence[Move]) -> Outcome:
        """Make every move, then judge."""
        try:
            for move in moves:
                self.make(move)
                if self.goal_met():
                    break
            self.let_unattended_end()
        except RunEnded as ended:
            return self._outcome(ended.end, ended.margin, ended.note)
        if not self.goal_met():
            return self._outcome("short")
        return self._outcome("late" if self.is_late else "goal")

    @property
    def is_late(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline is not None and self.time > self.deadline * (1 + TOLERANCE)

    def _outcome(self, end: str, margin: Margin = None, note: str = "") -> Outcome:
        if end == "late" and self.deadline:
            margin = (self.deadline - self.time) / self.deadline
        return Outcome(
            end,
            self.time,
            self.deadline,
            tuple(self.steps),
            margin,
            note,
            self.values,
            tuple(self.said),
            tuple(self.dangers.items()),
        )

    def goal_met(self) -> bool:
        """Whether the goal holds now."""
        try:
            return bool(self.executor.goal(self.values))
        except UNDEFINED:
            return False

    def make(self, move: Move, *, inserted: bool = False) -> None:
        """Carry out one move, or raise `RunEnded`."""
        if move.way is Way.SAY:
            self._say(move)
            return
        if unset := move.decides & self.undecided:
            name = min(unset)
            raise RunEnded(f"blocked choose.{name}", None, f"`{name}` is read before it is chosen")
        if move.way is Way.WAIT_UNTIL:
            self._wait_until(move)
            return
        if move.way is Way.CHOOSE and not {change.name for change in move.changes} <= self.undecided:
            raise RunEnded(f"blocked choose.{move.changes[0].name}", None, "it is chosen already")
        if any(move is running for _, running in self.pending):
            raise RunEnded(f"blocked {move.verb}.takes", None, "it is still under way")
        started = self.time
        margins = self._tested(move, inserted=inserted)
        duration = self._duration(move)
        if move.unattended:
            self.pending.append((self.time + duration, move))
            self.steps.append(Step(move.text, started, 0.0, margins, inserted))
            return
        self.pass_time(duration)
        self._apply(move)
        self.steps.append(Step(move.text, started, duration, margins, inserted))
        self._watch()

    def _say(self, move: Move) -> None:
        self.said.append(move.text)
        if move.verb == "challenge":
            self.lifted |= challenged(move, self.executor.engine.world.nevers)

    def _tested(self, move: Move, *, inserted: bool) -> tuple[tuple[str, Margin], ...]:
        margins: list[tuple[str, Margin]] = []
        before = len(self.steps)
        for test in move.tests:
            holds, margin = self._judged(test)
            if not holds and not inserted and self._arranged(test):
                holds, margin = self._judged(test)
            if not holds:
                raise RunEnded(f"blocked {test.name}", margin, "; ".join(move.notes))
            # what was waited for is met to the moment, by intent: that is no narrow margin
            margins.append((test.name, None if test.tree in self.awaited else margin))
        if len(self.steps) > before:
            # going and fetching takes time and moves things: what held before it must hold after it
            for test in move.tests:
                holds, margin = self._judged(test)
                if not holds:
                    raise RunEnded(f"blocked {test.name}", margin, "; ".join(move.notes))
        return tuple(margins)

    def _judged(self, test: Test) -> tuple[bool, Margin]:
        try:
            return test.judge(self.values)
        except UNDEFINED:
            raise RunEnded(f"blocked {test.name}", None, f"`{test.name}` has no value here") from None

    def _arranged(self, test: Test) -> bool:
        """Insert going and fetching that makes a condition true; a plan need not spell it out."""
        for move in self.executor.logistics_for(test):
            trial = list(self.values)
            try:
                if all(each.holds(trial) for each in move.tests):
                    for change in move.changes:
                        trial[change.place] = change.compute(self.values)
                    if test.holds(trial):
                        self.make(move, inserted=True)
                        return True
            except UNDEFINED:
                continue
        return False

    def _duration(self, move: Move) -> float:
        if move.takes is None:
            return 0.0
        try:
            duration = float(move.takes(self.values))
        except UNDEFINED:
            raise RunEnded(f"blocked {move.verb}.takes", None, "its duration has no value here") from None
        if not 0 <= duration < LONGEST_WAIT:
            raise RunEnded(f"blocked {move.verb}.takes", None, f"its duration would be {duration:g} s")
        return duration

    def _wait_until(self, move: Move) -> None:
        (test,) = move.tests
        started = self.time
        try:
            self._awaited(test)
        except UNDEFINED:
            raise RunEnded("blocked wait_until", None, "what is waited for has no value here") from None
        self.awaited |= {test.tree, *ex.children(test.tree)}
        self.steps.append(Step(move.text, started, self.time - started, (), inserted=False))

    def _awaited(self, test: Test) -> None:
        """Let time pass until a condition holds: by itself, or because something unattended comes to its end."""
        while not test.holds(self.values):
            moment = self.moment_of(test.holds)
            ends = min((each[0] for each in self.pending), default=None)
            if ends is not None and (moment is None or ends <= self.time + moment):
                self.pass_time(max(ends - self.time, 0.0))
            elif moment is None:
                raise RunEnded("blocked wait_until", None, "that never happens in time")
            else:
                self.pass_time(moment)
                self._until_it_holds(test, moment)
                return

    def _until_it_holds(self, test: Test, waited: float) -> None:
        """Wait the last trace that rounding left: what was waited for holds when the wait is over."""
        trace = 1e-7 * waited
        for _ in range(MOST_TRACES):
            if test.holds(self.values):
                return
            self.pass_time(trace)
            trace *= 2

    def moment_of(self, holds: Holds, patience: float = LONGEST_PATIENCE) -> float | None:
        """How long until a condition comes true by itself, or None; patience is counted in deadlines."""
        horizon = self.deadline * patience if self.deadline else LONGEST_UNTIMED
        if horizon <= self.time:
            return None
        try:
            crossing = self.executor.dynamics.first_crossing(self.values, horizon - self.time, [holds])
        except UNDEFINED:
            return None
        return None if crossing is None else crossing.moment

    def pass_time(self, duration: float) -> None:
        """Let time pass; unattended work that ends within it takes effect at its own moment."""
        end = self.time + duration
        while self.pending and min(each[0] for each in self.pending) <= end:
            moment, move = min(self.pending, key=lambda each: each[0])
            self.pending.remove((moment, move))
            self._drift(moment - self.time)
            self._apply(move)
            self._watch()
        self._drift(end - self.time)

    def _drift(self, duration: float) -> None:
        if duration <= 0:
            return
        dynamics = self.executor.dynamics
        if dynamics.moving:
            try:
                self._follow(duration)
            except UNDEFINED as problem:
                raise RunEnded("blocked rates", None, f"a rate has no value on the way: {problem}") from None
        self.time += duration

    def _follow(self, duration: float) -> None:
        """Let states change; end the run at the first moment a watched never-line comes true."""
        watched = [(name, holds) for name, holds, _ in self.executor.nevers if name not in self.lifted]
        crossing = self.executor.dynamics.follow(self.values, duration, [holds for _, holds in watched])
        if crossing is not None:
            self.time += crossing.moment
            # at the moment itself the danger is just met: what counts is how much of the time was still to come
            raise RunEnded(f"never {watched[crossing.which][0]}", crossing.moment / duration - 1)
        if self.measured:
            self._watch()

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
            self.executor.engine.refill(self.values)

    def _watch(self) -> None:
        for name, holds, judged in self.executor.nevers:
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
        judged = next(each for each in self.executor.nevers if each[0] == name)[2]
        try:
            margin = judged(self.values)[1]
        except UNDEFINED:
            margin = None
        raise RunEnded(f"never {name}", None if margin is None else -abs(margin))

    def let_unattended_end(self) -> None:
        """Wait for what still runs, unless the goal is met before."""
        while self.pending and not self.goal_met():
            self.pass_time(max(min(each[0] for each in self.pending) - self.time, 0.0))


def challenged(move: Move, nevers: Iterable[Never]) -> frozenset[str]:
    """The premises that a challenge names by their quote, or by a good part of it."""
    quote = " ".join(unquoted(", ".join(move.arguments)).split()).lower()
    return frozenset(
        never.name
        for never in nevers
        if never.by is Imposed.PREMISE
        and len(quote) >= SHORTEST_QUOTE
        and quote in " ".join(never.evidence.split()).lower()
    )


def _deadline(executor: Executor, values: Values) -> float | None:
    if executor.deadline is None:
        return None
    try:
        return float(executor.deadline(values))
    except UNDEFINED:
        return None


def _within(value: float, change: Change) -> bool:
    slack = TOLERANCE * (abs(value) + 1e-30)
    return (change.low is None or value >= change.low - slack) and (
        change.high is None or value <= change.high + slack
    )
