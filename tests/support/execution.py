"""What execution finds for a tree at a point: the measure of everything that reads trees another way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED, compile_expression


def executed(tree: Expression, point: Mapping[str, float | bool]) -> Any:
    """What execution finds at a point, or None where it finds no value."""
    names = list(point)
    try:
        return compile_expression(tree, names.index)([point[name] for name in names])
    except UNDEFINED:
        return None


def overflows(tree: Expression, point: Mapping[str, float | bool]) -> bool:
    """Whether execution leaves the range of floats on the way."""
    found = (executed(node, point) for node in ex.walk_nodes(tree))
    return any(isinstance(value, float) and not math.isfinite(value) for value in found)


def holding_at(
    trees: Sequence[Expression], point: Mapping[str, float | bool]
) -> dict[str, Expression] | None:
    """The conditions, each denied where it is false, so that all hold at the point; None if one has no value there."""
    found = [executed(tree, point) for tree in trees]
    if None in found or any(overflows(tree, point) for tree in trees):
        return None
    turned = (tree if truth else ex.Negation(tree) for tree, truth in zip(trees, found, strict=True))
    return {str(place): tree for place, tree in enumerate(turned)}
