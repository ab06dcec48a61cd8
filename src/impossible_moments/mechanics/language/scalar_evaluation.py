"""Compilation of expression trees to closures over a flat list of values, used to execute plans."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression

Value: TypeAlias = float | bool | str
Values: TypeAlias = list[Value]
# The type of the result depends on the tree. Types are checked before anything is compiled.
Closure: TypeAlias = Callable[[Values], Any]
NameResolver: TypeAlias = Callable[[str], int | Closure]
"""Function that returns the index of a name in the list of values, or the closure of a derived quantity."""

TOLERANCE: Final = 1e-9
"""Relative difference below which two numbers are equal, so that no verdict depends on rounding or units."""

UNDEFINED: Final = (ZeroDivisionError, ValueError, OverflowError)
"""Exceptions that arithmetic raises where an expression has no value."""


def compile_expression(tree: Expression, resolve: NameResolver) -> Closure:
    """Return a closure that computes the value of the tree from a list of values."""
    match tree:
        case ex.Number(value, _, _) | ex.Text(value) | ex.Truth(value):
            return lambda _values: value
        case ex.Name(name):
            return _compile_value_lookup(resolve(name))
        case ex.Property():
            return _compile_value_lookup(resolve(tree.path))
        case ex.Arithmetic(operator, left, right):
            return _ARITHMETIC[operator](
                compile_expression(left, resolve), compile_expression(right, resolve)
            )
        case ex.Power(base, exponent):
            return _compile_power(compile_expression(base, resolve), exponent)
        case ex.UnaryMinus(inner):
            negated = compile_expression(inner, resolve)
            return lambda values: -negated(values)
        case ex.Comparison(operator, left, right):
            return _COMPARISONS[operator](
                compile_expression(left, resolve), compile_expression(right, resolve)
            )
        case ex.Conjunction(parts):
            return _compile_conjunction([compile_expression(part, resolve) for part in parts])
        case ex.Disjunction(parts):
            return _compile_disjunction([compile_expression(part, resolve) for part in parts])
        case ex.Negation(inner):
            inner_closure = compile_expression(inner, resolve)
            return lambda values: not inner_closure(values)
        case ex.Conditional(test, then, otherwise):
            return _compile_conditional(
                compile_expression(test, resolve),
                compile_expression(then, resolve),
                compile_expression(otherwise, resolve),
            )
        case ex.FunctionCall(function, parts):
            return _compile_function_call(function, [compile_expression(part, resolve) for part in parts])


def is_same_value(left: Value, right: Value) -> bool:
    """Return whether two values are equal. Numbers are compared within `TOLERANCE`."""
    if left == right:
        return True
    if isinstance(left, float) and isinstance(right, float):
        return abs(left - right) <= TOLERANCE * (abs(left) + abs(right)) < math.inf
    return False


def _compile_value_lookup(place: int | Closure) -> Closure:
    if isinstance(place, int):
        return lambda values: values[place]
    return place


def _compile_power(base: Closure, exponent: float) -> Closure:
    if exponent == 2:  # noqa: PLR2004 - most powers are squares, and a product is faster
        return lambda values: (value := base(values)) * value

    def compute_power(values: Values) -> float:
        result = base(values) ** exponent
        if isinstance(result, complex):
            raise ValueError("root of a negative number")  # noqa: TRY004 - one of UNDEFINED, like the error of math.sqrt
        return float(result)

    return compute_power


def _is_at_most_within_tolerance(left: float, right: float) -> bool:
    return left <= right or left - right <= TOLERANCE * (abs(left) + abs(right)) < math.inf


def _is_below_beyond_tolerance(left: float, right: float) -> bool:
    if left >= right:
        return False
    tolerance = TOLERANCE * (abs(left) + abs(right))
    return tolerance == math.inf or right - left > tolerance


_ARITHMETIC: Final[dict[str, Callable[[Closure, Closure], Closure]]] = {
    "+": lambda left, right: lambda values: left(values) + right(values),
    "-": lambda left, right: lambda values: left(values) - right(values),
    "*": lambda left, right: lambda values: left(values) * right(values),
    "/": lambda left, right: lambda values: left(values) / right(values),
}
_COMPARISONS: Final[dict[str, Callable[[Closure, Closure], Closure]]] = {
    "<=": lambda left, right: lambda values: _is_at_most_within_tolerance(left(values), right(values)),
    ">=": lambda left, right: lambda values: _is_at_most_within_tolerance(right(values), left(values)),
    "<": lambda left, right: lambda values: _is_below_beyond_tolerance(left(values), right(values)),
    ">": lambda left, right: lambda values: _is_below_beyond_tolerance(right(values), left(values)),
    "==": lambda left, right: lambda values: is_same_value(left(values), right(values)),
    "!=": lambda left, right: lambda values: not is_same_value(left(values), right(values)),
}
_FUNCTIONS: Final[dict[str, Callable[[float], float]]] = {
    "sqrt": math.sqrt, "abs": abs, "exp": math.exp, "log": math.log, "sin": math.sin, "cos": math.cos,
    "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    # a result that rounding moved just past a whole number counts as that whole number
    "ceil": lambda value: float(math.ceil(value - TOLERANCE * abs(value))),
    "floor": lambda value: float(math.floor(value + TOLERANCE * abs(value))),
}  # fmt: skip


def _compile_conjunction(parts: list[Closure]) -> Closure:
    return lambda values: all(part(values) for part in parts)


def _compile_disjunction(parts: list[Closure]) -> Closure:
    return lambda values: any(part(values) for part in parts)


def _compile_conditional(test: Closure, then_closure: Closure, else_closure: Closure) -> Closure:
    return lambda values: then_closure(values) if test(values) else else_closure(values)


def _compile_function_call(function: str, parts: list[Closure]) -> Closure:
    if function in {"min", "max"}:
        pick: Callable[..., float] = min if function == "min" else max
        return lambda values: pick([part(values) for part in parts])
    apply, (only,) = _FUNCTIONS[function], parts
    return lambda values: apply(only(values))
