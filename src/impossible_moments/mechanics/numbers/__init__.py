"""Numbers in text: the grammar that the auditor, the prose checks, the solver and the scorer share."""

from impossible_moments.mechanics.numbers.number_text import (
    ANSWER_NUMBER,
    CLAIMED_NUMBER,
    LARGEST_AMOUNT,
    LOOSE_NUMBER,
    PLAIN_NUMBER,
    RANGE_MARK,
    SUPERSCRIPT_DIGITS,
    SUPERSCRIPT_SIGNS,
    WORDING_NUMBER,
    normalize_decimal_comma,
    normalize_digits,
    parse_digits,
    parse_exponent,
    parse_number_at,
    parse_number_with_power_of_ten,
)
from impossible_moments.mechanics.numbers.number_words import ONES, SMALL_ORDINALS, SPOKEN_NUMBERS

__all__ = [
    "ANSWER_NUMBER",
    "CLAIMED_NUMBER",
    "LARGEST_AMOUNT",
    "LOOSE_NUMBER",
    "ONES",
    "PLAIN_NUMBER",
    "RANGE_MARK",
    "SMALL_ORDINALS",
    "SPOKEN_NUMBERS",
    "SUPERSCRIPT_DIGITS",
    "SUPERSCRIPT_SIGNS",
    "WORDING_NUMBER",
    "normalize_decimal_comma",
    "normalize_digits",
    "parse_digits",
    "parse_exponent",
    "parse_number_at",
    "parse_number_with_power_of_ten",
]
