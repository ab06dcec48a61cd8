"""Interval arithmetic on pairs of endpoints, with each result rounded outwards.

An interval contains all values that a number has. Where it has none (the root of a negative number, a
division by zero), nothing needs to be contained. Python's arithmetic rounds monotonically, so these intervals
contain both the value that execution computes and the exact value. exp, log and the trigonometric functions
are enclosed with arb's balls.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from flint import arb

from impossible_moments.mechanics.language.scalar_evaluation import TOLERANCE

Interval: TypeAlias = tuple[float, float]

UNBOUNDED_INTERVAL: Final[Interval] = (-math.inf, math.inf)
"""Any number, including nan from infinity minus infinity."""
EMPTY_INTERVAL: Final[Interval] = (math.inf, -math.inf)
"""Interval of a number that has no value anywhere in the box."""


def raise_interval_to_power(base: Interval, exponent: float) -> Interval:
    """Return an interval that contains `base ** exponent` for a fixed exponent."""
    low, high = base
    is_whole = exponent == int(exponent)
    if low > high or (high < 0 and not is_whole):
        return EMPTY_INTERVAL
    if exponent == 0:
        return (1.0, 1.0)
    if base == UNBOUNDED_INTERVAL:
        return UNBOUNDED_INTERVAL
    if exponent < 0:
        return _widen_interval(*_divide_intervals((1.0, 1.0), raise_interval_to_power(base, -exponent)))
    if not is_whole:
        low = max(low, 0.0)
    lowest, highest = _raise_endpoint_to_power(low, exponent), _raise_endpoint_to_power(high, exponent)
    even = is_whole and exponent % 2 == 0
    if even and low < 0:
        lowest, highest = 0.0 if high >= 0 else highest, max(lowest, highest)
    return _clamp_to_nonnegative(_widen_interval(lowest, highest), is_nonnegative=even or low >= 0)


def apply_function_to_intervals(function: str, parts: list[Interval]) -> Interval:
    """Return an interval that contains the results of a function of the language for these arguments."""
    if any(low > high for low, high in parts):
        return EMPTY_INTERVAL
    if UNBOUNDED_INTERVAL in parts:
        return UNBOUNDED_INTERVAL
    if function == "min":
        return min(part[0] for part in parts), min(part[1] for part in parts)
    if function == "max":
        return max(part[0] for part in parts), max(part[1] for part in parts)
    ((low, high),) = parts
    if function == "abs":
        return (0.0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))
    if function in {"ceil", "floor"}:
        return _round_endpoint_to_whole(function, low), _round_endpoint_to_whole(function, high)
    if function in _INCREASING_FUNCTIONS:
        return _apply_increasing_function(function, low, high)
    if function == "acos":
        return _round_outward(
            *_subtract_intervals(_RIGHT_ANGLE, _apply_increasing_function("asin", low, high))
        )
    return _apply_function_to_ball(function, low, high)


def _round_outward(low: float, high: float) -> Interval:
    if math.isnan(low) or math.isnan(high):
        return UNBOUNDED_INTERVAL
    return math.nextafter(low, -math.inf), math.nextafter(high, math.inf)


def _widen_interval(low: float, high: float) -> Interval:
    """Widen an interval by a few units in the last place, for the rounding of library functions."""
    if low > high:
        return EMPTY_INTERVAL
    low, high = min(low, sys.float_info.max), max(high, -sys.float_info.max)
    return low - 4 * math.ulp(low), high + 4 * math.ulp(high)


def _clamp_to_nonnegative(interval: Interval, *, is_nonnegative: bool) -> Interval:
    """Clamp the lower endpoint to zero if the values are known to be non-negative (`is_nonnegative`)."""
    return (max(interval[0], 0.0), interval[1]) if is_nonnegative else interval


def _add_intervals(one: Interval, other: Interval) -> Interval:
    found = _round_outward(one[0] + other[0], one[1] + other[1])
    return _clamp_to_nonnegative(found, is_nonnegative=one[0] >= 0 and other[0] >= 0)


def _subtract_intervals(one: Interval, other: Interval) -> Interval:
    return _round_outward(one[0] - other[1], one[1] - other[0])


def _multiply_intervals(one: Interval, other: Interval) -> Interval:
    ends = [left * right for left in one for right in other]
    if any(map(math.isnan, ends)):  # zero times infinity: execution has no number there
        return UNBOUNDED_INTERVAL
    return _clamp_to_nonnegative(
        _round_outward(min(ends), max(ends)), is_nonnegative=one[0] >= 0 and other[0] >= 0
    )


def _divide_intervals(one: Interval, other: Interval) -> Interval:
    if other[0] > other[1] or other[0] == other[1] == 0:
        return EMPTY_INTERVAL
    if other[1] <= 0:
        one, other = (-one[1], -one[0]), (-other[1], -other[0])
    if other[0] < 0 or (math.isinf(other[1]) and math.inf in map(abs, one)):
        return UNBOUNDED_INTERVAL
    if other[0] == 0:  # quotients grow without bound near a zero divisor
        low = -math.inf if one[0] < 0 else one[0] / other[1]
        high = math.inf if one[1] > 0 else one[1] / other[1]
        return _clamp_to_nonnegative(_round_outward(low, high), is_nonnegative=one[0] >= 0)
    ends = [left / right for left in one for right in other]
    return _clamp_to_nonnegative(_round_outward(min(ends), max(ends)), is_nonnegative=one[0] >= 0)


ARITHMETIC: Final[Mapping[str, Callable[[Interval, Interval], Interval]]] = {
    "+": _add_intervals,
    "-": _subtract_intervals,
    "*": _multiply_intervals,
    "/": _divide_intervals,
}


def _raise_endpoint_to_power(base: float, exponent: float) -> float:
    try:
        return float(base**exponent)
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 else math.inf


def _round_endpoint_to_whole(function: str, value: float) -> float:
    """Round an endpoint with `ceil` or `floor`, with the same tolerance near whole numbers as execution.

    This keeps the order of values.
    """
    tolerance = TOLERANCE * abs(value)
    shifted = value - tolerance if function == "ceil" else value + tolerance
    if math.isinf(shifted) or math.isinf(value):
        return value
    return float(math.ceil(shifted) if function == "ceil" else math.floor(shifted))


_QUARTER_TURN: Final = math.nextafter(math.pi / 2, math.inf)
_RIGHT_ANGLE: Final[Interval] = (math.pi / 2, _QUARTER_TURN)
# increasing function: (domain, range)
_INCREASING_FUNCTIONS: Final[Mapping[str, tuple[Interval, Interval]]] = {
    "sqrt": ((0.0, math.inf), (0.0, math.inf)),
    "exp": (UNBOUNDED_INTERVAL, (0.0, math.inf)),
    "log": ((0.0, math.inf), UNBOUNDED_INTERVAL),
    "asin": ((-1.0, 1.0), (-_QUARTER_TURN, _QUARTER_TURN)),
    "atan": (UNBOUNDED_INTERVAL, (-_QUARTER_TURN, _QUARTER_TURN)),
}


def _apply_increasing_function(function: str, low: float, high: float) -> Interval:
    domain, values = _INCREASING_FUNCTIONS[function]
    low, high = max(low, domain[0]), min(high, domain[1])
    if low > high or (function == "log" and high == 0):
        return EMPTY_INTERVAL
    lowest, highest = getattr(arb(low), function)(), getattr(arb(high), function)()
    found = _widen_interval(
        float(lowest.lower()) if lowest.is_finite() else values[0],
        float(highest.upper()) if highest.is_finite() else values[1],
    )
    return max(found[0], values[0]), min(found[1], values[1])


def _apply_function_to_ball(function: str, low: float, high: float) -> Interval:
    middle, radius = (low + high) / 2, math.nextafter((high - low) / 2, math.inf)
    found = getattr(arb(middle, radius + math.ulp(middle)), function)()
    if not found.is_finite():
        return UNBOUNDED_INTERVAL
    lowest, highest = _widen_interval(float(found.lower()), float(found.upper()))
    return (lowest, highest) if function == "tan" else (max(lowest, -1.0), min(highest, 1.0))
