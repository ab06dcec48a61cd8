"""Parser of amounts in prose: `1,200`, `2.5 x 10^6`, `~0.3`, `10-15 min`, `5-meter`, `98%`, with their units.

Every amount is a range with two ends, which are equal for a single number. Values are kept as printed and can
be converted to SI. Prose often omits units, and then only the printed numbers can be compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.language import PLAIN, Dimension, parse_unit_at
from impossible_moments.mechanics.numbers import parse_number_at

_AMOUNT_START: Final = re.compile(r"(?<![\w.])[~≈]?[$€£]?[-−]?\.?\d")
_RANGE_SEPARATOR: Final = re.compile(r"\s?(?:-|–|—|\bto\b)\s?(?=[~$€£]?\s?[\d.])")
_APPROXIMATE_WORDS: Final = re.compile(
    r"(?P<rough>\b(?:roughly|order of|on the order of|around|about|some|nearly|almost|over|under|up to|at most|at least|"
    r"more than|less than|fewer than|below|above|maximum|minimum|max|min)|[<>≤≥])\s*$|"
    r"(?P<near>\b(?:approximately|approx\.?|circa|ca\.)|[~≈])\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Amount:
    """Number or range with its unit, its position in the text, and its precision."""

    low: float
    high: float
    """Ends of the range as printed, in the unit."""
    factor: float
    dimension: Dimension
    unit: str
    """Unit as printed, or an empty string."""
    half_step: float
    """Half a step of the last printed digit, in the unit."""
    tolerance: float
    """Relative tolerance implied by words such as `about`."""
    start: int
    end: int
    is_whole: bool
    """Whether the number is printed as an integer."""

    @property
    def si(self) -> tuple[float, float]:
        """Both ends in SI units."""
        return self.low * self.factor, self.high * self.factor

    @property
    def is_range(self) -> bool:
        """Whether two ends are printed."""
        return self.low != self.high


def parse_amount_at(text: str, at: int) -> Amount | None:
    """Parse the amount that begins at a position of a text. Return None if there is none."""
    first = parse_number_at(text, at)
    if first is None:
        return None
    start, end, low, high, half = at, first.end, first.value, first.value, first.half
    is_approximate, is_whole = first.near, first.whole
    measure, end = parse_unit_at(text, end)
    gap = _RANGE_SEPARATOR.match(text, end)
    if gap is not None and not text[end : gap.end()].startswith((" -", " –", " —")):
        second = parse_number_at(text, gap.end())
        if second is not None and second.value > first.value:
            other, stop = parse_unit_at(text, second.end)
            if measure is None or other is None or other == measure:
                measure, end = other or measure, stop
                high, half, is_approximate = (
                    second.value,
                    max(half, second.half),
                    is_approximate or second.near,
                )
                is_whole = is_whole and second.whole
    factor, dimension, name = measure or (1.0, PLAIN, "")
    return Amount(
        low,
        high,
        factor,
        dimension,
        name,
        half,
        _estimate_tolerance(text, start, is_approximate=is_approximate),
        start,
        end,
        is_whole,
    )


def find_amounts(text: str) -> Iterator[Amount]:
    """Yield all amounts of a text from left to right. Digits inside words are ignored."""
    at = 0
    while (match := _AMOUNT_START.search(text, at)) is not None:
        start = match.start()
        found = parse_amount_at(text, start)
        if found is None:
            at = start + 1
            continue
        yield found
        at = max(found.end, start + 1)


def is_amount_continuation(text: str, amount: Amount) -> bool:
    """Return whether an amount continues a compound amount, like the minutes of `1 h 15 min`."""
    before = text[max(0, amount.start - 24) : amount.start]
    larger = next(iter(reversed(list(find_amounts(before)))), None)
    return (
        larger is not None
        and larger.dimension == amount.dimension
        and larger.factor > amount.factor
        and not before[larger.end :].strip(" ,")
    )


def _estimate_tolerance(text: str, at: int, *, is_approximate: bool) -> float:
    """Return the relative tolerance that the words before an amount allow."""
    match = _APPROXIMATE_WORDS.search(text[max(0, at - 30) : at])
    if match is not None and match["rough"]:
        return 0.15
    return 0.05 if is_approximate or match is not None else 0.0
