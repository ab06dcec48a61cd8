"""Types of expressions: dimensions of numbers, truth values and words."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import PLAIN, Dimension
from impossible_moments.mechanics.language.expressions import Expression


class NonNumericType(Enum):
    """Type of a value that is not a number."""

    TRUTH = "true or false"
    TEXT = "word"


ExpressionType: TypeAlias = Dimension | NonNumericType
TypeLookup: TypeAlias = Callable[[ex.Name | ex.Property], ExpressionType]
"""Function that returns the type of a name or raises `ExpressionTypeError`."""


class ExpressionTypeError(ValueError):
    """Operands of incompatible types. The message shows them as their author wrote them."""


def infer_type(tree: Expression, lookup: TypeLookup) -> ExpressionType:
    """Return the type of a tree. `lookup` gives the types of its names."""
    match tree:
        case ex.Number(_, dimension, _):
            return dimension
        case ex.Truth():
            return NonNumericType.TRUTH
        case ex.Text():
            return NonNumericType.TEXT
        case ex.Name() | ex.Property():
            return lookup(tree)
        case ex.UnaryMinus(inner):
            return _require_number(inner, lookup)
        case ex.Power(base, exponent):
            return _require_number(base, lookup).raise_to(_to_exact_exponent(exponent))
        case ex.Arithmetic():
            return _infer_arithmetic_type(tree, lookup)
        case ex.Comparison():
            _check_comparison(tree, lookup)
            return NonNumericType.TRUTH
        case ex.Conjunction(parts) | ex.Disjunction(parts):
            for part in parts:
                _require_truth(part, lookup)
            return NonNumericType.TRUTH
        case ex.Negation(inner):
            _require_truth(inner, lookup)
            return NonNumericType.TRUTH
        case ex.Conditional(test, then, otherwise):
            _require_truth(test, lookup)
            return _require_same_type(then, otherwise, lookup, "the two branches of `if` are")
        case ex.FunctionCall():
            return _infer_call_type(tree, lookup)


def require_condition(tree: Expression, lookup: TypeLookup) -> None:
    """Check that a tree is a condition. Raise `ExpressionTypeError` if it is not."""
    _require_truth(tree, lookup)


def suggest_similar_name(name: str, known: Iterable[str]) -> str:
    """Return ` (did you mean ...?)` with the most similar known name, or an empty string."""
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return f" (did you mean `{close[0]}`?)" if close else ""


def _infer_arithmetic_type(tree: ex.Arithmetic, lookup: TypeLookup) -> Dimension:
    if tree.operator in "+-":
        return _require_same_dimension(
            tree.left, tree.right, lookup, "cannot add" if tree.operator == "+" else "cannot subtract"
        )
    left, right = _require_number(tree.left, lookup), _require_number(tree.right, lookup)
    return left * right if tree.operator == "*" else left / right


def _check_comparison(tree: ex.Comparison, lookup: TypeLookup) -> None:
    if tree.operator in {"==", "!="}:
        _require_same_type(tree.left, tree.right, lookup, "cannot compare")
    else:
        _require_same_dimension(tree.left, tree.right, lookup, "cannot compare")


def _infer_call_type(tree: ex.FunctionCall, lookup: TypeLookup) -> Dimension:
    first = tree.arguments[0]
    if tree.function in {"min", "max"}:
        measures = [
            _require_same_dimension(first, other, lookup, f"cannot take {tree.function} of")
            for other in tree.arguments[1:]
        ]
        return measures[0]
    dimension = _require_number(first, lookup)
    if tree.function == "abs":
        return dimension
    if tree.function == "sqrt":
        return dimension.raise_to(Fraction(1, 2))
    if not dimension.is_plain:
        raise ExpressionTypeError(
            f"{tree.function} takes a plain number, but `{ex.format_expression(first)}` is a {dimension}"
        )
    return PLAIN


def _require_same_type(left: Expression, right: Expression, lookup: TypeLookup, verb: str) -> ExpressionType:
    # infer each side only once: otherwise nested conditionals double the work at every level
    one, other = infer_type(left, lookup), infer_type(right, lookup)
    if isinstance(one, Dimension) and isinstance(other, Dimension):
        return _require_matching_dimensions((left, one), (right, other), verb)
    if one is not other:
        raise ExpressionTypeError(
            f"{verb} {_describe_operand(left, one)} and {_describe_operand(right, other)}"
        )
    return one


def _require_same_dimension(left: Expression, right: Expression, lookup: TypeLookup, verb: str) -> Dimension:
    return _require_matching_dimensions(
        (left, _require_number(left, lookup)), (right, _require_number(right, lookup)), verb
    )


def _require_matching_dimensions(
    one: tuple[Expression, Dimension], other: tuple[Expression, Dimension], verb: str
) -> Dimension:
    if one[1] == other[1] or _is_bare_zero(other[0]):
        return one[1]
    if _is_bare_zero(one[0]):
        return other[1]
    raise ExpressionTypeError(f"{verb} {_describe_operand(*one)} and {_describe_operand(*other)}")


def _require_number(tree: Expression, lookup: TypeLookup) -> Dimension:
    found = infer_type(tree, lookup)
    if isinstance(found, NonNumericType):
        raise ExpressionTypeError(
            f"`{ex.format_expression(tree)}` is a {found.value}, but a number is needed"
        )
    return found


def _require_truth(tree: Expression, lookup: TypeLookup) -> None:
    found = infer_type(tree, lookup)
    if found is not NonNumericType.TRUTH:
        raise ExpressionTypeError(
            f"`{ex.format_expression(tree)}` is a {_describe_type(found)}, but a condition is needed, as in `a >= b`"
        )


def _describe_operand(tree: Expression, type_: ExpressionType) -> str:
    return f"{_describe_type(type_)} `{ex.format_expression(tree)}`"


def _describe_type(type_: ExpressionType) -> str:
    return type_.value if isinstance(type_, NonNumericType) else str(type_)


def _is_bare_zero(tree: Expression) -> bool:
    return isinstance(tree, ex.Number) and tree.is_bare_zero


def _to_exact_exponent(exponent: float) -> int | Fraction:
    exact = Fraction(exponent).limit_denominator(12)
    return int(exact) if exact.denominator == 1 else exact
