"""Checks of numbers: equations, ratios, totals and other amounts in prose."""

from impossible_moments.audit.numbers.amounts import Amount, find_amounts

__all__ = [
    "Amount",
    "find_amounts",
]
