"""The executor of plans: runs a plan call by call and reports how it ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, Self

from impossible_moments.mechanics.execution.move_factory import MoveFactory
from impossible_moments.mechanics.execution.moves import Move, MoveCondition, MoveKind
from impossible_moments.mechanics.execution.outcomes import ExecutedStep, PlanOutcome, RunTermination
from impossible_moments.mechanics.execution.time_passage import TimePassage
from impossible_moments.mechanics.execution.world_laws import WorldLaws
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.condition_margins import Margin
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED, Value, Values
from impossible_moments.mechanics.records.plans import parse_call, strip_quotes
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.world_model import NeverRule, NeverRuleSource

LONGEST_WAIT: Final = 1e9
SHORTEST_QUOTE: Final = 8


class PlanExecutor(WorldLaws):
    """Executor of plans in one world."""

    def __init__(self, engine: WorldEngine) -> None:
        super().__init__(engine)
        self.moves = MoveFactory(engine)

    def parse_plan(self, calls: Iterable[str]) -> tuple[Move, ...]:
        """Parse a written plan into moves. Raise `PlanError` or `MoveError` for an invalid call."""
        return tuple(self.moves.get_move(parse_call(call)) for call in calls)

    def run_plan(
        self,
        moves: Sequence[Move],
        *,
        changes: Mapping[str, Value] | None = None,
        lifted: frozenset[str] = frozenset(),
    ) -> PlanOutcome:
        """Execute moves from the start.

        `changes` replaces stated values, `lifted` names never-lines to ignore.
        """
        return PlanRun(self, self.engine.build_start_values(changes), lifted, measured=True).execute_moves(
            moves
        )

    @cached_property
    def logistics(self) -> tuple[Move, ...]:
        """All logistics moves of the library, such as going and fetching."""
        return tuple(move for move in self.moves.all_actions if move.logistics)

    def find_logistics_moves(self, test: MoveCondition) -> tuple[Move, ...]:
        """Return the logistics moves that change something the condition reads."""
        if test.arranged_by is None:
            read = self.engine.world.collect_stated_quantities(test.tree)
            test.arranged_by = tuple(
                move for move in self.logistics if any(change.name in read for change in move.changes)
            )
        return test.arranged_by


class PlanRun(TimePassage):
    """A plan during execution: its executed steps, its statements and the conditions it has waited for."""

    def __init__(
        self, executor: PlanExecutor, values: Values, lifted: frozenset[str], *, measured: bool = False
    ) -> None:
        super().__init__(executor, values, lifted, measured=measured)
        self.executor = executor
        self.awaited: set[Expression] = set()
        self.steps: list[ExecutedStep] = []
        self.statements: list[str] = []

    def copy(self) -> Self:
        """Return an independent run that continues from the current moment, without the steps so far."""
        twin = super().copy()
        twin.steps, twin.statements, twin.awaited = [], [], set(self.awaited)
        return twin

    def execute_moves(self, moves: Sequence[Move]) -> PlanOutcome:
        """Execute the moves until the goal is met, and return the outcome."""
        try:
            for move in moves:
                self.execute_move(move)
                if self.is_goal_met():
                    break
            self.finish_unattended_moves()
        except RunTermination as ended:
            return self._build_outcome(ended.end, ended.margin, ended.note)
        if not self.is_goal_met():
            return self._build_outcome("short")
        return self._build_outcome("late" if self.is_late else "goal")

    def _build_outcome(self, end: str, margin: Margin = None, note: str = "") -> PlanOutcome:
        if end == "late" and self.deadline:
            margin = (self.deadline - self.time) / self.deadline
        return PlanOutcome(
            end,
            self.time,
            self.deadline,
            tuple(self.steps),
            margin,
            note,
            self.values,
            tuple(self.statements),
            tuple(self.dangers.items()),
        )

    def execute_move(self, move: Move, *, inserted: bool = False) -> None:
        """Execute one move. Raise `RunTermination` if it is blocked or a never-line holds."""
        if move.kind is MoveKind.SAY:
            self._record_statement_and_lift_premises(move)
            return
        if unset := move.decides & self.undecided_quantities:
            name = min(unset)
            raise RunTermination(f"blocked choose.{name}", None, f"`{name}` is read before it is chosen")
        if move.kind is MoveKind.WAIT_UNTIL:
            self._execute_wait_until(move)
            return
        if (
            move.kind is MoveKind.CHOOSE
            and not {change.name for change in move.changes} <= self.undecided_quantities
        ):
            raise RunTermination(f"blocked choose.{move.changes[0].name}", None, "it is chosen already")
        if any(move is running for _, running in self.pending):
            raise RunTermination(f"blocked {move.verb}.takes", None, "it is still under way")
        started = self.time
        margins = self._check_conditions(move, inserted=inserted)
        duration = self._compute_move_duration(move)
        if move.unattended:
            self.pending.append((self.time + duration, move))
            self.steps.append(ExecutedStep(move.text, started, 0.0, margins, inserted))
            return
        self.advance_time(duration)
        self._apply_state_changes_of_move(move)
        self.steps.append(ExecutedStep(move.text, started, duration, margins, inserted))
        self._check_never_rules()

    def _record_statement_and_lift_premises(self, move: Move) -> None:
        self.statements.append(move.text)
        if move.verb == "challenge":
            self.lifted |= find_premises_matching_challenge(move, self.executor.engine.world.never_rules)

    def _check_conditions(self, move: Move, *, inserted: bool) -> tuple[tuple[str, Margin], ...]:
        margins: list[tuple[str, Margin]] = []
        before = len(self.steps)
        for test in move.tests:
            holds, margin = self._judge_condition(test)
            if not holds and not inserted and self._insert_logistics_move(test):
                holds, margin = self._judge_condition(test)
            if not holds:
                raise RunTermination(f"blocked {test.name}", margin, "; ".join(move.notes))
            # an awaited condition is met exactly on purpose, so its small margin does not count
            margins.append((test.name, None if test.tree in self.awaited else margin))
        if len(self.steps) > before:
            # inserted moves take time and move things, so all conditions are checked again
            for test in move.tests:
                holds, margin = self._judge_condition(test)
                if not holds:
                    raise RunTermination(f"blocked {test.name}", margin, "; ".join(move.notes))
        return tuple(margins)

    def _judge_condition(self, test: MoveCondition) -> tuple[bool, Margin]:
        try:
            return test.judge(self.values)
        except UNDEFINED:
            raise RunTermination(f"blocked {test.name}", None, f"`{test.name}` has no value here") from None

    def _insert_logistics_move(self, test: MoveCondition) -> bool:
        """Execute an omitted logistics move that makes a condition true. Return whether there is one."""
        for move in self.executor.find_logistics_moves(test):
            trial = list(self.values)
            try:
                if all(each.holds(trial) for each in move.tests):
                    for change in move.changes:
                        trial[change.place] = change.compute(self.values)
                    if test.holds(trial):
                        self.execute_move(move, inserted=True)
                        return True
            except UNDEFINED:
                continue
        return False

    def _compute_move_duration(self, move: Move) -> float:
        if move.takes is None:
            return 0.0
        try:
            duration = float(move.takes(self.values))
        except UNDEFINED:
            raise RunTermination(
                f"blocked {move.verb}.takes", None, "its duration has no value here"
            ) from None
        if not 0 <= duration < LONGEST_WAIT:
            raise RunTermination(f"blocked {move.verb}.takes", None, f"its duration would be {duration:g} s")
        return duration

    def _execute_wait_until(self, move: Move) -> None:
        (test,) = move.tests
        before, dangers = self.copy(), dict(self.dangers)
        try:
            self.wait_until_condition(test)
        except RunTermination as ended:
            if ended.end.startswith("never ") or ended.end == "blocked wait_until":
                # a wait for a condition that never comes is not started, so its consequences are undone
                self.values, self.time, self.pending = list(before.values), before.time, list(before.pending)
                self.dangers = dangers
            if ended.end.startswith("never "):
                self.wait_until_condition(test, latest=before.predict_condition_moment(test))
            raise
        self._check_never_rules()
        self.awaited |= {test.tree, *ex.list_children(test.tree)}
        self.steps.append(ExecutedStep(move.text, before.time, self.time - before.time, (), inserted=False))


def find_premises_matching_challenge(move: Move, never_rules: Iterable[NeverRule]) -> frozenset[str]:
    """Return the names of the premises whose quote contains the challenged text.

    Texts shorter than `SHORTEST_QUOTE` match no premise.
    """
    quote = " ".join(strip_quotes(", ".join(move.arguments)).split()).lower()
    return frozenset(
        never.name
        for never in never_rules
        if never.by is NeverRuleSource.PREMISE
        and len(quote) >= SHORTEST_QUOTE
        and quote in " ".join(never.evidence.split()).lower()
    )
