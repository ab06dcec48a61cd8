"""Evaluation of expression trees over numpy arrays, for thousands of sample points at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import TOLERANCE

Array: TypeAlias = NDArray[Any]
Points: TypeAlias = Mapping[str, Any]
"""For each name, an array with a value for each point, or one value for all points."""

_UFUNCS: Final[dict[str, Any]] = {
    "sqrt": np.sqrt, "abs": np.abs, "exp": np.exp, "log": np.log, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
}  # fmt: skip


def evaluate_expression_at_points(tree: Expression, points: Points) -> Any:  # noqa: ANN401 - the shape follows numpy's broadcasting rules
    """Return the value of the tree at every point.

    The value is nan where the tree has none. A comparison with nan is false.
    """
    with np.errstate(all="ignore"):
        return _evaluate_node(tree, points)


def _evaluate_node(tree: Expression, points: Points) -> Any:  # noqa: ANN401 - the type depends on the node
    match tree:
        case ex.Number(value, _, _) | ex.Text(value) | ex.Truth(value):
            return value
        case ex.Name(name):
            return points[name]
        case ex.Property():
            return points[tree.path]
        case ex.Arithmetic(operator, left, right):
            return _apply_arithmetic(operator, _evaluate_node(left, points), _evaluate_node(right, points))
        case ex.Power(base, exponent):
            return np.power(np.asarray(_evaluate_node(base, points), dtype=float), exponent)
        case ex.UnaryMinus(inner):
            return -_evaluate_node(inner, points)
        case ex.Comparison(operator, left, right):
            return _apply_comparison(operator, _evaluate_node(left, points), _evaluate_node(right, points))
        case ex.Conjunction(parts):
            return np.logical_and.reduce(
                np.broadcast_arrays(*(_evaluate_node(part, points) for part in parts))
            )
        case ex.Disjunction(parts):
            return np.logical_or.reduce(
                np.broadcast_arrays(*(_evaluate_node(part, points) for part in parts))
            )
        case ex.Negation(inner):
            return np.logical_not(_evaluate_node(inner, points))
        case ex.Conditional(test, then, otherwise):
            return np.where(
                _evaluate_node(test, points), _evaluate_node(then, points), _evaluate_node(otherwise, points)
            )
        case ex.FunctionCall(function, parts):
            return _apply_function(function, [_evaluate_node(part, points) for part in parts])


def _apply_arithmetic(operator: str, left: Any, right: Any) -> Any:  # noqa: ANN401
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    return left * right if operator == "*" else np.divide(left, right)


def _apply_comparison(operator: str, left: Any, right: Any) -> Any:  # noqa: ANN401
    if isinstance(left, str | bool) or isinstance(right, str | bool):
        equal = np.asarray(left) == np.asarray(right)
        return equal if operator == "==" else np.logical_not(equal)
    gap = np.asarray(right, dtype=float) - left
    slack = TOLERANCE * (np.abs(left) + np.abs(right))
    slack = np.where(np.isfinite(slack), slack, 0.0)
    return {
        "<=": gap >= -slack, ">=": gap <= slack, "<": gap > slack, ">": gap < -slack,
        "==": np.abs(gap) <= slack, "!=": np.abs(gap) > slack,
    }[operator]  # fmt: skip


def _apply_function(function: str, parts: list[Any]) -> Any:  # noqa: ANN401
    if function in {"min", "max"}:
        pick = np.minimum if function == "min" else np.maximum
        return pick.reduce(np.broadcast_arrays(*parts))
    if function == "ceil":
        return np.ceil(parts[0] - TOLERANCE * np.abs(parts[0]))
    if function == "floor":
        return np.floor(parts[0] + TOLERANCE * np.abs(parts[0]))
    return _UFUNCS[function](parts[0])
