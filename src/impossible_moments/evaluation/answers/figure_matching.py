"""Matching of figures in free text with quantities of the record: 8 cm is the stated 80 mm."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
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
_AND_A_HALF: Final = re.compile(r"\b(\d+) and a half\b")
_RELATIVE_TOLERANCE: Final = 0.006
"""Relative tolerance for rounded figures."""


@dataclass(frozen=True, slots=True)
class MentionedQuantities:
    """The stated quantities that a line mentions, and the number of all its figures."""

    paths: frozenset[str]
    figure_count: int

    def mentions_enough(self, least: int, share: float) -> bool:
        """Check that enough quantities are mentioned.

        `least` is the least number, `share` the least share of the figures of the line. The share rejects
        lines that list every figure.
        """
        return len(self.paths) >= max(least, share * self.figure_count)


def find_mentioned_quantities(line: str, paths: Iterable[str], world: World) -> MentionedQuantities:
    """Find which of the quantities at `paths` a line mentions by their figures."""
    amounts = extract_figures_of_line(line)
    found = frozenset(
        path for path in paths if any(_matches_quantity(each, world.quantities.get(path)) for each in amounts)
    )
    return MentionedQuantities(found, len(amounts))


@lru_cache(maxsize=4096)
def extract_figures_of_line(line: str) -> tuple[Amount, ...]:
    """Return the figures of a line, including those written in words."""
    return tuple(find_amounts(convert_number_words_to_digits(line)))


def convert_number_words_to_digits(text: str) -> str:
    """Return a text with number words as digits: two and a half hours become 2.5 hours."""
    for pattern, digits in _PHRASES:
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


def _matches_quantity(amount: Amount, quantity: Quantity | None) -> bool:
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
        and (not amount.unit or quantity.display_unit is None)
        and _are_nearly_equal(amount.low, printed_value)
    )


def _are_nearly_equal(first: float, second: float) -> bool:
    # a negative amount such as a debt is often written without its sign
    return abs(abs(first) - abs(second)) <= _RELATIVE_TOLERANCE * max(abs(first), abs(second), 1e-12)
