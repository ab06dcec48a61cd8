"""Matching of figures in free text with quantities of the record: 8 cm is the stated 80 mm."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from impossible_moments.audit.numbers import Amount, find_amounts
from impossible_moments.mechanics.numbers import SMALL_ORDINALS
from impossible_moments.mechanics.prose import find_numerals
from impossible_moments.mechanics.records import Quantity
from impossible_moments.mechanics.world import World

LEAST_DISTINCTIVE: Final = 3
"""Smaller whole numbers occur in every text and identify nothing."""
_PHRASES: Final = tuple(
    (re.compile(rf"\b{words}\b", re.IGNORECASE), digits)
    for words, digits in (
        ("(?:near enough )?(?:a )?quarter of an hour", "15 min"),
        ("three quarters of an hour", "45 min"),
        ("half an hour", "30 min"),
        ("an hour and a half", "1.5 h"),
        ("an hour", "1 h"),
        *((f"{word}s?", str(number)) for number, word in enumerate(SMALL_ORDINALS, start=1)),
    )
)
_PARTS_OF_AN_HOUR: Final = 4
"""How many of the phrases are parts of an hour."""
_MEASURE: Final = r"(seconds?|minutes?|hours?|days?|weeks?|months?|years?|met(?:er|re)s?|kilomet(?:er|re)s?|miles?|lit(?:er|re)s?|tons?|tonnes?|kilos?)"
_FRACTIONS: Final = tuple(
    (re.compile(rf"\b{words}\b", re.IGNORECASE), found)
    for words, found in (
        (rf"(?:an?|one) {_MEASURE} and a half", r"1.5 \1"),
        (rf"(?:an?|one) {_MEASURE} and a quarter", r"1.25 \1"),
        (rf"half (?:an?|one) {_MEASURE}", r"0.5 \1"),
        (rf"(?:a |one )?quarter of (?:an?|one) {_MEASURE}", r"0.25 \1"),
        (rf"three quarters of (?:an?|one) {_MEASURE}", r"0.75 \1"),
    )
)
"""Parts of one measure. The usual parts of an hour are among the phrases."""
_AND_A_HALF: Final = re.compile(r"\b(\d+) and a half\b")
_SHARES: Final = tuple(
    (re.compile(rf"\b{words}\b", re.IGNORECASE), digits)
    for words, digits in (
        ("two[ -]thirds", "0.667"),
        ("three[ -](?:quarters|fourths)", "0.75"),
        ("(?:an?|one)[ -]third", "0.333"),
        ("(?:an?|one)[ -](?:quarter|fourth)", "0.25"),
        ("(?:an?|one)[ -]fifth", "0.2"),
        ("(?:an?|one)[ -]tenth", "0.1"),
        ("(?:a |one )?half", "0.5"),
    )
)
_UNITS_IN_WORDS: Final = tuple(
    (re.compile(rf"(?<=\d)\s+{words}\b", re.IGNORECASE), sign)
    for words, sign in (
        ("(?:percentage |per ?cent )points?", " %"),
        ("points?(?= (?:an?|per|each|every) )", " %"),
        ("per cent(?:age)?", " %"),
        ("cubic met(?:re|er)s?", " m³"),
        ("square met(?:re|er)s?", " m²"),
    )
)
"""Units that a text often spells out. Points are shares of a whole if they are points per time."""
_TIME_WORDS: Final = "second|minute|hour|day|week|month|year"
_RATE_IN_WORDS: Final = re.compile(
    rf"(?<=\d)(\s*(?!(?:h|min|s|d|in)\b)(?:%|[^\W\d_]{{1,4}}[²³]?|lit(?:re|er)s?|met(?:re|er)s?|kilo(?:s|grams?|met(?:re|er)s?)?))\s+(?:an?|per|each|every)\s+({_TIME_WORDS})\b",
    re.IGNORECASE,
)
"""A unit per time in words, such as `5 m³ a minute`."""
_RELATIVE_TOLERANCE: Final = 0.006
"""Relative tolerance for rounded figures."""


def find_mentioned_quantities(line: str, paths: Iterable[str], world: World) -> frozenset[str]:
    """Return which of the quantities at `paths` a line mentions by their figures."""
    amounts = extract_figures_of_line(line)
    return frozenset(
        path
        for path in paths
        if any(is_figure_of_quantity(each, world.quantities.get(path)) for each in amounts)
    )


@lru_cache(maxsize=4096)
def extract_figures_of_line(line: str) -> tuple[Amount, ...]:
    """Return the figures of a line, including those written in words."""
    return tuple(find_amounts(convert_words_to_figures(line)))


def convert_shares_to_digits(text: str) -> str:
    """Return a text with shares in words as numbers: two thirds become 0.667."""
    for pattern, digits in _SHARES:
        text = pattern.sub(digits, text)
    return text


def convert_words_to_figures(text: str) -> str:
    """Return a text with number words as digits and units in words as signs: `3 points a year` becomes `3 %/year`."""
    text = convert_number_words_to_digits(text)
    for pattern, sign in _UNITS_IN_WORDS:
        text = pattern.sub(sign, text)
    return _RATE_IN_WORDS.sub(r"\1/\2", text)


def convert_number_words_to_digits(text: str) -> str:
    """Return a text with number words as digits: two and a half hours become 2.5 hours."""
    for pattern, digits in (*_PHRASES[:_PARTS_OF_AN_HOUR], *_FRACTIONS, *_PHRASES[_PARTS_OF_AN_HOUR:]):
        text = pattern.sub(digits, text)
    for each in sorted(find_numerals(text), key=lambda found: -found.start):
        if each.value is not None and each.text.isascii() and not each.text[0].isdigit():
            text = f"{text[: each.start]}{each.value:g}{text[each.end :]}"
    return _AND_A_HALF.sub(lambda found: f"{float(found[1]) + 0.5:g}", text)


def compute_printed_value(quantity: Quantity | None) -> float | None:
    """Return a stated number in its printed unit; None if it is not a number or a small whole number."""
    if (
        quantity is None
        or isinstance(quantity.value, bool)
        or not isinstance(quantity.value, int | float)
        or (
            quantity.display_unit is None
            and quantity.value == round(quantity.value)
            and abs(quantity.value) < LEAST_DISTINCTIVE
        )
    ):
        return None
    return (
        quantity.display_unit.from_si(quantity.value)
        if quantity.display_unit is not None
        else float(quantity.value)
    )


def is_figure_of_quantity(amount: Amount, quantity: Quantity | None) -> bool:
    """Return whether an amount of a text is the stated value of a quantity, in any unit."""
    printed_value = compute_printed_value(quantity)
    if quantity is None or printed_value is None:
        return False
    if (
        amount.unit
        and quantity.display_unit is not None
        and amount.dimension == quantity.display_unit.dimension
    ):
        # a temperature scale has an offset, so only values in equal units can be compared
        if quantity.display_unit.offset:
            return _are_nearly_equal(amount.low, printed_value)
        return _are_nearly_equal(amount.si[0], quantity.display_unit.factor * printed_value)
    is_distinctive = abs(printed_value) >= LEAST_DISTINCTIVE or printed_value != round(printed_value)
    return (
        is_distinctive
        # half a metre is not the share 0.5
        and (not amount.unit or (quantity.display_unit is None and amount.dimension.is_plain))
        # 23 % is the share 0.23
        and (_are_nearly_equal(amount.low, printed_value) or _are_nearly_equal(amount.si[0], printed_value))
    )


def _are_nearly_equal(first: float, second: float) -> bool:
    # a negative amount such as a debt is often written without its sign
    return abs(abs(first) - abs(second)) <= _RELATIVE_TOLERANCE * max(abs(first), abs(second), 1e-12)
