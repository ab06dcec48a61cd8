"""Signed margins by which conditions hold or fail.

The margin of a comparison is its slack divided by the larger side. It is positive where the comparison holds.
Temperatures are measured from ambient, because a fraction of an absolute temperature is not meaningful.
Counts, words and truth values have no margin.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.scalars import Closure, Resolve, Values, compiled

COLDEST: Final = 150.0
"""Kelvin. If both sides of a comparison are below this, they are treated as temperature differences."""

Margin: TypeAlias = float | None
Judged: TypeAlias = tuple[bool, Margin]
Judge: TypeAlias = Callable[[Values], Judged]


@dataclass(frozen=True, slots=True)
class Scale:
    """How to resolve names and measure margins: dimension tests and the ambient temperature."""

    resolve: Resolve
    is_temperature: Callable[[Expression], bool]
    is_plain: Callable[[Expression], bool]
    ambient: Closure


def judge(tree: Expression, scale: Scale) -> Judge:
    """Return a function that computes the truth and the margin of a condition from a list of values."""
    match tree:
        case ex.Comparison(operator, left, right) if operator not in {"==", "!="}:
            return _comparison(tree, left, right, scale)
        case ex.All(parts):
            return _joint([judge(part, scale) for part in parts])
        case ex.AnyOf(parts):
            return _either([judge(part, scale) for part in parts])
        case ex.Not(inner):
            denied = judge(inner, scale)
            return lambda values: _denied(denied(values))
        case ex.Choice(test, then, otherwise):
            chosen, one, other = compiled(test, scale.resolve), judge(then, scale), judge(otherwise, scale)
            return lambda values: one(values) if chosen(values) else other(values)
        case _:
            truth = compiled(tree, scale.resolve)
            return lambda values: (bool(truth(values)), None)


def relative_slack(low: float, high: float, zero: float = 0.0) -> float:
    """Return by which fraction of the larger side `high` exceeds `low`, with sizes measured from `zero`."""
    largest = max(abs(low - zero), abs(high - zero))
    if largest == 0:
        return 0.0
    return (high - low) / largest


def _comparison(tree: ex.Comparison, left: Expression, right: Expression, scale: Scale) -> Judge:
    low, high = (left, right) if tree.operator in {"<", "<="} else (right, left)
    lower, upper = compiled(low, scale.resolve), compiled(high, scale.resolve)
    truth = compiled(tree, scale.resolve)
    if scale.is_temperature(left):
        return lambda values: (
            truth(values),
            _temperature_slack(lower(values), upper(values), scale.ambient(values)),
        )
    if not scale.is_plain(left):
        return lambda values: (truth(values), relative_slack(lower(values), upper(values)))

    def compare(values: Values) -> Judged:
        one, other = lower(values), upper(values)
        counts = one % 1 == 0 and other % 1 == 0
        return truth(values), None if counts else relative_slack(one, other)

    return compare


def _temperature_slack(low: float, high: float, ambient: float) -> float:
    """Return the relative slack of two temperatures, or of two differences if both are below `COLDEST`."""
    is_difference = max(abs(low), abs(high)) < COLDEST
    return relative_slack(low, high, 0.0 if is_difference else ambient)


def _joint(parts: list[Judge]) -> Judge:
    def both(values: Values) -> Judged:
        judged = [part(values) for part in parts]
        failing = [each for each in judged if not each[0]]
        if not failing:
            return True, _least(judged)
        # the part that fails by the largest margin decides how far the conjunction is from holding
        return False, None if any(margin is None for _, margin in failing) else _least(failing)

    return both


def _either(parts: list[Judge]) -> Judge:
    def either(values: Values) -> Judged:
        judged = [part(values) for part in parts]
        holding = [each for each in judged if each[0]]
        if not holding:
            return False, max((margin for _, margin in judged if margin is not None), default=None)
        margins = [margin for _, margin in holding if margin is not None]
        return True, None if len(margins) < len(holding) else max(margins)

    return either


def _least(judged: list[Judged]) -> Margin:
    return min((margin for _, margin in judged if margin is not None), default=None)


def _denied(judged: Judged) -> Judged:
    truth, margin = judged
    return not truth, None if margin is None else -margin
