"""A greedy search for a plan: at each step the line that brings the goal nearest, without looking further ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.menus import LineKind, build_action_menu
from impossible_moments.mechanics.execution import Move, MoveError, PlanRun, RunTermination
from impossible_moments.mechanics.language import UNDEFINED, Expression, Value
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import PlanError, Quantity, parse_call

MOST_STEPS: Final = 12
"""The most steps of a greedy plan."""
_VALUE_SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The places in the range of a value at which it is tried."""
_Judge = Callable[[list[Value]], tuple[bool, float | None]]
Distance = tuple[int, float, int]
"""Unmet parts of the goal, the sum of their shortfalls, and unmet conditions of all lines. Smaller is nearer."""


def find_greedy_plan(key: AnswerKey) -> tuple[str, ...]:
    """Return the calls that a greedy search chooses. They need not reach the goal.

    The distance is the number of unmet parts of the goal, then the margins by which they are missed, then the number of
    conditions of the lines that do not hold. A line is taken only if it can be executed and shortens the distance.
    """
    return _GreedySearch(key).find_plan()


def find_plan_within_nodes(key: AnswerKey, nodes: int) -> tuple[str, ...] | None:
    """Return a plan that a best-first search finds, or None if it follows `nodes` partial plans without one.

    The partial plan nearest to the goal is followed first, by the distance of the greedy search.
    """
    return _GreedySearch(key).search_best_first(nodes)


class _GreedySearch:
    def __init__(self, key: AnswerKey) -> None:
        self._key = key
        engine = key.analysis.engine
        self._moves = tuple(_iterate_moves(key))
        self._goal = [engine.compile_condition_judge(part) for part in _split(key.analysis.world.goal)]
        trees = {test.tree: None for move in self._moves for test in move.tests}
        self._conditions = [engine.compile_condition_judge(tree) for tree in trees]

    def find_plan(self) -> tuple[str, ...]:
        executor = self._key.analysis.executor
        run = PlanRun(executor, executor.engine.build_start_values(), frozenset())
        plan: list[str] = []
        distance = self._measure(run.values)
        while len(plan) < MOST_STEPS and not run.is_goal_met():
            found = min(self._try_moves(run, plan), key=lambda each: each[0], default=None)
            if found is None or found[0] >= distance:
                break
            distance, run, call = found
            plan.append(call)
        return tuple(plan)

    def search_best_first(self, nodes: int) -> tuple[str, ...] | None:
        executor = self._key.analysis.executor
        start = PlanRun(executor, executor.engine.build_start_values(), frozenset())
        longest = self._key.analysis.world.record.longest_plan or MOST_STEPS
        ties = count()
        waiting: list[tuple[Distance, int, int, PlanRun, tuple[str, ...]]] = []
        heappush(waiting, (self._measure(start.values), 0, next(ties), start, ()))
        followed = 0
        while waiting and followed < nodes:
            *_, run, plan = heappop(waiting)
            if run.is_goal_met():
                return plan
            followed += 1
            if len(plan) < longest:
                for distance, trial, call in self._try_moves(run, ()):
                    heappush(waiting, (distance, len(plan) + 1, next(ties), trial, (*plan, call)))
        return None

    def _try_moves(self, run: PlanRun, plan: Sequence[str]) -> Iterator[tuple[Distance, PlanRun, str]]:
        for move in self._moves:
            if move.text in plan:
                continue
            trial = run.copy()
            try:
                trial.execute_move(move)
            except RunTermination:
                continue
            if not trial.is_late:
                yield self._measure(trial.values), trial, move.text

    def _measure(self, values: list[Value]) -> Distance:
        missed = [margin for holds, margin in _judge(self._goal, values) if not holds]
        unmet = sum(not holds for holds, _ in _judge(self._conditions, values))
        return len(missed), sum(-min(margin, 0.0) for margin in missed if margin is not None), unmet


def _judge(conditions: Iterable[_Judge], values: list[Value]) -> Iterator[tuple[bool, float | None]]:
    for judge in conditions:
        try:
            yield judge(values)
        except UNDEFINED:
            yield False, None


def _split(goal: Expression) -> tuple[Expression, ...]:
    return tuple(goal.parts) if isinstance(goal, ex.Conjunction) else (goal,)


def _iterate_moves(key: AnswerKey) -> Iterator[Move]:
    """Yield the moves of all lines, and several values for each line that takes one. Puzzles are not answered."""
    decisions = {quantity.name: quantity for quantity in key.analysis.engine.decisions}
    for line in build_action_menu(key, with_unsaid=True).lines:
        calls: Iterable[str] = ()
        if line.kind is LineKind.CALL:
            calls = (line.call,)
        elif line.kind is LineKind.VALUE:
            calls = _iterate_value_calls(decisions[line.call])
        for call in calls:
            try:
                yield key.analysis.executor.moves.get_move(parse_call(call))
            except (MoveError, PlanError):
                continue


def _iterate_value_calls(quantity: Quantity) -> Iterator[str]:
    if quantity.low is None or quantity.high is None:
        return
    unit = quantity.display_unit
    for share in _VALUE_SHARES:
        value = quantity.low + share * (quantity.high - quantity.low)
        number = f"{value if unit is None else unit.from_si(value):.6g}"
        yield (
            f"choose({quantity.name}={number})"
            if unit is None
            else f"choose({quantity.name}={number}[{unit}])"
        )
