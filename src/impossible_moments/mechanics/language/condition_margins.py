"""Signed margins by which conditions hold or fail.

The margin of a comparison is its slack divided by the larger side. It is positive where the comparison holds.
Temperatures are measured from ambient, because a fraction of an absolute temperature is not meaningful.
Counts, words and truth values have no margin.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import (
    Closure,
    NameResolver,
    Values,
    compile_expression,
)

COLDEST: Final = 150.0
"""Kelvin. If both sides of a comparison are below this, they are treated as temperature differences."""

Margin: TypeAlias = float | None
ConditionMargin: TypeAlias = tuple[bool, Margin]
ConditionMarginFunction: TypeAlias = Callable[[Values], ConditionMargin]


@dataclass(frozen=True, slots=True)
class MarginScale:
    """How to resolve names and measure margins: dimension tests and the ambient temperature."""

    resolve: NameResolver
    is_temperature: Callable[[Expression], bool]
    is_plain: Callable[[Expression], bool]
    ambient: Closure


def compile_condition_margin(tree: Expression, scale: MarginScale) -> ConditionMarginFunction:
    """Return a function that computes the truth and the margin of a condition from a list of values."""
    match tree:
        case ex.Comparison(operator, left, right) if operator not in {"==", "!="}:
            return _compile_comparison_margin(tree, left, right, scale)
        case ex.Conjunction(parts):
            return _compile_conjunction_margin([compile_condition_margin(part, scale) for part in parts])
        case ex.Disjunction(parts):
            return _compile_disjunction_margin([compile_condition_margin(part, scale) for part in parts])
        case ex.Negation(inner):
            inner_margin = compile_condition_margin(inner, scale)
            return lambda values: _negate_margin(inner_margin(values))
        case ex.Conditional(test, then, otherwise):
            chosen, one, other = (
                compile_expression(test, scale.resolve),
                compile_condition_margin(then, scale),
                compile_condition_margin(otherwise, scale),
            )
            return lambda values: one(values) if chosen(values) else other(values)
        case _:
            truth = compile_expression(tree, scale.resolve)
            return lambda values: (bool(truth(values)), None)


def compute_relative_slack(low: float, high: float, zero: float = 0.0) -> float:
    """Return by which fraction of the larger side `high` exceeds `low`, with sizes measured from `zero`."""
    largest = max(abs(low - zero), abs(high - zero))
    if largest == 0:
        return 0.0
    return (high - low) / largest


def _compile_comparison_margin(
    tree: ex.Comparison, left: Expression, right: Expression, scale: MarginScale
) -> ConditionMarginFunction:
    low, high = (left, right) if tree.operator in {"<", "<="} else (right, left)
    lower, upper = compile_expression(low, scale.resolve), compile_expression(high, scale.resolve)
    truth = compile_expression(tree, scale.resolve)
    if scale.is_temperature(left):
        return lambda values: (
            truth(values),
            _compute_temperature_slack(lower(values), upper(values), scale.ambient(values)),
        )
    if not scale.is_plain(left):
        return lambda values: (truth(values), compute_relative_slack(lower(values), upper(values)))

    def measure_comparison(values: Values) -> ConditionMargin:
        one, other = lower(values), upper(values)
        counts = one % 1 == 0 and other % 1 == 0
        return truth(values), None if counts else compute_relative_slack(one, other)

    return measure_comparison


def _compute_temperature_slack(low: float, high: float, ambient: float) -> float:
    """Return the relative slack of two temperatures, or of two differences if both are below `COLDEST`."""
    is_difference = max(abs(low), abs(high)) < COLDEST
    return compute_relative_slack(low, high, 0.0 if is_difference else ambient)


def _compile_conjunction_margin(parts: list[ConditionMarginFunction]) -> ConditionMarginFunction:
    def measure_conjunction(values: Values) -> ConditionMargin:
        margins = [part(values) for part in parts]
        failing = [each for each in margins if not each[0]]
        if not failing:
            return True, _find_smallest_margin(margins)
        # the part that fails by the largest margin decides how far the conjunction is from holding
        return False, None if any(margin is None for _, margin in failing) else _find_smallest_margin(failing)

    return measure_conjunction


def _compile_disjunction_margin(parts: list[ConditionMarginFunction]) -> ConditionMarginFunction:
    def measure_disjunction(values: Values) -> ConditionMargin:
        part_margins = [part(values) for part in parts]
        holding = [each for each in part_margins if each[0]]
        if not holding:
            return False, max((margin for _, margin in part_margins if margin is not None), default=None)
        margins = [margin for _, margin in holding if margin is not None]
        return True, None if len(margins) < len(holding) else max(margins)

    return measure_disjunction


def _find_smallest_margin(margins: list[ConditionMargin]) -> Margin:
    return min((margin for _, margin in margins if margin is not None), default=None)


def _negate_margin(condition_margin: ConditionMargin) -> ConditionMargin:
    truth, margin = condition_margin
    return not truth, None if margin is None else -margin
