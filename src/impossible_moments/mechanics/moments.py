"""Moments: when, between two moments, something comes to hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

HALVINGS: Final = 200
FINEST: Final = 1e-12
"""How exactly a moment is found, as a share of the time since it was first looked."""


def first_true(holds: Callable[[float], bool], low: float, high: float) -> float:
    """The least moment at which something holds that does not at the low end, and does at the high end."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if high - low <= FINEST * high or not low < middle < high:
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def first_passed(left: Callable[[float], float | None], low: float, high: float) -> float:
    """The least moment at which what is left is gone: some at the low end, none at the high end; None counts as none.

    The next moment looked at is where a straight line would be at its end, each third time the middle.
    """
    before, after = left(low), left(high)
    for turn in range(HALVINGS):
        if high - low <= FINEST * high:
            break
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if turn % 3 < 2 and before and after is not None and before > after:  # noqa: PLR2004 - two guesses, one halving
            # a little beyond, so that the end is closed in from both sides
            guess = (
                low + (high - low) * before / (before - after) + (FINEST * high / 4) * (1 - 2 * (turn % 2))
            )
            middle = guess if low < guess < high else middle
        found = left(middle)
        if found is not None and found > 0:
            low, before = middle, found
        else:
            high, after = middle, found
    return high
