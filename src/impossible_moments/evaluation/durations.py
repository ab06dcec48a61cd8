"""Durations in words, in the unit that suits them."""

from __future__ import annotations

from typing import Final

_UNITS: Final = (("years", 31_557_600.0), ("days", 86_400.0), ("h", 3_600.0), ("min", 60.0), ("s", 1.0))


def format_duration(seconds: float) -> str:
    """Return a duration in the largest unit of which it has at least two, with three digits."""
    unit, size = next(((unit, size) for unit, size in _UNITS if seconds >= 2 * size), ("s", 1.0))
    return f"{seconds / size:.3g} {unit}"
