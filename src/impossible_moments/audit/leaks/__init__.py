"""Checks of text that reveals the solution, and of left-over thinking of the author."""

from impossible_moments.audit.leaks.leak_patterns import find_leaks

__all__ = [
    "find_leaks",
]
