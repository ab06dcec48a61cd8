"""Bounded breadth-first search for plans that reach the goal.

A plan has at most twelve calls. That is a rule of the language, not a bound of the search. Within this limit
the search is complete unless it runs out of nodes. In that case `SearchBounds.exhausted` is false.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from impossible_moments.mechanics.execution.executor import PlanExecutor, PlanRun
from impossible_moments.mechanics.execution.graph_search import GraphPlanSearch, select_allowed_moves
from impossible_moments.mechanics.execution.matrix_obstacles import find_matrix_obstacle
from impossible_moments.mechanics.execution.moves import Move, MoveKind
from impossible_moments.mechanics.execution.outcomes import RunTermination
from impossible_moments.mechanics.execution.search_limits import SearchBounds, SearchSituation
from impossible_moments.mechanics.execution.trajectory_integrator import RatesTooFastError
from impossible_moments.mechanics.language import dimensions as dim
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED, Closure, Value
from impossible_moments.mechanics.records.plans import PlannedCall
from impossible_moments.mechanics.records.quantities import Quantity

MOST_WAITS: Final = 16
"""How many lengths of a wait until a danger has passed are tried, and how often the result is refined."""
LONGEST_SEARCHED: Final = 1e5
CURVED: Final = 60
GRID: Final = 17
"""How many values of a continuous decision the search tries. Proofs cover the whole range."""


class PlanSearcher:
    """Search for plans in one world."""

    def __init__(self, executor: PlanExecutor) -> None:
        self.executor = executor
        engine = executor.engine
        # a node whose rates must be integrated numerically costs as much as many others
        self._has_pruned = False
        self._cost = 1 if executor.dynamics.has_constant_rates else CURVED
        self._places = [engine.places[name] for name in sorted(engine.world.mutable) if name in engine.places]
        self._moves = tuple(
            self._select_relevant_moves((*executor.moves.all_actions, *executor.moves.list_answer_moves()))
        )
        self._choices = tuple(
            move for quantity in engine.decisions for move in self._create_choice_moves(quantity)
        )

    @cached_property
    def graph_obstacle(self) -> str:
        """Why the states of this world cannot be followed one by one, or an empty text."""
        return find_matrix_obstacle(self.executor, self._moves)

    @cached_property
    def graph(self) -> GraphPlanSearch | None:
        """The search in the state graph, if the record states its longest plan and its states can be followed."""
        if self.executor.engine.world.record.longest_plan is None or self.graph_obstacle:
            return None
        return GraphPlanSearch(self.executor, self._moves)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that can contribute to the goal."""
        return self._moves

    def find_plan(
        self, bounds: SearchBounds, situation: SearchSituation | None = None
    ) -> tuple[Move, ...] | None:
        """Find a plan with the fewest calls that reaches the goal in time, or None. No call is unneeded."""
        situation = situation or SearchSituation()
        if self.graph is not None:
            found = self.graph.find_plan(bounds, situation)
        else:
            allowed = select_allowed_moves(self._moves, situation)
            found = self._search_breadth_first(allowed, situation, bounds)
        return None if found is None else self.remove_unneeded_moves(found, situation)

    def remove_unneeded_moves(
        self, plan: tuple[Move, ...], situation: SearchSituation | None = None
    ) -> tuple[Move, ...]:
        """Return the plan without the moves that it can reach the goal without."""
        situation = situation or SearchSituation()
        kept = list(plan)
        for move in plan:
            fewer = [each for each in kept if each is not move]
            if len(fewer) < len(kept) and fewer and self._does_plan_reach_goal(fewer, situation):
                kept = fewer
        return tuple(kept)

    def _does_plan_reach_goal(self, plan: list[Move], situation: SearchSituation) -> bool:
        return self.executor.run_plan(plan, changes=situation.changes, lifted=situation.lifted).reaches_goal

    def _search_breadth_first(
        self, allowed: list[Move], situation: SearchSituation, bounds: SearchBounds
    ) -> tuple[Move, ...] | None:
        self._has_pruned = False
        first = PlanRun(
            self.executor, self.executor.engine.build_start_values(situation.changes), situation.lifted
        )
        allowed = [move for move in allowed if self._can_move_ever_succeed(move, first)]
        best: dict[object, float] = {self._compute_state_key(first): 0.0}
        queue: deque[tuple[PlanRun, tuple[Move, ...]]] = deque([(first, ())])
        while queue:
            run, path = queue.popleft()
            if len(path) >= bounds.depth:
                continue
            for move, after in self._iterate_successors(run, allowed):
                if not bounds.spend_nodes(self._cost):
                    return None
                if after.is_late:
                    continue
                if after.is_goal_met():
                    return (*path, move)
                if self._can_unattended_moves_reach_goal(after):
                    return (*path, move)
                key = self._compute_state_key(after)
                if after.time < best.get(key, float("inf")):
                    best[key] = after.time
                    queue.append((after, (*path, move)))
        # a plan may have been missed where the rates could not be followed
        bounds.exhausted = bounds.exhausted and not self._has_pruned
        return None

    def _iterate_successors(self, run: PlanRun, allowed: list[Move]) -> Iterator[tuple[Move, PlanRun]]:
        dynamics = self.executor.dynamics
        for move in (*allowed, *self._choices):
            if move.kind is MoveKind.CHOOSE:
                if not {change.name for change in move.changes} <= run.undecided_quantities:
                    continue
            elif move.decides & run.undecided_quantities:
                continue
            elif dynamics.changing_states and (wait := self._find_wait_for_move(move, run)) is not None:
                yield from self._iterate_runs_after_move(run, wait)
                continue
            yield from self._iterate_runs_after_move(run, move)
        if (
            dynamics.changing_states
            and (wait := self._create_wait_until_move(run, (self.executor.engine.world.goal,))) is not None
        ):
            yield from self._iterate_runs_after_move(run, wait)
        if run.pending:
            moment = max(min(each[0] for each in run.pending) - run.time, 0.0)
            yield from self._iterate_runs_after_move(
                run, self.executor.moves.get_move(PlannedCall("wait", (f"{moment:.9g}[s]",)))
            )

    def _iterate_runs_after_move(self, run: PlanRun, move: Move) -> Iterator[tuple[Move, PlanRun]]:
        try:
            if move.kind is MoveKind.ACT and not self._can_move_succeed_now(move, run):
                return
            after = run.copy()
            after.execute_move(move)
        except RunTermination as ended:
            self._has_pruned = self._has_pruned or ended.lost
            if ended.end.startswith("never ") and (wait := self._find_wait_until_safe(run, move)) is not None:
                yield from self._iterate_runs_after_move(run, wait)
            return
        except UNDEFINED:
            return
        # an action without a change is only a wait, and waits are tried separately; a choice always counts
        if (
            not move.changes
            or move.unattended
            or move.kind is MoveKind.CHOOSE
            or any(after.values[each.place] != run.values[each.place] for each in move.changes)
        ):
            yield move, after

    def _find_wait_until_safe(self, run: PlanRun, move: Move) -> Move | None:
        """Find the shortest wait after which a move no longer triggers a never-line, or None."""
        if not self.executor.dynamics.changing_states or move.verb in {"wait", "wait_until"}:
            return None
        if self._does_waiting_change_nothing(run, move):
            return None
        horizon = (run.deadline or LONGEST_SEARCHED) - run.time
        safe = next(
            (
                step
                for step in range(1, MOST_WAITS + 1)
                if self._can_move_succeed_after_wait(run, move, horizon * step / MOST_WAITS)
            ),
            None,
        )
        if safe is None or horizon <= 0:
            return None
        low, high = horizon * (safe - 1) / MOST_WAITS, horizon * safe / MOST_WAITS
        for _ in range(MOST_WAITS):
            middle = (low + high) / 2
            low, high = (
                (low, middle) if self._can_move_succeed_after_wait(run, move, middle) else (middle, high)
            )
        return self.executor.moves.get_move(PlannedCall("wait", (f"{high:.9g}[s]",)))

    def _does_waiting_change_nothing(self, run: PlanRun, move: Move) -> bool:
        """Return whether a move ends the run however long it is put off.

        That is so if a never-line is met while the move lasts, whatever the move itself changes: the states then pass
        through the same values during the wait or during the move. It is decided only where this is exact: with
        constant rates, without anything under way, and for a duration that time does not change.
        """
        dynamics, changing = self.executor.dynamics, self.executor.dynamics.changing
        if run.pending or not dynamics.has_constant_rates or move.takes is None or move.unattended:
            return False
        if self.executor.engine.world.collect_stated_quantities(move.takes_tree) & changing:
            return False
        if any(self.executor.find_logistics_moves(test) for test in move.tests):
            return False
        if not all(danger.is_linear for _, danger in self.executor.dangers):
            return False
        try:
            run.copy().advance_time(float(move.takes(run.values)))
        except RunTermination as ended:
            return ended.end.startswith("never ")
        except UNDEFINED:
            return False
        return False

    def _can_move_succeed_after_wait(self, run: PlanRun, move: Move, wait: float) -> bool:
        trial = run.copy()
        try:
            trial.advance_time(wait)
            trial.execute_move(move)
        except RunTermination as ended:
            self._has_pruned = self._has_pruned or ended.lost
            return False
        except UNDEFINED:
            return False
        return True

    def _can_move_ever_succeed(self, move: Move, run: PlanRun) -> bool:
        """Return whether all conditions of a move that nothing can change hold at the start."""
        return all(
            test.reads_state or move.decides or _is_condition_true(test.holds, run) for test in move.tests
        )

    def _can_move_succeed_now(self, move: Move, run: PlanRun) -> bool:
        """Return whether each condition of a move holds, or a logistics move might make it hold."""
        return all(test.holds(run.values) or self.executor.find_logistics_moves(test) for test in move.tests)

    def _find_wait_for_move(self, move: Move, run: PlanRun) -> Move | None:
        """Return a wait for the failing conditions of a move if rates alone make them true, or None."""
        failing = tuple(test.tree for test in move.tests if not _is_condition_true(test.holds, run))
        return self._create_wait_until_move(run, failing) if failing else None

    def _create_wait_until_move(self, run: PlanRun, trees: tuple[ex.Expression, ...]) -> Move | None:
        dynamics, world = self.executor.dynamics, self.executor.engine.world
        if not all(world.collect_stated_quantities(tree) & dynamics.changing for tree in trees):
            return None
        condition = trees[0] if len(trees) == 1 else ex.Conjunction(trees)
        text = ex.format_expression(condition)
        if "[SI]" in text:
            return None
        quote = '"' if "'" in text else "'"
        move = self.executor.moves.get_move(PlannedCall("wait_until", (f"{quote}{text}{quote}",)))
        try:
            return move if run.can_condition_come_true(move.tests[0]) else None
        except RatesTooFastError:
            self._has_pruned = True
            return None

    def _can_unattended_moves_reach_goal(self, run: PlanRun) -> bool:
        if not run.pending:
            return False
        trial = run.copy()
        try:
            trial.finish_unattended_moves()
        except RunTermination as ended:
            self._has_pruned = self._has_pruned or ended.lost
            return False
        return trial.is_goal_met() and not trial.is_late

    def _compute_state_key(self, run: PlanRun) -> object:
        values = tuple(_round_value(run.values[place]) for place in self._places)
        pending = tuple(sorted((round(moment - run.time, 6), move.text) for moment, move in run.pending))
        choices = tuple(
            run.values[self.executor.engine.places[quantity.name]]
            for quantity in self.executor.engine.decisions
            if quantity.name not in run.undecided_quantities
        )
        return values, pending, choices

    def _select_relevant_moves(self, moves: tuple[Move, ...]) -> Iterator[Move]:
        """Yield the moves that change what the goal, a rate, a never-line or another such move reads."""
        world = self.executor.engine.world
        wanted_names = set(world.collect_stated_quantities(world.goal))
        for tree in (*world.rates.values(), *(never.tree for never in world.never_rules)):
            wanted_names |= world.collect_stated_quantities(tree)
        relevant_moves: dict[str, Move] = {}
        while True:
            fresh = [
                move
                for move in moves
                if move.text not in relevant_moves
                and any(change.name in wanted_names for change in move.changes)
            ]
            if not fresh:
                return (yield from (move for move in moves if move.text in relevant_moves))
            for move in fresh:
                relevant_moves[move.text] = move
                trees = [
                    *(test.tree for test in move.tests),
                    move.takes_tree,
                    *(change.tree for change in move.changes),
                ]
                wanted_names |= set().union(*(world.collect_stated_quantities(tree) for tree in trees))

    def _create_choice_moves(self, quantity: Quantity) -> Iterator[Move]:
        for text in _list_decision_values_to_try(quantity):
            yield self.executor.moves.get_move(PlannedCall("choose", (f"{quantity.name}={text}",)))


def _is_condition_true(holds: Closure, run: PlanRun) -> bool:
    try:
        return bool(holds(run.values))
    except UNDEFINED:
        return False


def _round_value(value: Value) -> Value:
    return float(f"{value:.9g}") if isinstance(value, float) else value


def _list_decision_values_to_try(quantity: Quantity) -> list[str]:
    unit = quantity.display_unit
    if quantity.options:
        return [_format_decision_value(value, quantity) for value in quantity.options]
    low, high = quantity.low or 0.0, quantity.high or 0.0
    values = [low + (high - low) * step / (GRID - 1) for step in range(GRID)]
    if low > 0 and high / low > 50:  # noqa: PLR2004 - a range over orders of magnitude is walked in ratios
        values = [low * (high / low) ** (step / (GRID - 1)) for step in range(GRID)]
    return [f"{unit.from_si(value):.12g}[{unit.text}]" if unit else f"{value:.12g}" for value in values]


def _format_decision_value(value: Value, quantity: Quantity) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    tree = quantity.tree
    dimension = tree.dimension if isinstance(tree, ex.Number) else None
    if dimension is None or dimension.is_plain:
        return f"{value:.12g}"
    return f"{value:.12g}[{_format_si_unit(tree)}]"


def _format_si_unit(tree: ex.Expression) -> str:
    powers = tree.dimension.powers if isinstance(tree, ex.Number) else ()
    return "*".join(f"{dim.BASE_UNITS[base]}**{power}" for base, power in powers)
