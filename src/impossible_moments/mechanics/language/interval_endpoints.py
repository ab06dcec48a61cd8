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

ANYTHING: Final[Interval] = (-math.inf, math.inf)
"""Any number, including nan from infinity minus infinity."""
EMPTY: Final[Interval] = (math.inf, -math.inf)
"""Interval of a number that has no value anywhere in the box."""


def raise_interval_to_power(base: Interval, exponent: float) -> Interval:
    """Return an interval that contains `base ** exponent` for a fixed exponent."""
    low, high = base
    whole = exponent == int(exponent)
    if low > high or (high < 0 and not whole):
        return EMPTY
    if exponent == 0:
        return (1.0, 1.0)
    if base == ANYTHING:
        return ANYTHING
    if exponent < 0:
        return _widen_interval(*_divide_intervals((1.0, 1.0), raise_interval_to_power(base, -exponent)))
    if not whole:
        low = max(low, 0.0)
    least, most = _raise_endpoint_to_power(low, exponent), _raise_endpoint_to_power(high, exponent)
    even = whole and exponent % 2 == 0
    if even and low < 0:
        least, most = 0.0 if high >= 0 else most, max(least, most)
    return _clamp_to_nonnegative(_widen_interval(least, most), sure=even or low >= 0)


def apply_function_to_intervals(function: str, parts: list[Interval]) -> Interval:
    """Return an interval that contains the results of a function of the language for these arguments."""
    if any(low > high for low, high in parts):
        return EMPTY
    if ANYTHING in parts:
        return ANYTHING
    if function == "min":
        return min(part[0] for part in parts), min(part[1] for part in parts)
    if function == "max":
        return max(part[0] for part in parts), max(part[1] for part in parts)
    ((low, high),) = parts
    if function == "abs":
        return (0.0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))
    if function in {"ceil", "floor"}:
        return _round_endpoint_to_whole(function, low), _round_endpoint_to_whole(function, high)
    if function in _RISING:
        return _apply_increasing_function(function, low, high)
    if function == "acos":
        return _round_outward(
            *_subtract_intervals(_RIGHT_ANGLE, _apply_increasing_function("asin", low, high))
        )
    return _apply_function_to_ball(function, low, high)


def _round_outward(low: float, high: float) -> Interval:
    if math.isnan(low) or math.isnan(high):
        return ANYTHING
    return math.nextafter(low, -math.inf), math.nextafter(high, math.inf)


def _widen_interval(low: float, high: float) -> Interval:
    """Widen an interval by a few units in the last place, for the rounding of library functions."""
    if low > high:
        return EMPTY
    low, high = min(low, sys.float_info.max), max(high, -sys.float_info.max)
    return low - 4 * math.ulp(low), high + 4 * math.ulp(high)


def _clamp_to_nonnegative(found: Interval, *, sure: bool) -> Interval:
    """Clamp the lower endpoint to zero if the values are known to be non-negative (`sure`)."""
    return (max(found[0], 0.0), found[1]) if sure else found


def _add_intervals(one: Interval, other: Interval) -> Interval:
    found = _round_outward(one[0] + other[0], one[1] + other[1])
    return _clamp_to_nonnegative(found, sure=one[0] >= 0 and other[0] >= 0)


def _subtract_intervals(one: Interval, other: Interval) -> Interval:
    return _round_outward(one[0] - other[1], one[1] - other[0])


def _multiply_intervals(one: Interval, other: Interval) -> Interval:
    ends = [left * right for left in one for right in other]
    if any(map(math.isnan, ends)):  # zero times infinity: execution has no number there
        return ANYTHING
    return _clamp_to_nonnegative(_round_outward(min(ends), max(ends)), sure=one[0] >= 0 and other[0] >= 0)


def _divide_intervals(one: Interval, other: Interval) -> Interval:
    if other[0] > other[1] or other[0] == other[1] == 0:
        return EMPTY
    if other[1] <= 0:
        one, other = (-one[1], -one[0]), (-other[1], -other[0])
    if other[0] < 0 or (math.isinf(other[1]) and math.inf in map(abs, one)):
        return ANYTHING
    if other[0] == 0:  # quotients grow without bound near a zero divisor
        low = -math.inf if one[0] < 0 else one[0] / other[1]
        high = math.inf if one[1] > 0 else one[1] / other[1]
        return _clamp_to_nonnegative(_round_outward(low, high), sure=one[0] >= 0)
    ends = [left / right for left in one for right in other]
    return _clamp_to_nonnegative(_round_outward(min(ends), max(ends)), sure=one[0] >= 0)


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
    pull = TOLERANCE * abs(value)
    pulled = value - pull if function == "ceil" else value + pull
    if math.isinf(pulled) or math.isinf(value):
        return value
    return float(math.ceil(pulled) if function == "ceil" else math.floor(pulled))


_QUARTER_TURN: Final = math.nextafter(math.pi / 2, math.inf)
_RIGHT_ANGLE: Final[Interval] = (math.pi / 2, _QUARTER_TURN)
# increasing function: (domain, range)
_RISING: Final[Mapping[str, tuple[Interval, Interval]]] = {
    "sqrt": ((0.0, math.inf), (0.0, math.inf)),
    "exp": (ANYTHING, (0.0, math.inf)),
    "log": ((0.0, math.inf), ANYTHING),
    "asin": ((-1.0, 1.0), (-_QUARTER_TURN, _QUARTER_TURN)),
    "atan": (ANYTHING, (-_QUARTER_TURN, _QUARTER_TURN)),
}


def _apply_increasing_function(function: str, low: float, high: float) -> Interval:
    domain, values = _RISING[function]
    low, high = max(low, domain[0]), min(high, domain[1])
    if low > high or (function == "log" and high == 0):
        return EMPTY
    least, most = getattr(arb(low), function)(), getattr(arb(high), function)()
    found = _widen_interval(
        float(least.lower()) if least.is_finite() else values[0],
        float(most.upper()) if most.is_finite() else values[1],
    )
    return max(found[0], values[0]), min(found[1], values[1])


def _apply_function_to_ball(function: str, low: float, high: float) -> Interval:
    middle, radius = (low + high) / 2, math.nextafter((high - low) / 2, math.inf)
    found = getattr(arb(middle, radius + math.ulp(middle)), function)()
    if not found.is_finite():
        return ANYTHING
    least, most = _widen_interval(float(found.lower()), float(found.upper()))
    return (least, most) if function == "tan" else (max(least, -1.0), min(most, 1.0))
