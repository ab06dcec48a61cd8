"""Types of expressions: dimensions of numbers, truth values and words."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.dimensions import PLAIN, Dimension
from impossible_moments.mechanics.expressions import Expression


class Sort(Enum):
    """Type of a value that is not a number."""

    TRUTH = "true or false"
    TEXT = "word"


Type: TypeAlias = Dimension | Sort
Lookup: TypeAlias = Callable[[ex.Name | ex.Property], Type]
"""Function that returns the type of a name or raises `ExpressionTypeError`."""


class TypeProblem(ValueError):
    """Operands of incompatible types. The message shows them as their author wrote them."""


def type_of(tree: Expression, lookup: Lookup) -> Type:
    """Return the type of a tree. `lookup` gives the types of its names."""
    match tree:
        case ex.Number(_, dimension, _):
            return dimension
        case ex.Truth():
            return Sort.TRUTH
        case ex.Text():
            return Sort.TEXT
        case ex.Name() | ex.Property():
            return lookup(tree)
        case ex.Negative(inner):
            return _measure(inner, lookup)
        case ex.Power(base, exponent):
            return _measure(base, lookup).to_the(_fraction(exponent))
        case ex.Arithmetic():
            return _arithmetic(tree, lookup)
        case ex.Comparison():
            _comparison(tree, lookup)
            return Sort.TRUTH
        case ex.All(parts) | ex.AnyOf(parts):
            for part in parts:
                _truth(part, lookup)
            return Sort.TRUTH
        case ex.Not(inner):
            _truth(inner, lookup)
            return Sort.TRUTH
        case ex.Choice(test, then, otherwise):
            _truth(test, lookup)
            return _same(then, otherwise, lookup, "the two branches of `if` are")
        case ex.Call():
            return _call(tree, lookup)


def condition_type(tree: Expression, lookup: Lookup) -> None:
    """Check that a tree is a condition. Raise `ExpressionTypeError` if it is not."""
    _truth(tree, lookup)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ` (did you mean ...?)` with the most similar known name, or an empty string."""
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return f" (did you mean `{close[0]}`?)" if close else ""


def _arithmetic(tree: ex.Arithmetic, lookup: Lookup) -> Dimension:
    if tree.operator in "+-":
        return _same_measure(
            tree.left, tree.right, lookup, "cannot add" if tree.operator == "+" else "cannot subtract"
        )
    left, right = _measure(tree.left, lookup), _measure(tree.right, lookup)
    return left * right if tree.operator == "*" else left / right


def _comparison(tree: ex.Comparison, lookup: Lookup) -> None:
    if tree.operator in {"==", "!="}:
        _same(tree.left, tree.right, lookup, "cannot compare")
    else:
        _same_measure(tree.left, tree.right, lookup, "cannot compare")


def _call(tree: ex.Call, lookup: Lookup) -> Dimension:
    first = tree.arguments[0]
    if tree.function in {"min", "max"}:
        measures = [
            _same_measure(first, other, lookup, f"cannot take {tree.function} of")
            for other in tree.arguments[1:]
        ]
        return measures[0]
    dimension = _measure(first, lookup)
    if tree.function == "abs":
        return dimension
    if tree.function == "sqrt":
        return dimension.to_the(Fraction(1, 2))
    if not dimension.is_plain:
        raise TypeProblem(f"{tree.function} takes a plain number, but `{ex.written(first)}` is a {dimension}")
    return PLAIN


def _same(left: Expression, right: Expression, lookup: Lookup, verb: str) -> Type:
    # infer each side only once: otherwise nested conditionals double the work at every level
    one, other = type_of(left, lookup), type_of(right, lookup)
    if isinstance(one, Dimension) and isinstance(other, Dimension):
        return _agreed((left, one), (right, other), verb)
    if one is not other:
        raise TypeProblem(f"{verb} {_shown(left, one)} and {_shown(right, other)}")
    return one


def _same_measure(left: Expression, right: Expression, lookup: Lookup, verb: str) -> Dimension:
    return _agreed((left, _measure(left, lookup)), (right, _measure(right, lookup)), verb)


def _agreed(one: tuple[Expression, Dimension], other: tuple[Expression, Dimension], verb: str) -> Dimension:
    if one[1] == other[1] or _is_bare_zero(other[0]):
        return one[1]
    if _is_bare_zero(one[0]):
        return other[1]
    raise TypeProblem(f"{verb} {_shown(*one)} and {_shown(*other)}")


def _measure(tree: Expression, lookup: Lookup) -> Dimension:
    found = type_of(tree, lookup)
    if isinstance(found, Sort):
        raise TypeProblem(f"`{ex.written(tree)}` is a {found.value}, but a number is needed")
    return found


def _truth(tree: Expression, lookup: Lookup) -> None:
    found = type_of(tree, lookup)
    if found is not Sort.TRUTH:
        raise TypeProblem(
            f"`{ex.written(tree)}` is a {_called(found)}, but a condition is needed, as in `a >= b`"
        )


def _shown(tree: Expression, found: Type) -> str:
    return f"{_called(found)} `{ex.written(tree)}`"


def _called(found: Type) -> str:
    return found.value if isinstance(found, Sort) else str(found)


def _is_bare_zero(tree: Expression) -> bool:
    return isinstance(tree, ex.Number) and tree.is_bare_zero


def _fraction(exponent: float) -> int | Fraction:
    exact = Fraction(exponent).limit_denominator(12)
    return int(exact) if exact.denominator == 1 else exact
