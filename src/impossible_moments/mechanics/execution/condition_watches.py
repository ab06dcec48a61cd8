"""Watches of conditions while time passes, and the first moment of a segment at which a condition holds.

A condition changes only where something in it turns: a comparison, a rounded number, a kink or a pole. A
watch compares on which side each of these is at two moments, so a change between them is found however short
it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final, TypeAlias

from impossible_moments.mechanics.execution.root_finding import find_first_true_moment, find_first_zero_moment
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import Dimension
from impossible_moments.mechanics.language.expression_types import ExpressionTypeError
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import TOLERANCE, UNDEFINED, Closure, Values
from impossible_moments.mechanics.world.engine import WorldEngine

SHARE_BEFORE_TURN: Final = 1e-9
"""How long before a kink or pole the condition is tested, as a share of the time up to it."""
WHOLE: Final = frozenset({"ceil", "floor"})
KINKED_FUNCTIONS: Final = frozenset({"abs", "min", "max"})

Positions: TypeAlias = tuple[float | None, ...]
"""The side of each node that can turn: -1, 0, 1 or a whole number, and None where it is undefined."""
Turning: TypeAlias = ex.Comparison | ex.FunctionCall | ex.Arithmetic
Sides: TypeAlias = Callable[[Values], Positions]
Gap: TypeAlias = Callable[[Values], tuple[float, float]]
"""The difference of two numbers, and the tolerance within which it counts as zero."""
ValuesAtMoment: TypeAlias = Callable[[float], Values]
"""A function that returns the values at a moment of a segment."""


@dataclass(frozen=True, slots=True)
class ConditionWatch:
    """A watched condition.

    `result_if_undefined` is its truth where it is undefined: true for a danger, false for an awaited
    condition.
    """

    holds: Closure
    sides: Sides
    gaps: tuple[Gap | None, ...]
    result_if_undefined: bool
    is_kinked: bool
    """Whether its numbers have kinks or poles, where it may become true before a turn is detected."""
    is_linear: bool
    """Whether all comparisons are linear in the changing states, so each turns at most once on a line."""

    def is_met(self, values: Values) -> bool:
        """Return whether the condition holds."""
        try:
            return bool(self.holds(values))
        except UNDEFINED:
            return self.result_if_undefined

    def find_first_met_moment(self, earlier: float, later: float, values_at: ValuesAtMoment) -> float | None:
        """Return the first moment after `earlier` and up to `later` at which the condition holds, or None."""
        previous = earlier
        turns = self._find_turning_moments(earlier, later, values_at)
        moments = {*turns, *((one + other) / 2 for one, other in pairwise([*turns, later])), later}
        if self.is_kinked:
            moments |= {turn - SHARE_BEFORE_TURN * (turn - earlier) for turn in turns}
        for moment in sorted(moments):
            if self.is_met(values_at(moment)):
                # nothing changes before a turn, so the condition cannot have held earlier
                if moment in turns and not self.is_kinked:
                    return moment
                return find_first_true_moment(lambda at: self.is_met(values_at(at)), previous, moment)
            previous = moment
        return None

    def _find_turning_moments(self, earlier: float, later: float, values_at: ValuesAtMoment) -> list[float]:
        """Return the sorted moments at which the nodes turn whose sides differ between the two ends."""
        before, after = self.sides(values_at(earlier)), self.sides(values_at(later))
        changed = (number for number, was in enumerate(before) if was != after[number])
        return sorted(
            {
                self._find_turning_moment(number, before[number], earlier, later, values_at)
                for number in changed
            }
        )

    def _find_turning_moment(
        self, number: int, earlier_side: float | None, earlier: float, later: float, values_at: ValuesAtMoment
    ) -> float:
        gap = self.gaps[number]
        if gap is None or earlier_side is None:
            return find_first_true_moment(
                lambda at: self.sides(values_at(at))[number] != earlier_side, earlier, later
            )

        def compute_remaining_gap(moment: float) -> float | None:
            try:
                difference, tolerance = gap(values_at(moment))
            except UNDEFINED:
                return None
            return earlier_side * difference - tolerance if earlier_side else tolerance - abs(difference)

        return find_first_zero_moment(compute_remaining_gap, earlier, later)


def create_condition_watch(
    engine: WorldEngine, tree: Expression, changing_states: Set[str], *, may_be_undefined: bool
) -> ConditionWatch:
    """Create a watch for a condition while the states named in `changing_states` change."""
    nodes = _find_turning_nodes(engine, (tree,), changing_states, kinks=True)
    is_plain = all(
        isinstance(node, ex.Comparison)
        and _is_linear_expression(engine, node.left, changing_states)
        and _is_linear_expression(engine, node.right, changing_states)
        for node in nodes
    )
    is_kinked = any(not isinstance(node, ex.Comparison) for node in nodes)
    gaps = tuple(gap for node in nodes for gap in _compile_gaps(engine, node))
    sides = compile_sides_of_turning_nodes(engine, (tree,), changing_states)
    return ConditionWatch(engine.compile_expression(tree), sides, gaps, may_be_undefined, is_kinked, is_plain)


def compile_sides_of_turning_nodes(
    engine: WorldEngine, trees: Iterable[Expression], changing_states: Set[str], *, kinks: bool = True
) -> Sides:
    """Compile a function that returns the sides of all nodes that can turn.

    `changing_states` names the states that change. Kinks and poles are included only if `kinks` is true.
    """
    nodes = _find_turning_nodes(engine, trees, changing_states, kinks=kinks)
    found = [
        engine.compile_expression(node) if gap is None else _compile_sign_of_gap(gap)
        for node in nodes
        for gap in _compile_gaps(engine, node)
    ]
    if not found:
        return lambda _values: ()
    if len(found) == 1:
        return _compile_single_side(found[0])

    def compute_sides(values: Values) -> Positions:
        try:
            return tuple([side(values) for side in found])
        except UNDEFINED:
            return tuple(_compute_side_or_none(side, values) for side in found)

    return compute_sides


def _find_turning_nodes(
    engine: WorldEngine, trees: Iterable[Expression], changing_states: Set[str], *, kinks: bool
) -> list[Turning]:
    """Return the nodes that can turn: comparisons, rounded numbers, and with `kinks` also kinks and poles."""
    nodes = dict.fromkeys(
        node for tree in trees for node in ex.walk_nodes(engine.world.expand_derived_quantities(tree))
    )
    found: list[Turning] = []
    for node in nodes:
        match node:
            case ex.Comparison(_, left, _) if _is_numeric_expression(engine, left):
                found.append(node)
            case ex.FunctionCall(function, _) if function in WHOLE or (
                kinks and function in KINKED_FUNCTIONS
            ):
                found.append(node)
            case ex.Arithmetic("/", _, right) if (
                kinks and engine.world.collect_stated_quantities(right) & changing_states
            ):
                found.append(node)
            case _:
                pass
    return [node for node in found if engine.world.collect_stated_quantities(node) & changing_states]


def _is_linear_expression(engine: WorldEngine, tree: Expression, changing_states: Set[str]) -> bool:
    """Return whether an expression is linear in the changing states."""
    if not engine.world.collect_stated_quantities(tree) & changing_states:
        return True
    match tree:
        case ex.Name() | ex.Property():
            return True
        case ex.UnaryMinus(inner):
            return _is_linear_expression(engine, inner, changing_states)
        case ex.Arithmetic("+" | "-", left, right):
            return _is_linear_expression(engine, left, changing_states) and _is_linear_expression(
                engine, right, changing_states
            )
        case ex.Arithmetic("*", left, right):
            constant_parts = [
                each
                for each in (left, right)
                if not engine.world.collect_stated_quantities(each) & changing_states
            ]
            return bool(constant_parts) and all(
                _is_linear_expression(engine, each, changing_states) for each in (left, right)
            )
        case ex.Arithmetic("/", left, right):
            return not engine.world.collect_stated_quantities(
                right
            ) & changing_states and _is_linear_expression(engine, left, changing_states)
        case _:
            return False


def _compile_gaps(engine: WorldEngine, node: Turning) -> Iterator[Gap | None]:
    """Yield the gaps whose zeros are the turns of a node, or None for a rounded number, which jumps."""
    match node:
        case ex.Comparison(_, left, right):
            yield _compile_gap(engine.compile_expression(left), engine.compile_expression(right))
        case ex.Arithmetic(_, _, divisor):
            yield _compile_gap(engine.compile_expression(divisor), _return_zero)
        case ex.FunctionCall("abs", (inner,)):
            yield _compile_gap(engine.compile_expression(inner), _return_zero)
        case ex.FunctionCall(function, parts) if function in KINKED_FUNCTIONS:
            for one, other in combinations([engine.compile_expression(part) for part in parts], 2):
                yield _compile_gap(one, other)
        case ex.FunctionCall():
            yield None


def _is_numeric_expression(engine: WorldEngine, tree: Expression) -> bool:
    try:
        return isinstance(engine.infer_expression_type(tree), Dimension)
    except ExpressionTypeError:
        return False


def _compile_single_side(side: Closure) -> Sides:
    return lambda values: (_compute_side_or_none(side, values),)


def _return_zero(_values: Values) -> float:
    return 0.0


def _compile_gap(left: Closure, right: Closure) -> Gap:
    def compute_gap(values: Values) -> tuple[float, float]:
        one, other = left(values), right(values)
        return one - other, TOLERANCE * (abs(one) + abs(other))

    return compute_gap


def _compile_sign_of_gap(gap: Gap) -> Closure:
    def compute_side(values: Values) -> float:
        difference, tolerance = gap(values)
        if abs(difference) <= tolerance:
            return 0.0
        return 1.0 if difference > 0 else -1.0

    return compute_side


def _compute_side_or_none(side: Closure, values: Values) -> float | None:
    try:
        found: float = side(values)
    except UNDEFINED:
        return None
    return found
