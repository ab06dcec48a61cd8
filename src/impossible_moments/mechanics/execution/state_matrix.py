"""Worlds compiled for many states at once: each state is a row of numbers, each move a step of all rows.

Only worlds whose future follows exactly from the listed states can be compiled. `matrix_obstacles` names what
stands in the way: choices, unattended work, logistics, rates that read changing states, and rates that could make a
condition true, because then waiting would matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impossible_moments.mechanics.execution.executor import PlanExecutor
from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.array_evaluation import evaluate_expression_within_errstate
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import TOLERANCE, Value, Values
from impossible_moments.mechanics.language.simplification import substitute_and_simplify
from impossible_moments.mechanics.records.quantities import QuantityKind
from impossible_moments.mechanics.world.world_model import NeverRuleSource

Rows: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]

GRAIN: Final = 2.0**-40
"""Differences below this share of the size of a column are rounding errors. A power of two keeps whole numbers exact."""


@dataclass(frozen=True, slots=True)
class StateColumn:
    """One changing value: its column in the rows, its bounds, and the grain to which it is rounded."""

    name: str
    low: float
    high: float
    grain: float


@dataclass(frozen=True, slots=True)
class MatrixStep:
    """The rows after a move: for each the row it came from, the new values and the new time."""

    sources: NDArray[np.int64]
    rows: Rows
    times: Rows


class StateMatrix:
    """A world whose states are rows of numbers. Words are coded as whole numbers, truth values as 0 and 1.

    `enforced` names the conditions that hold, or is None for all of them. It serves proofs about conflicts.
    """

    def __init__(
        self,
        executor: PlanExecutor,
        moves: tuple[Move, ...],
        *,
        changes: Mapping[str, Value] | None = None,
        lifted: frozenset[str] = frozenset(),
        enforced: frozenset[str] | None = None,
    ) -> None:
        self.executor = executor
        self.moves = moves
        self.lifted = lifted
        self._words: dict[str, float] = {}
        self._values = executor.engine.build_start_values(changes)
        self._enforced = enforced
        world = executor.engine.world
        self.columns = self._choose_columns()
        self._places = {column.name: place for place, column in enumerate(self.columns)}
        self._tests = [
            [self._prepare(test.tree) for test in move.tests if self._is_enforced(test.name)]
            for move in moves
        ]
        self._durations = [self._prepare(move.takes_tree) for move in moves]
        self._effects = [
            [(self._places[change.name], self._prepare(change.tree)) for change in move.changes]
            for move in moves
        ]
        self._rates = [(self._places[name], self._prepare(tree)) for name, tree in world.rates.items()]
        self._dangers = [
            self._prepare(never.tree)
            for never in world.never_rules
            if never.name not in lifted
            and (never.by is NeverRuleSource.LIBRARY or enforced is None or never.name in enforced)
        ]
        self._goal = self._prepare(world.goal)
        self.deadline = self._compute_deadline()

    def _is_enforced(self, name: str) -> bool:
        own = self._enforced is None or name in self._enforced
        return own or name.split(".", maxsplit=1)[0] not in self.executor.engine.world.actions

    def _choose_columns(self) -> tuple[StateColumn, ...]:
        world = self.executor.engine.world
        read = set(world.collect_stated_quantities(world.goal))
        for tree in (*world.rates.values(), *(never.tree for never in world.never_rules)):
            read |= world.collect_stated_quantities(tree)
        for move in self.moves:
            trees = [*(test.tree for test in move.tests), move.takes_tree]
            trees += [change.tree for change in move.changes]
            read |= {change.name for change in move.changes}.union(
                *(world.collect_stated_quantities(tree) for tree in trees)
            )
        return tuple(
            self._build_column(name)
            for name in sorted(read & world.mutable)
            if name in self.executor.engine.places
        )

    def _build_column(self, name: str) -> StateColumn:
        quantity = self.executor.engine.world.quantities[name]
        value = self._values[self.executor.engine.places[name]]
        bounded = quantity.kind is QuantityKind.STATE
        low = quantity.low if bounded and quantity.low is not None else -np.inf
        high = quantity.high if bounded and quantity.high is not None else np.inf
        sizes = [abs(each) for each in (low, high, self._encode(value)) if np.isfinite(each) and each]
        return StateColumn(name, low, high, 2.0 ** np.ceil(np.log2(max(sizes, default=1.0))) * GRAIN)

    def _encode(self, value: Value) -> float:
        if isinstance(value, str):
            return self._words.setdefault(value, float(len(self._words) + 1))
        return float(value)

    def _prepare(self, tree: Expression) -> Expression:
        """Return the tree over the columns alone, with constants folded and words as numbers."""
        engine = self.executor.engine

        def replace_leaf(node: ex.Name | ex.Property) -> Expression:
            name = node.name if isinstance(node, ex.Name) else node.path
            if name in self._places:
                return node
            value = engine.get_quantity_value(name, self._values)
            if isinstance(value, bool):
                return ex.Truth(value)
            return ex.Text(value) if isinstance(value, str) else ex.Number(float(value))

        prepared = substitute_and_simplify(engine.world.expand_derived_quantities(tree), replace_leaf)
        return self._code_words(prepared)

    def _code_words(self, tree: Expression) -> Expression:
        match tree:
            case ex.Text(value):
                return ex.Number(self._encode(value))
            case ex.Arithmetic(operator, left, right):
                return ex.Arithmetic(operator, self._code_words(left), self._code_words(right))
            case ex.Comparison(operator, left, right):
                return ex.Comparison(operator, self._code_words(left), self._code_words(right))
            case ex.Negation(inner):
                return ex.Negation(self._code_words(inner))
            case ex.UnaryMinus(inner):
                return ex.UnaryMinus(self._code_words(inner))
            case ex.Power(inner, exponent):
                return ex.Power(self._code_words(inner), exponent)
            case ex.Conjunction(parts):
                return ex.Conjunction(tuple(map(self._code_words, parts)))
            case ex.Disjunction(parts):
                return ex.Disjunction(tuple(map(self._code_words, parts)))
            case ex.FunctionCall(function, parts):
                return ex.FunctionCall(function, tuple(map(self._code_words, parts)))
            case ex.Conditional(test, then, otherwise):
                return ex.Conditional(
                    self._code_words(test), self._code_words(then), self._code_words(otherwise)
                )
            case _:
                return tree

    def _compute_deadline(self) -> float:
        if self.executor.deadline is None or not self._is_deadline_enforced():
            return np.inf
        return float(self.executor.deadline(self._values)) * (1 + TOLERANCE)

    def _is_deadline_enforced(self) -> bool:
        return self._enforced is None or "deadline" in self._enforced

    def build_start_row(self) -> Rows:
        """Return the row of the start."""
        places = self.executor.engine.places
        row = [self._encode(self._values[places[column.name]]) for column in self.columns]
        return self._round(np.array([row], dtype=float).reshape(1, len(self.columns)))

    def decode_row(self, row: Rows) -> Values:
        """Return the values of the executor for a row."""
        values = list(self._values)
        words = {code: word for word, code in self._words.items()}
        for column, code in zip(self.columns, row, strict=True):
            place = self.executor.engine.places[column.name]
            match values[place]:
                case bool():
                    values[place] = bool(code)
                case str():
                    values[place] = words[float(code)]
                case _:
                    values[place] = float(code)
        return values

    def encode_values(self, values: Values) -> Rows:
        """Return the row of some values of the executor."""
        places = self.executor.engine.places
        return np.array([self._encode(values[places[column.name]]) for column in self.columns])

    def list_failing_tests(self, number: int, rows: Rows) -> list[str]:
        """Return the names of the conditions of a move that fail in some row."""
        tests = [test for test in self.moves[number].tests if self._is_enforced(test.name)]
        with np.errstate(all="ignore"):
            return [
                test.name
                for test, tree in zip(tests, self._tests[number], strict=True)
                if not self._evaluate_condition(tree, rows).all()
            ]

    def is_goal(self, rows: Rows) -> Mask:
        """Return for each row whether the goal holds."""
        with np.errstate(all="ignore"):
            return self._evaluate_condition(self._goal, rows)

    def measure_goal_distances(self, rows: Rows) -> Rows | None:
        """Return for each row by how much the goal is missed, or None if the goal does not compare two numbers."""
        goal = self._goal
        if not isinstance(goal, ex.Comparison) or goal.operator == "!=":
            return None
        with np.errstate(all="ignore"):
            gap = self._evaluate_number(goal.left, rows) - self._evaluate_number(goal.right, rows)
        missed = {"<": gap, "<=": gap, ">": -gap, ">=": -gap}.get(goal.operator, np.abs(gap))
        return np.maximum(missed, 0.0)

    def take_step(self, number: int, rows: Rows, times: Rows) -> MatrixStep:
        """Carry out a move in every row in which it is possible and ends in time without a danger."""
        with np.errstate(all="ignore"):
            return self._take_step(number, rows, times)

    def _take_step(self, number: int, rows: Rows, times: Rows) -> MatrixStep:
        sources = np.arange(len(rows), dtype=np.int64)
        for tree in self._tests[number]:
            kept = self._evaluate_condition(tree, rows)
            sources, rows = sources[kept], rows[kept]
            if not len(rows):
                return MatrixStep(sources, rows, times[:0])
        durations = self._evaluate_number(self._durations[number], rows)
        later = times[sources] + durations
        kept = (durations >= 0) & (later <= self.deadline)
        sources, rows, durations, later = sources[kept], rows[kept], durations[kept], later[kept]
        passed = self._let_time_pass(rows, durations)
        kept = self._is_safe(passed)
        sources, rows, passed, later = sources[kept], rows[kept], passed[kept], later[kept]
        after, within = self._apply_effects(number, passed)
        kept = within & self._is_safe(after) & np.any(after != passed, axis=1)
        return MatrixStep(sources[kept], after[kept], later[kept])

    def _let_time_pass(self, rows: Rows, durations: Rows) -> Rows:
        if not self._rates:
            return rows
        passed = rows.copy()
        for place, tree in self._rates:
            column = self.columns[place]
            moved = rows[:, place] + self._evaluate_number(tree, rows) * durations
            passed[:, place] = np.clip(moved, column.low, column.high)
        return self._round(passed)

    def _apply_effects(self, number: int, rows: Rows) -> tuple[Rows, Mask]:
        after, within = rows.copy(), np.ones(len(rows), dtype=bool)
        for place, tree in self._effects[number]:
            value = self._evaluate_number(tree, rows)
            column, tolerance = self.columns[place], TOLERANCE * (np.abs(value) + 1e-30)
            within &= (value >= column.low - tolerance) & (value <= column.high + tolerance)
            after[:, place] = value
        return self._round(after), within

    def _is_safe(self, rows: Rows) -> Mask:
        safe = np.ones(len(rows), dtype=bool)
        for tree in self._dangers:
            safe &= ~self._evaluate_condition(tree, rows)
        return safe

    def _round(self, rows: Rows) -> Rows:
        """Return the rows without rounding errors, so that equal states are equal rows."""
        return np.where(np.isfinite(rows), np.rint(rows / self._grains) * self._grains, rows)

    def count_grains(self, rows: Rows) -> NDArray[np.int64]:
        """Return the rows as whole numbers of grains, which identify a state."""
        counts: NDArray[np.int64] = np.rint(rows / self._grains).astype(np.int64)
        return counts

    @cached_property
    def _grains(self) -> Rows:
        return np.array([column.grain for column in self.columns])

    def _evaluate_condition(self, tree: Expression, rows: Rows) -> Mask:
        return self._evaluate(tree, rows, bool)

    def _evaluate_number(self, tree: Expression, rows: Rows) -> Rows:
        return self._evaluate(tree, rows, float)

    def _evaluate(self, tree: Expression, rows: Rows, kind: type) -> NDArray[Any]:
        """Return the value of a tree for each row. The caller has switched numpy's warnings off."""
        found: NDArray[Any] = np.asarray(
            evaluate_expression_within_errstate(tree, _RowValues(rows, self._places)), dtype=kind
        )
        return found if found.shape == (len(rows),) else np.broadcast_to(found, (len(rows),))


@dataclass(frozen=True, slots=True)
class _RowValues:
    """The columns of some rows by name."""

    rows: Rows
    places: Mapping[str, int]

    def __getitem__(self, name: str, /) -> Rows:
        return self.rows[:, self.places[name]]
