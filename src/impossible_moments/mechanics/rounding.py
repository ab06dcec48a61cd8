"""How far execution in floats may be from the exact value of a tree: the slack an exact solver must grant.

A drift bounds the difference at every point of a box by an amount plus a share of the exact value's size.
It presumes that no value leaves the range of floats; `Drift.is_bounded` says when that cannot be promised.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.ends import Interval

STEP: Final = 2.0**-52
"""Twice the relative error of one operation on floats; the other half pays for products of small terms."""
_TINY: Final = 1e-290
_LARGEST: Final = 1e300
_LARGEST_SHARE: Final = 1e-11


@dataclass(frozen=True, slots=True)
class Drift:
    """|execution - exact| <= amount + share*|exact|, for values that lie within `span`."""

    span: Interval
    amount: float = 0.0
    share: float = 0.0

    @property
    def is_bounded(self) -> bool:
        """Whether the bound means anything: finite, small, and free of overflow."""
        ends = [abs(end) for end in self.span if math.isfinite(end)]
        return self.amount < math.inf and self.share < _LARGEST_SHARE and max(ends, default=0.0) < _LARGEST

    @property
    def largest(self) -> float:
        """The largest size in the span."""
        return max(-self.span[0], self.span[1], 0.0)

    @property
    def smallest(self) -> float:
        """The smallest size in the span."""
        return max(self.span[0], -self.span[1], 0.0)


def of_sum(one: Drift, other: Drift, span: Interval) -> Drift:
    """The drift of a sum; of a difference if `other` is the negated term's."""
    amount, share = one.amount + other.amount, 0.0
    if min(one.span[0], other.span[0]) >= 0 or max(one.span[1], other.span[1]) <= 0:
        share = max(one.share, other.share)
    else:
        amount += _times(one.share, one.largest) + _times(other.share, other.largest)
    return Drift(span, amount * (1 + STEP), share + STEP)


def of_product(one: Drift, other: Drift, span: Interval) -> Drift:
    """The drift of a product."""
    amount = _times(one.amount, other.largest) + _times(other.amount, one.largest) + one.amount * other.amount
    return _rounded(Drift(span, 2 * amount, one.share + other.share + STEP))


def of_quotient(one: Drift, other: Drift, span: Interval) -> Drift:
    """The drift of a quotient."""
    nearest = other.smallest
    share = other.share + _over(other.amount, nearest)
    return _rounded(Drift(span, 2 * _over(one.amount, nearest), one.share + 2 * share + STEP))


def of_root(inner: Drift, span: Interval) -> Drift:
    """The drift of a square root; the root of a negative number counts as 0."""
    amount = min(math.sqrt(inner.amount), _over(inner.amount, math.sqrt(inner.smallest)))
    return Drift(span, 2 * amount, inner.share + STEP)


def of_either(parts: list[Drift], span: Interval) -> Drift:
    """The drift of a value that is always one of several."""
    return Drift(span, max(part.amount for part in parts), max(part.share for part in parts))


def negated(drift: Drift) -> Drift:
    """The drift of a term with its sign turned."""
    return Drift((-drift.span[1], -drift.span[0]), drift.amount, drift.share)


def _rounded(drift: Drift) -> Drift:
    """Near zero a float has fewer digits than its share promises."""
    return Drift(drift.span, drift.amount + _TINY, drift.share) if drift.smallest < _TINY else drift


def _times(error: float, size: float) -> float:
    return error * size if error else 0.0


def _over(error: float, size: float) -> float:
    return 0.0 if not error else error / size if size else math.inf
