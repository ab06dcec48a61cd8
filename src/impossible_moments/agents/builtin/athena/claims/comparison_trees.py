"""Comparisons inside conditions: which of them hold, which fail, and their negation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.language import UNDEFINED, Value
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.world import WorldEngine

_NEGATED_OPERATORS: Final = {">=": "<", ">": "<=", "<=": ">", "<": ">=", "==": "!=", "!=": "=="}


def negate_comparison(tree: ex.Comparison) -> ex.Comparison:
    """Return the comparison that holds where this one fails."""
    return ex.Comparison(_NEGATED_OPERATORS[tree.operator], tree.left, tree.right)


def collect_comparisons(
    tree: ex.Expression, engine: WorldEngine, values: list[Value]
) -> Iterator[ex.Comparison]:
    """Yield the comparisons that a condition requires at these values.

    Of alternatives, those that hold count. Of a conditional, the branch that applies counts.
    """
    match tree:
        case ex.Comparison():
            yield tree
        case ex.Negation(ex.Comparison() as inner):
            yield negate_comparison(inner)
        case ex.Conjunction(parts):
            for part in parts:
                yield from collect_comparisons(part, engine, values)
        case ex.Disjunction(parts):
            for part in parts:
                if _holds(part, engine, values):
                    yield from collect_comparisons(part, engine, values)
        case ex.Conditional(test, then, otherwise):
            branch = then if _holds(test, engine, values) else otherwise
            yield from collect_comparisons(branch, engine, values)


def list_failing_comparisons(
    tree: ex.Expression, engine: WorldEngine, values: list[Value]
) -> list[ex.Comparison]:
    """Return the comparisons by which a condition is meant to fail.

    These are the ones that fail at the stated values. If none does, the condition may be stated wrongly, and all
    its comparisons are returned, so that the claim can be judged.
    """
    match tree:
        case ex.Disjunction(parts):
            found = [each for part in parts for each in list_failing_comparisons(part, engine, values)]
        case _:
            found = list(collect_comparisons(tree, engine, values))
    failing = [each for each in found if not _holds(each, engine, values)]
    is_stated_wrongly = _holds(tree, engine, values)
    return failing or (found if is_stated_wrongly else [])


def _holds(tree: ex.Expression, engine: WorldEngine, values: list[Value]) -> bool:
    try:
        return bool(engine.evaluate_expression(tree, values))
    except UNDEFINED:
        return False
