"""The executor of plans: runs a plan call by call and reports how it ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, Self

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.engine import Engine
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.laws import Laws
from impossible_moments.mechanics.margins import Margin
from impossible_moments.mechanics.moves import Move, Moves, Test, Way
from impossible_moments.mechanics.outcomes import Outcome, RunEnded, Step
from impossible_moments.mechanics.passage import Passage
from impossible_moments.mechanics.plans import read_call, unquoted
from impossible_moments.mechanics.scalars import UNDEFINED, Value, Values
from impossible_moments.mechanics.world import Imposed, Never

LONGEST_WAIT: Final = 1e9
SHORTEST_QUOTE: Final = 8


class Executor(Laws):
    """Executor of plans in one world."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.moves = Moves(engine)

    def plan(self, calls: Iterable[str]) -> tuple[Move, ...]:
        """Parse a written plan into moves. Raise `PlanError` or `MoveError` for an invalid call."""
        return tuple(self.moves.move(read_call(call)) for call in calls)

    def run(
        self,
        moves: Sequence[Move],
        *,
        changes: Mapping[str, Value] | None = None,
        lifted: frozenset[str] = frozenset(),
    ) -> Outcome:
        """Execute moves from the start.

        `changes` replaces stated values, `lifted` names never-lines to ignore.
        """
        return Run(self, self.engine.start(changes), lifted, measured=True).through(moves)

    @cached_property
    def logistics(self) -> tuple[Move, ...]:
        """All logistics moves of the library, such as going and fetching."""
        return tuple(move for move in self.moves.all_actions if move.logistics)

    def logistics_for(self, test: Test) -> tuple[Move, ...]:
        """Return the logistics moves that change something the condition reads."""
        if test.arranged_by is None:
            read = self.engine.world.bases(test.tree)
            test.arranged_by = tuple(
                move for move in self.logistics if any(change.name in read for change in move.changes)
            )
        return test.arranged_by


class Run(Passage):
    """A plan during execution: its executed steps, its statements and the conditions it has waited for."""

    def __init__(
        self, executor: Executor, values: Values, lifted: frozenset[str], *, measured: bool = False
    ) -> None:
        super().__init__(executor, values, lifted, measured=measured)
        self.executor = executor
        self.awaited: set[Expression] = set()
        self.steps: list[Step] = []
        self.said: list[str] = []

    def copy(self) -> Self:
        """Return an independent run that continues from the current moment, without the steps so far."""
        twin = super().copy()
        twin.steps, twin.said, twin.awaited = [], [], set(self.awaited)
        return twin

    def through(self, moves: Sequence[Move]) -> Outcome:
        """Execute the moves until the goal is met, and return the outcome."""
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

    def make(self, move: Move, *, inserted: bool = False) -> None:
        """Execute one move. Raise `RunTermination` if it is blocked or a never-line holds."""
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
            # an awaited condition is met exactly on purpose, so its small margin does not count
            margins.append((test.name, None if test.tree in self.awaited else margin))
        if len(self.steps) > before:
            # inserted moves take time and move things, so all conditions are checked again
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
        """Execute an omitted logistics move that makes a condition true. Return whether there is one."""
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
        before, dangers = self.copy(), dict(self.dangers)
        try:
            self.let_come(test)
        except RunEnded as ended:
            if ended.end.startswith("never ") or ended.end == "blocked wait_until":
                # a wait for a condition that never comes is not started, so its consequences are undone
                self.values, self.time, self.pending = list(before.values), before.time, list(before.pending)
                self.dangers = dangers
            if ended.end.startswith("never "):
                self.let_come(test, by=before.foreseen(test))
            raise
        self._watch()
        self.awaited |= {test.tree, *ex.children(test.tree)}
        self.steps.append(Step(move.text, before.time, self.time - before.time, (), inserted=False))


def challenged(move: Move, nevers: Iterable[Never]) -> frozenset[str]:
    """Return the names of the premises whose quote contains the challenged text.

    Texts shorter than `SHORTEST_QUOTE` match no premise.
    """
    quote = " ".join(unquoted(", ".join(move.arguments)).split()).lower()
    return frozenset(
        never.name
        for never in nevers
        if never.by is Imposed.PREMISE
        and len(quote) >= SHORTEST_QUOTE
        and quote in " ".join(never.evidence.split()).lower()
    )
