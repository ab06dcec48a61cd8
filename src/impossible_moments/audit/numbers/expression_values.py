"""Values of arithmetic in prose: ranges in SI units with dimensions, and how operators combine them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from impossible_moments.audit.numbers.amounts import Amount
from impossible_moments.mechanics.language import PLAIN, Dimension
from impossible_moments.mechanics.numbers import LARGEST_AMOUNT

FULL_TURN: Final = 6.3
PERCENT: Final = 0.01


class UnreadableExpression(ValueError):
    """Raised for text that is not arithmetic or is ambiguous."""


@dataclass(frozen=True, slots=True)
class ExpressionValue:
    """Computed range, in SI units with its dimension and by the printed numbers without units."""

    si: tuple[float, float]
    bare: tuple[float, float]
    dimension: Dimension | None
    """None if the dimensions are inconsistent. Then only printed numbers can be compared."""
    exact: bool = True
    """Whether it is computed from integers by sums and products only."""
    blur: float = 0.0
    """Relative error that the rounding of the printed inputs may cause."""
    operations: int = 0
    factors: tuple[float, ...] = ()
    """SI factors of the units in the expression."""
    noun: str = ""
    """Counted noun after the number, as in `3 points`."""

    @classmethod
    def from_amount(cls, amount: Amount) -> ExpressionValue:
        """Create a value from a printed amount."""
        size = max(abs(amount.low), abs(amount.high))
        blur = amount.half_step / size if size and not amount.is_whole else 0.0
        return cls(
            amount.si,
            (amount.low, amount.high),
            amount.dimension,
            amount.is_whole and not amount.tolerance,
            min(blur, 0.05) + amount.tolerance,
            factors=(amount.factor,) if amount.unit else (),
        )


def combine_values(operator: str, left: ExpressionValue, right: ExpressionValue) -> ExpressionValue:
    """Apply an arithmetic operator to two values, with their ranges, dimensions and rounding errors."""
    if operator == "^":
        if right.bare[0] != right.bare[1] or right.dimension != PLAIN:
            raise UnreadableExpression
        return replace(raise_to_power(left, right.bare[0]), noun=left.noun or right.noun)
    if operator in {"+", "-"} and _is_percentage(right) and not _is_percentage(left):
        return _apply_percentage(operator, left, right)
    if operator in {"+", "-"} and left.noun != right.noun and PLAIN in (left.dimension, right.dimension):
        raise UnreadableExpression  # `1.09 + 0.75 pip`: the word is a unit
    dimension = _combine_dimensions(operator, left.dimension, right.dimension)
    exact = left.exact and right.exact and operator != "/"
    blur = left.blur + right.blur if operator in {"*", "/"} else max(left.blur, right.blur)
    return ExpressionValue(
        combine_ranges(operator, left.si, right.si),
        combine_ranges(operator, left.bare, right.bare),
        dimension,
        exact,
        blur,
        left.operations + right.operations + 1,
        left.factors + right.factors,
        left.noun or right.noun,
    )


def _is_percentage(value: ExpressionValue) -> bool:
    return value.dimension == PLAIN and value.factors == (PERCENT,)


def _apply_percentage(operator: str, left: ExpressionValue, right: ExpressionValue) -> ExpressionValue:
    """Add or subtract a percentage: `50 kg + 10%` is 55 kg.

    Raise UnreadableExpression if the left side may be a share.
    """
    if right.operations or (not left.factors and max(map(abs, left.bare)) <= 1):
        raise UnreadableExpression
    one = ExpressionValue((1.0, 1.0), (1.0, 1.0), PLAIN)
    return combine_values("*", left, combine_values(operator, one, replace(right, bare=right.si, factors=())))


def _combine_dimensions(operator: str, left: Dimension | None, right: Dimension | None) -> Dimension | None:
    if left is None or right is None:
        return None
    if operator == "*":
        return left * right
    if operator == "/":
        return left / right
    return left if left == right else None


def combine_ranges(
    operator: str, left: tuple[float, float], right: tuple[float, float]
) -> tuple[float, float]:
    """Return the range of the results of an operator on two ranges."""
    pairs = [(a, b) for a in left for b in right]
    match operator:
        case "+":
            found = [a + b for a, b in pairs]
        case "-":
            found = [a - b for a, b in pairs]
        case "*":
            found = [a * b for a, b in pairs]
        case _:
            if any(b == 0 for _, b in pairs):
                raise UnreadableExpression
            found = [a / b for a, b in pairs]
    return _compute_bounds(found)


def _compute_bounds(values: list[float]) -> tuple[float, float]:
    if not all(abs(each) < LARGEST_AMOUNT for each in values):
        raise UnreadableExpression
    return min(values), max(values)


def raise_to_power(base: ExpressionValue, exponent: float) -> ExpressionValue:
    """Raise a value to a power. Raise `UnreadableExpression` if the result is not defined."""
    half = int(exponent * 2)
    if abs(exponent) > 60 or (min(base.si) < 0 and exponent % 1):  # noqa: PLR2004 - larger exponents do not occur
        raise UnreadableExpression
    dimension = (
        PLAIN
        if base.dimension == PLAIN
        else base.dimension.raise_to(Fraction(half, 2))
        if base.dimension is not None and half / 2 == exponent
        else None
    )
    try:
        si, printed_range = [each**exponent for each in base.si], [each**exponent for each in base.bare]
    except (OverflowError, ZeroDivisionError):
        raise UnreadableExpression from None
    return ExpressionValue(
        _compute_bounds(si), _compute_bounds(printed_range), dimension, base.exact and exponent > 0 and not exponent % 1,
        base.blur * abs(exponent), base.operations + 1, base.factors,
    )  # fmt: skip


def apply_trigonometric_function(name: str, inner: ExpressionValue) -> ExpressionValue:
    """Apply `cos`, `sin` or `tan`. An angle without unit above a full turn in radians is in degrees."""
    if inner.factors:
        angles = inner.si
    elif max(map(abs, inner.bare)) > FULL_TURN:
        angles = (math.radians(inner.bare[0]), math.radians(inner.bare[1]))
    else:
        raise UnreadableExpression  # a small number without unit may be degrees or radians
    function = {"cos": math.cos, "sin": math.sin, "tan": math.tan}[name]
    ends = _compute_bounds([function(angle) for angle in angles])
    return ExpressionValue(ends, ends, PLAIN, exact=False, blur=0.01, operations=inner.operations + 1)


def apply_function(function: Callable[[float], float], inner: ExpressionValue) -> ExpressionValue:
    """Apply a monotonic function to a plain number."""
    try:
        ends = _compute_bounds([function(each) for each in inner.bare])
    except (ValueError, OverflowError):
        raise UnreadableExpression from None
    return ExpressionValue(ends, ends, PLAIN, exact=False, blur=0.02, operations=inner.operations + 1)
