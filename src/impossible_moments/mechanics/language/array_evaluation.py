"""Evaluation of expression trees over numpy arrays, for thousands of sample points at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import TOLERANCE

Array: TypeAlias = NDArray[Any]


class Points(Protocol):
    """For each name, an array with a value for each point, or one value for all points."""

    def __getitem__(self, name: str, /) -> Any:  # noqa: ANN401 - an array or a single value
        """Return the values of a name."""


_UFUNCS: Final[dict[str, Any]] = {
    "sqrt": np.sqrt, "abs": np.abs, "exp": np.exp, "log": np.log, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
}  # fmt: skip

_COMPARISONS: Final[dict[str, Callable[[Array, Array], Array]]] = {
    "<=": lambda gap, slack: gap >= -slack, ">=": lambda gap, slack: gap <= slack,
    "<": lambda gap, slack: gap > slack, ">": lambda gap, slack: gap < -slack,
    "==": lambda gap, slack: np.abs(gap) <= slack, "!=": lambda gap, slack: np.abs(gap) > slack,
}  # fmt: skip
"""Each comparison by the gap between its sides and the slack within which they count as equal."""


def evaluate_expression_at_points(tree: Expression, points: Points) -> Any:  # noqa: ANN401 - the shape follows numpy's broadcasting rules
    """Return the value of the tree at every point.

    The value is nan where the tree has none. A comparison with nan is false.
    """
    with np.errstate(all="ignore"):
        return evaluate_expression_within_errstate(tree, points)


def evaluate_expression_within_errstate(tree: Expression, points: Points) -> Any:  # noqa: ANN401 - the type depends on the node
    """Return the value of the tree at every point. The caller has switched numpy's warnings off (`np.errstate`)."""
    match tree:
        case ex.Number(value, _, _) | ex.Text(value) | ex.Truth(value):
            return value
        case ex.Name(name):
            return points[name]
        case ex.Property():
            return points[tree.path]
        case ex.Arithmetic(operator, left, right):
            return _apply_arithmetic(
                operator,
                evaluate_expression_within_errstate(left, points),
                evaluate_expression_within_errstate(right, points),
            )
        case ex.Power(base, exponent):
            return np.power(
                np.asarray(evaluate_expression_within_errstate(base, points), dtype=float), exponent
            )
        case ex.UnaryMinus(inner):
            return -evaluate_expression_within_errstate(inner, points)
        case ex.Comparison(operator, left, right):
            return _apply_comparison(
                operator,
                evaluate_expression_within_errstate(left, points),
                evaluate_expression_within_errstate(right, points),
            )
        case ex.Conjunction(parts):
            return np.logical_and.reduce(
                np.broadcast_arrays(*(evaluate_expression_within_errstate(part, points) for part in parts))
            )
        case ex.Disjunction(parts):
            return np.logical_or.reduce(
                np.broadcast_arrays(*(evaluate_expression_within_errstate(part, points) for part in parts))
            )
        case ex.Negation(inner):
            return np.logical_not(evaluate_expression_within_errstate(inner, points))
        case ex.Conditional(test, then, otherwise):
            return np.where(
                evaluate_expression_within_errstate(test, points),
                evaluate_expression_within_errstate(then, points),
                evaluate_expression_within_errstate(otherwise, points),
            )
        case ex.FunctionCall(function, parts):
            return _apply_function(
                function, [evaluate_expression_within_errstate(part, points) for part in parts]
            )


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
    return _COMPARISONS[operator](gap, slack)


def _apply_function(function: str, parts: list[Any]) -> Any:  # noqa: ANN401
    if function in {"min", "max"}:
        pick = np.minimum if function == "min" else np.maximum
        return pick.reduce(np.broadcast_arrays(*parts))
    if function == "ceil":
        return np.ceil(parts[0] - TOLERANCE * np.abs(parts[0]))
    if function == "floor":
        return np.floor(parts[0] + TOLERANCE * np.abs(parts[0]))
    return _UFUNCS[function](parts[0])
