"""Bounds on the rounding drift between execution in floats and the exact value of a tree.

An exact solver must allow this drift as slack. A drift bounds the difference at every point of a box by an
amount plus a share of the absolute exact value. It assumes that no value leaves the range of floats.
`RoundingDrift.is_bounded` is false when that cannot be guaranteed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.language.interval_endpoints import Interval

STEP: Final = 2.0**-52
"""Twice the relative error of one float operation. The second half covers products of small terms."""
_TINY: Final = 1e-290
_LARGEST: Final = 1e300
_LARGEST_SHARE: Final = 1e-11


@dataclass(frozen=True, slots=True)
class RoundingDrift:
    """Bound |execution - exact| <= amount + share*|exact|, for exact values within `span`."""

    span: Interval
    amount: float = 0.0
    share: float = 0.0

    @property
    def is_bounded(self) -> bool:
        """Whether the bound is usable: finite, small, and without overflow."""
        ends = [abs(end) for end in self.span if math.isfinite(end)]
        return self.amount < math.inf and self.share < _LARGEST_SHARE and max(ends, default=0.0) < _LARGEST

    @property
    def largest(self) -> float:
        """Largest absolute value in the span."""
        return max(-self.span[0], self.span[1], 0.0)

    @property
    def smallest(self) -> float:
        """Smallest absolute value in the span."""
        return max(self.span[0], -self.span[1], 0.0)


def compute_sum_drift(one: RoundingDrift, other: RoundingDrift, span: Interval) -> RoundingDrift:
    """Return the drift of a sum. For a difference, pass the negated drift of the second term."""
    amount, share = one.amount + other.amount, 0.0
    if min(one.span[0], other.span[0]) >= 0 or max(one.span[1], other.span[1]) <= 0:
        share = max(one.share, other.share)
    else:
        amount += _multiply_error(one.share, one.largest) + _multiply_error(other.share, other.largest)
    return RoundingDrift(span, amount * (1 + STEP), share + STEP)


def compute_product_drift(one: RoundingDrift, other: RoundingDrift, span: Interval) -> RoundingDrift:
    """Return the drift of a product whose value lies within `span`."""
    amount = (
        _multiply_error(one.amount, other.largest)
        + _multiply_error(other.amount, one.largest)
        + one.amount * other.amount
    )
    return _add_underflow_drift(RoundingDrift(span, 2 * amount, one.share + other.share + STEP))


def compute_quotient_drift(one: RoundingDrift, other: RoundingDrift, span: Interval) -> RoundingDrift:
    """Return the drift of a quotient whose value lies within `span`."""
    nearest = other.smallest
    share = other.share + _divide_error(other.amount, nearest)
    return _add_underflow_drift(
        RoundingDrift(span, 2 * _divide_error(one.amount, nearest), one.share + 2 * share + STEP)
    )


def compute_root_drift(inner: RoundingDrift, span: Interval) -> RoundingDrift:
    """Return the drift of a square root. The root of a negative number counts as 0."""
    amount = min(math.sqrt(inner.amount), _divide_error(inner.amount, math.sqrt(inner.smallest)))
    return RoundingDrift(span, 2 * amount, inner.share + STEP)


def compute_alternatives_drift(parts: list[RoundingDrift], span: Interval) -> RoundingDrift:
    """Return the drift of a value that always equals one of the parts, such as min, max or a conditional."""
    return RoundingDrift(span, max(part.amount for part in parts), max(part.share for part in parts))


def negate_drift(drift: RoundingDrift) -> RoundingDrift:
    """Return the drift of the negated term."""
    return RoundingDrift((-drift.span[1], -drift.span[0]), drift.amount, drift.share)


def _add_underflow_drift(drift: RoundingDrift) -> RoundingDrift:
    """Add a small amount near zero, where floats have fewer digits than `share` assumes."""
    return RoundingDrift(drift.span, drift.amount + _TINY, drift.share) if drift.smallest < _TINY else drift


def _multiply_error(error: float, size: float) -> float:
    return error * size if error else 0.0


def _divide_error(error: float, size: float) -> float:
    return 0.0 if not error else error / size if size else math.inf
