"""Digits, shares and durations as agents write them."""

from __future__ import annotations

from typing import Final

_SMALLEST_SEPARATED: Final = 10_000.0
_LARGEST_SEPARATED: Final = 1e12
_SMALL_SHARE: Final = 0.1
_DURATION_UNITS: Final = {"days": 86_400.0, "h": 3_600.0, "min": 60.0}


def format_digits(value: float) -> str:
    """Format a number with four digits: large ones in full with separators, `10,500,000`."""
    if _SMALLEST_SEPARATED <= abs(value) < _LARGEST_SEPARATED:
        return f"{float(f'{value:.4g}'):,.0f}"
    return f"{value:.4g}"


def format_share(share: float) -> str:
    """Format a share in per cent, with a digit more if it is small."""
    return f"{share:.1%}" if abs(share) < _SMALL_SHARE else f"{share:.0%}"


def format_duration(seconds: float, *, like: float | None = None) -> str:
    """Format a duration in the largest unit of which it has at least two, or in the unit that suits `like`."""
    chosen = abs(seconds if like is None else like)
    unit = next((unit for unit, size in _DURATION_UNITS.items() if chosen >= 2 * size), "s")
    return f"{format_digits(seconds / _DURATION_UNITS.get(unit, 1.0))} {unit}"
