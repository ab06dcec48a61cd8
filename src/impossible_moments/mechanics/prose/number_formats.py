"""Text form of numbers: rounded, without trailing zeros, or in words."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Final

from impossible_moments.mechanics.numbers.number_text import TO_SUPERSCRIPT
from impossible_moments.mechanics.numbers.number_words import ONES, TENS

USUAL_DIGITS: Final = 3
LARGEST_WORD: Final = 1000
MOST_OFF: Final = Decimal("0.01")
"""Largest relative error of a printed number."""

# Unit conversion leaves errors in the sixteenth digit. Twelve digits restore what the author wrote.
_PRINT_CONTEXT: Final = Context(prec=12)
_PLAIN_EXPONENTS: Final = range(-4, 9)
_FIRST_WITH_COMMA: Final = 10_000


def format_number_in_words(n: int) -> str:
    """Return the words for a whole number from 0 to 1000, such as `one hundred and five`."""
    if not 0 <= n <= LARGEST_WORD:
        raise ValueError(f"cannot write {n} in words; only 0 to {LARGEST_WORD} are supported")
    if n == LARGEST_WORD:
        return "one thousand"
    hundreds, rest = divmod(n, 100)
    if not hundreds:
        return _format_number_below_hundred_in_words(rest)
    return f"{ONES[hundreds]} hundred" + (
        f" and {_format_number_below_hundred_in_words(rest)}" if rest else ""
    )


def _format_number_below_hundred_in_words(n: int) -> str:
    if n < len(ONES):
        return ONES[n]
    tens, rest = divmod(n, 10)
    return TENS[tens - 2] + (f"-{ONES[rest]}" if rest else "")


def to_exact_decimal(number: float) -> Decimal:
    """Convert a finite number to the decimal that its author wrote, without errors of unit conversion."""
    return _PRINT_CONTEXT.create_decimal(repr(float(number)))


def round_to_digits(number: float, digits: int = USUAL_DIGITS) -> Decimal:
    """Round a finite number to `digits` significant digits, with halves away from zero."""
    return Context(prec=digits, rounding=ROUND_HALF_UP).plus(to_exact_decimal(number))


def count_significant_digits(number: float) -> int:
    """Return how many significant digits are needed to write a number exactly."""
    return len(to_exact_decimal(number).normalize().as_tuple().digits)


def is_rounding_misleading(rounded: Decimal, number: float) -> bool:
    """Return whether the rounded number `rounded` differs too much from `number`."""
    true = to_exact_decimal(number)
    return abs(rounded - true) > MOST_OFF * abs(true)


def format_decimal(number: Decimal) -> str:
    """Format a number in digits, such as `3.6`, `1250`, `12,000`, or `1.8 × 10⁻⁵` for unusual sizes."""
    if not number:
        return "0"
    if number.adjusted() in _PLAIN_EXPONENTS:
        return _remove_trailing_zeros(f"{number:,f}" if abs(number) >= _FIRST_WITH_COMMA else f"{number:f}")
    mantissa = _remove_trailing_zeros(f"{number.scaleb(-number.adjusted()):f}")
    return f"{mantissa} × 10{str(number.adjusted()).translate(TO_SUPERSCRIPT)}"


def _remove_trailing_zeros(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
