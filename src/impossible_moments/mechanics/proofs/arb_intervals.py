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

ENDLESS: Final = arb.pos_inf()
ANYTHING: Final[Ends] = (-ENDLESS, ENDLESS)
_ONE: Final[Ends] = (arb(1), arb(1))
_PIECES: Final = 8
# Increasing functions and their domains.
_RISING: Final[Mapping[str, Ends]] = {
    "sqrt": (arb(0), ENDLESS), "log": (arb(0), ENDLESS), "asin": (arb(-1), arb(1)),
    "exp": ANYTHING, "atan": ANYTHING,
}  # fmt: skip


def enclose_values(values: list[arb]) -> Ends | None:
    """Return the smallest interval that contains all values.

    Return None without values, and the whole line if a value is not a number.
    """
    if not values:
        return None
    if any(value.is_nan() for value in values):
        return ANYTHING
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
        return ANYTHING
    if other[1] == 0:
        one, other = (-one[1], -one[0]), (-other[1], -other[0])
    low = one[0] / other[1] if one[0] >= 0 else -ENDLESS
    high = one[1] / other[1] if one[1] <= 0 else ENDLESS
    return enclose_values([low, high])


def raise_interval_to_power(base: Ends | None, exponent: float) -> Ends | None:
    """Return the interval of `base ** exponent`, or None if it has no value."""
    if base is None:
        return None
    low, high = base
    whole = exponent == int(exponent)
    if exponent < 0:
        below = raise_interval_to_power(base, -exponent)
        return None if below is None else _divide_intervals(_ONE, below)
    if exponent == 0:
        return _ONE
    if not whole and high < 0:
        return None
    values = [_raise_endpoint_to_power(end if whole else max(end, arb(0)), exponent) for end in base]
    touches_zero = whole and exponent % 2 == 0 and low <= 0 <= high
    return enclose_values([*values, arb(0)] if touches_zero else values)


def _raise_endpoint_to_power(end: arb, exponent: float) -> arb:
    if not end.is_finite():
        return -ENDLESS if end < 0 and exponent % 2 else ENDLESS
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
    if function in _RISING:
        return _apply_increasing_function(function, low, high)
    if function == "acos":
        turned = _apply_increasing_function("asin", low, high)
        return apply_interval_operator("-", (arb.pi() / 2, arb.pi() / 2), turned)
    if function == "abs":
        return enclose_values([abs(low), abs(high), *([arb(0)] if low <= 0 <= high else [])])
    if function in {"ceil", "floor"}:
        return enclose_values([_round_endpoint(function, end) for end in (low, high)])
    return _apply_periodic_function(function, low, high) if low.is_finite() and high.is_finite() else ANYTHING


def _round_endpoint(function: str, end: arb) -> arb:
    """Round an endpoint with `ceil` or `floor`, with the tolerance that execution uses."""
    if not end.is_finite():
        return end
    pull = arb(TOLERANCE) * abs(end)
    return (end - pull).ceil() if function == "ceil" else (end + pull).floor()


def _apply_increasing_function(function: str, low: arb, high: arb) -> Ends | None:
    """Apply an increasing function to the part of an interval that lies in its domain."""
    first, last = _RISING[function]
    low, high = max(low, first), min(high, last)
    if low > high or (function == "log" and high == 0):
        return None
    least, most = getattr(low, function)(), getattr(high, function)()
    return (
        least.lower() if least.is_finite() else -ENDLESS,
        most.upper() if most.is_finite() else ENDLESS,
    )


def _apply_periodic_function(function: str, low: arb, high: arb) -> Ends | None:
    """Apply sin, cos or tan piece by piece: the enclosure of a wide interval would be too loose."""
    cuts = [low, *(low + (high - low) * piece / _PIECES for piece in range(1, _PIECES)), high]
    found = [getattr(left.union(right), function)() for left, right in pairwise(cuts)]
    return enclose_values(found) if all(value.is_finite() for value in found) else ANYTHING
