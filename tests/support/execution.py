"""Execution of a tree at a point: the reference for all other evaluations of trees."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED, compile_expression


def execute_expression(tree: Expression, point: Mapping[str, float | bool]) -> Any:
    """Return the executed value at a point, or None if there is none."""
    names = list(point)
    try:
        return compile_expression(tree, names.index)([point[name] for name in names])
    except UNDEFINED:
        return None


def does_overflow(tree: Expression, point: Mapping[str, float | bool]) -> bool:
    """Return whether execution leaves the range of floats."""
    found = (execute_expression(node, point) for node in ex.walk_nodes(tree))
    return any(isinstance(value, float) and not math.isfinite(value) for value in found)


def build_true_conditions(
    trees: Sequence[Expression], point: Mapping[str, float | bool]
) -> dict[str, Expression] | None:
    """Return the conditions, negated where false, so that all hold at the point; None if one has no value there."""
    found = [execute_expression(tree, point) for tree in trees]
    if None in found or any(does_overflow(tree, point) for tree in trees):
        return None
    turned = (tree if truth else ex.Negation(tree) for tree, truth in zip(trees, found, strict=True))
    return {str(place): tree for place, tree in enumerate(turned)}
