"""Shares of successes with Wilson score intervals, which hold for small numbers and for shares near 0 and 1."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

Z95: Final = 1.959963984540054
"""The quantile of the normal distribution for a two-sided interval of 95 %."""


@dataclass(frozen=True, slots=True)
class SuccessRate:
    """Successes among trials, with the share and its interval. Without trials the share is None."""

    successes: float
    trials: int
    share: float | None
    low: float
    high: float


def compute_success_rate(successes: float, trials: int) -> SuccessRate:
    """Return the share of successes with its 95 % Wilson interval. Without trials the interval is 0 to 1."""
    if not trials:
        return SuccessRate(0.0, 0, None, 0.0, 1.0)
    share = successes / trials
    square = Z95**2 / trials
    middle = (share + square / 2) / (1 + square)
    half = Z95 / (1 + square) * sqrt(share * (1 - share) / trials + square / (4 * trials))
    return SuccessRate(successes, trials, share, max(middle - half, 0.0), min(middle + half, 1.0))
