"""Interval arithmetic with arb endpoints, rounded outwards at the current precision.

It shares no code with the intervals of the prover, so that an error in one is detected by the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise, product
from typing import Final, TypeAlias

from flint import arb

from impossible_moments.mechanics.language.scalar_evaluation import TOLERANCE

Ends: TypeAlias = tuple[arb, arb]

INFINITY: Final = arb.pos_inf()
UNBOUNDED_INTERVAL: Final[Ends] = (-INFINITY, INFINITY)
_ONE: Final[Ends] = (arb(1), arb(1))
_PIECES: Final = 8
# Increasing functions and their domains.
_INCREASING_FUNCTIONS: Final[Mapping[str, Ends]] = {
    "sqrt": (arb(0), INFINITY), "log": (arb(0), INFINITY), "asin": (arb(-1), arb(1)),
    "exp": UNBOUNDED_INTERVAL, "atan": UNBOUNDED_INTERVAL,
}  # fmt: skip


def enclose_values(values: list[arb]) -> Ends | None:
    """Return the smallest interval that contains all values.

    Return None without values, and the whole line if a value is not a number.
    """
    if not values:
        return None
    if any(value.is_nan() for value in values):
        return UNBOUNDED_INTERVAL
    lows, highs = [value.lower() for value in values], [value.upper() for value in values]
    return min(lows), max(highs)


def apply_interval_operator(operator: str, one: Ends | None, other: Ends | None) -> Ends | None:
    """Return the interval of `one operator other`, or None if it has no value."""
    if one is None or other is None:
        return None
    match operator:
        case "+":
            return enclose_values([one[0] + other[0], one[1] + other[1]])
        case "-":
            return enclose_values([one[0] - other[1], one[1] - other[0]])
        case "*":
            return enclose_values([left * right for left, right in product(one, other)])
        case _:
            return _divide_intervals(one, other)


def _divide_intervals(one: Ends, other: Ends) -> Ends | None:
    """Return the interval of `one / other`, or None if the divisor is zero."""
    if other[0] == 0 and other[1] == 0:
        return None
    if other[0] > 0 or other[1] < 0:
        return enclose_values([left / right for left, right in product(one, other)])
    if other[0] < 0 and other[1] > 0:
        return UNBOUNDED_INTERVAL
    if other[1] == 0:
        one, other = (-one[1], -one[0]), (-other[1], -other[0])
    low = one[0] / other[1] if one[0] >= 0 else -INFINITY
    high = one[1] / other[1] if one[1] <= 0 else INFINITY
    return enclose_values([low, high])


def raise_interval_to_power(base: Ends | None, exponent: float) -> Ends | None:
    """Return the interval of `base ** exponent`, or None if it has no value."""
    if base is None:
        return None
    low, high = base
    is_whole = exponent == int(exponent)
    if exponent < 0:
        below = raise_interval_to_power(base, -exponent)
        return None if below is None else _divide_intervals(_ONE, below)
    if exponent == 0:
        return _ONE
    if not is_whole and high < 0:
        return None
    values = [_raise_endpoint_to_power(end if is_whole else max(end, arb(0)), exponent) for end in base]
    touches_zero = is_whole and exponent % 2 == 0 and low <= 0 <= high
    return enclose_values([*values, arb(0)] if touches_zero else values)


def _raise_endpoint_to_power(end: arb, exponent: float) -> arb:
    if not end.is_finite():
        return -INFINITY if end < 0 and exponent % 2 else INFINITY
    return end ** int(exponent) if exponent == int(exponent) else end ** arb(exponent)


def apply_interval_function(function: str, parts: list[Ends | None]) -> Ends | None:
    """Return the interval of a function of the expression language, or None if it has no value."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    lows, highs = [low for low, _ in known], [high for _, high in known]
    if function in {"min", "max"}:
        return (min(lows), min(highs)) if function == "min" else (max(lows), max(highs))
    low, high = lows[0], highs[0]
    if function in _INCREASING_FUNCTIONS:
        return _apply_increasing_function(function, low, high)
    if function == "acos":
        arcsine = _apply_increasing_function("asin", low, high)
        return apply_interval_operator("-", (arb.pi() / 2, arb.pi() / 2), arcsine)
    if function == "abs":
        return enclose_values([abs(low), abs(high), *([arb(0)] if low <= 0 <= high else [])])
    if function in {"ceil", "floor"}:
        return enclose_values([_round_endpoint(function, end) for end in (low, high)])
    return (
        _apply_periodic_function(function, low, high)
        if low.is_finite() and high.is_finite()
        else UNBOUNDED_INTERVAL
    )


def _round_endpoint(function: str, end: arb) -> arb:
    """Round an endpoint with `ceil` or `floor`, with the tolerance that execution uses."""
    if not end.is_finite():
        return end
    tolerance = arb(TOLERANCE) * abs(end)
    return (end - tolerance).ceil() if function == "ceil" else (end + tolerance).floor()


def _apply_increasing_function(function: str, low: arb, high: arb) -> Ends | None:
    """Apply an increasing function to the part of an interval that lies in its domain."""
    first, last = _INCREASING_FUNCTIONS[function]
    low, high = max(low, first), min(high, last)
    if low > high or (function == "log" and high == 0):
        return None
    lowest, highest = getattr(low, function)(), getattr(high, function)()
    return (
        lowest.lower() if lowest.is_finite() else -INFINITY,
        highest.upper() if highest.is_finite() else INFINITY,
    )


def _apply_periodic_function(function: str, low: arb, high: arb) -> Ends | None:
    """Apply sin, cos or tan piece by piece: the enclosure of a wide interval would be too loose."""
    cuts = [low, *(low + (high - low) * piece / _PIECES for piece in range(1, _PIECES)), high]
    found = [getattr(left.union(right), function)() for left, right in pairwise(cuts)]
    return enclose_values(found) if all(value.is_finite() for value in found) else UNBOUNDED_INTERVAL
