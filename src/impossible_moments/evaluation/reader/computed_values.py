"""Values that the record computes where a condition is tested, with which the figures of an answer are compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from impossible_moments.audit.numbers import Amount
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.mechanics.execution import Move
from impossible_moments.mechanics.language import UNDEFINED, Dimension, Expression, ExpressionTypeError, Value
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import Quantity
from impossible_moments.mechanics.world import WorldEngine


class ComputedValue(NamedTuple):
    """A number in SI units."""

    value: float
    dimension: Dimension


def iterate_stated_values(condition: str, key: AnswerKey) -> Iterator[ComputedValue]:
    """Yield the stated values that a condition depends on."""
    quantities = key.analysis.world.quantities
    decisions = {each.name for each in key.analysis.engine.decisions}
    for path in sorted(key.conditions.get_quantity_paths(condition) - decisions):
        quantity = quantities.get(path)
        if quantity is not None and quantity.display_unit is not None:
            yield from _build_value(quantity.value, quantity.display_unit.dimension)


def iterate_compared_values(condition: str, key: AnswerKey) -> Iterator[ComputedValue]:
    """Yield what a condition compares, for each act that it limits: at the start, and where the approaches end."""
    engine = key.analysis.engine
    states = (engine.build_start_values(), *(each.values for each in key.analysis.outcomes.values()))
    for tree in _iterate_tested_trees(condition, key):
        for side in _iterate_sides(tree):
            try:
                dimension = engine.infer_expression_type(side)
            except ExpressionTypeError:
                continue
            if isinstance(dimension, Dimension):
                for values in filter(None, states):
                    yield from _evaluate(side, values, dimension, engine)


def is_needed_choice(amount: Amount, condition: str, key: AnswerKey) -> bool:
    """Return whether an amount is a choice with which a condition would hold that fails for a choice that is allowed.

    A share may be given as what it is a share of: 1.7 m of a case of 1 m.
    """
    engine = key.analysis.engine
    return any(
        _would_hold(amount.si[0] / scale, decision, condition, key)
        for decision in engine.decisions
        for scale in _iterate_scales(amount, decision, condition, key)
    )


def _iterate_scales(amount: Amount, decision: Quantity, condition: str, key: AnswerKey) -> Iterator[float]:
    own = key.analysis.engine.get_quantity_type(decision.name)
    if own == amount.dimension:
        yield 1.0
    if isinstance(own, Dimension) and own.is_plain:
        stated = iterate_stated_values(condition, key)
        yield from (each.value for each in stated if each.dimension == amount.dimension and each.value)


def _would_hold(value: float, decision: Quantity, condition: str, key: AnswerKey) -> bool:
    """Return whether an act becomes possible with a chosen value, although an end of the allowed range fails."""
    engine = key.analysis.engine
    for move in _iterate_moves(condition, key):
        if decision.name not in move.decides:
            continue
        ends = [each for each in (decision.low, decision.high) if each is not None]
        own = [each for each in move.tests if each.name == condition]
        limits = [
            each for each in move.tests if decision.name in engine.world.collect_stated_quantities(each.tree)
        ]
        try:
            values = engine.build_start_values({decision.name: value})
            if all(each.holds(values) for each in limits) and any(
                not test.holds(engine.build_start_values({decision.name: end}))
                for test in own
                for end in ends
            ):
                return True
        except UNDEFINED:
            continue
    return False


def _iterate_moves(condition: str, key: AnswerKey) -> Iterator[Move]:
    verb = condition.partition(".")[0]
    yield from (each for each in key.analysis.executor.moves.all_actions if each.verb == verb)


def _iterate_tested_trees(condition: str, key: AnswerKey) -> Iterator[Expression]:
    """Yield the expressions of a condition, with the things of each act in their places."""
    yield from (rule.tree for rule in key.analysis.world.never_rules if rule.name == condition)
    for move in _iterate_moves(condition, key):
        yield from (test.tree for test in move.tests if test.name == condition)


def _iterate_sides(tree: Expression) -> Iterator[Expression]:
    match tree:
        case ex.Comparison(left=left, right=right):
            yield from (left, right)
        case ex.Conjunction(parts=parts) | ex.Disjunction(parts=parts):
            for part in parts:
                yield from _iterate_sides(part)
        case ex.Negation(inner=inner):
            yield from _iterate_sides(inner)
        case _:
            return


def _evaluate(
    tree: Expression, values: list[Value], dimension: Dimension, engine: WorldEngine
) -> Iterator[ComputedValue]:
    try:
        found = engine.evaluate_expression(tree, values)
    except UNDEFINED:
        return
    yield from _build_value(found, dimension)


def _build_value(value: Value | None, dimension: Dimension) -> Iterator[ComputedValue]:
    """Yield a number with its dimension, and nothing for words and truth values."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield ComputedValue(float(value), dimension)
