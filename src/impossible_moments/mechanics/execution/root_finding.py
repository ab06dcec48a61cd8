"""Root finding: the moment in an interval at which a condition becomes true or a value reaches zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

HALVINGS: Final = 200
FINEST: Final = 1e-12
"""The relative accuracy of the moment found."""


def find_first_true_moment(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Find by bisection when a condition becomes true that is false at `low` and true at `high`."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if high - low <= FINEST * high or not low < middle < high:
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def find_first_zero_moment(left: Callable[[float], float | None], low: float, high: float) -> float:
    """Find the first moment at which a value that is positive at `low` is no longer positive.

    At `high` it must be zero, negative or None, which stands for undefined. The next moment is guessed by
    linear interpolation, and every third time it is the middle.
    """
    before, after = left(low), left(high)
    for turn in range(HALVINGS):
        if high - low <= FINEST * high:
            break
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if turn % 3 < 2 and before and after is not None and before > after:  # noqa: PLR2004 - two guesses, one halving
            # shifted slightly to alternating sides, so that both ends of the interval converge
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
