"""Recognition of numbers in text: digits of any script, and number words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.numbers.number_text import parse_digits
from impossible_moments.mechanics.numbers.number_words import (
    MULTIPLIERS,
    NUMBER_WORDS,
    SPOKEN_NUMBERS,
    TENS,
    WORD_BREAK,
    evaluate_number_words,
)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text, with its position, and its value if that is unambiguous."""

    start: int
    text: str
    value: float | None

    @property
    def end(self) -> int:
        """Position after the numeral."""
        return self.start + len(self.text)


def find_numerals(text: str) -> Iterator[Numeral]:
    """Yield the numbers in a text: first those in digits, then those in words, each in order."""
    yield from _find_digit_numerals(text)
    for match in NUMBER_WORDS.finditer(text):
        yield Numeral(match.start(), match.group(), evaluate_number_words(match.group()))


def evaluate_numeral(text: str) -> float | None:
    """Return the value of a text that consists of one number, else None."""
    return next((each.value for each in find_numerals(text) if each.text == text.strip()), None)


_TOKEN: Final = re.compile(r"\w+(?:[.,:]\w+)*")
_MOST_SAID_WORDS: Final = 2
_LONGEST_DIGITS: Final = 30
"""Longer rows of digits are identifiers, not numbers."""
_FIGURE: Final = r"0{1,3}(?:[ \u00a0\u202f]000)+|0+(?:[.,:/'’]0+)*"  # noqa: RUF001 - a typeset separator
_FIGURES: Final = re.compile(rf"[-+\u2212]?(?:{_FIGURE})(?:\s?[-\u2013]\s?(?:{_FIGURE})|st|nd|rd|th)?")


def is_one_numeral(text: str) -> bool:
    """Return whether a text is only one number: `1943`, `12:30`, `3-5`, `21st`, `twenty-one` or `third`."""
    if _FIGURES.fullmatch("".join("0" if _is_numeric_character(sign) else sign for sign in text)):
        return True
    words = WORD_BREAK.split(text.lower(), maxsplit=_MOST_SAID_WORDS)
    if len(words) > _MOST_SAID_WORDS or not SPOKEN_NUMBERS.issuperset(words):
        return False
    return words[1:] != ["second"] or words[0] in TENS or words[0] in MULTIPLIERS  # "ten second" is a time


def _find_digit_numerals(text: str) -> Iterator[Numeral]:
    for match in _TOKEN.finditer(text):
        places = [place for place, sign in enumerate(match.group()) if _is_numeric_character(sign)]
        if places:
            digits = match.group()[places[0] : places[-1] + 1]
            yield Numeral(match.start() + places[0], digits, _evaluate_digits(digits))


def _is_numeric_character(sign: str) -> bool:
    return sign.isnumeric() and not sign.isalpha()


def _evaluate_digits(digits: str) -> float | None:
    if len(digits) == 1:
        return unicodedata.numeric(digits, None)
    try:
        return parse_digits(digits) if len(digits) <= _LONGEST_DIGITS else None
    except ValueError:
        return None
