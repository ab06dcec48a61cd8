"""Recognition of numbers in text: digits of any script, and number words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.prose.number_formats import ONES, TENS

LONGEST_READ: Final = 12
"""Most words that are evaluated as one number."""


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
    for match in _WORDS.finditer(text):
        yield Numeral(match.start(), match.group(), _evaluate_number_words(match.group()))


def evaluate_numeral(text: str) -> float | None:
    """Return the value of a text that consists of one number, else None."""
    return next((each.value for each in find_numerals(text) if each.text == text.strip()), None)


# "one", "zero", "half" and "first" are too common to count as numbers. Roman numerals count as letters.
_SMALL: Final = dict(zip(ONES[2:], range(2, 20), strict=True)) | dict(
    zip(TENS, range(20, 100, 10), strict=True)
)
_GREAT: Final = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 10**9, "dozen": 12}
_FACTORS: Final = {
    "twice": 2, "thrice": 3, "double": 2, "doubles": 2, "doubled": 2, "doubling": 2, "triple": 3,
    "triples": 3, "tripled": 3, "tripling": 3, "treble": 3, "quadruple": 4, "quadrupled": 4,
    **{f"{word}fold": value for word, value in (_SMALL | _GREAT).items()},
}  # fmt: skip


def _make_plural(word: str) -> str:
    if word.endswith("y"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith("x") else f"{word}s"


_ORDINALS: Final = {
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", *(f"{word}th" for word in (*ONES[13:], *_GREAT)), *(f"{word[:-1]}ieth" for word in TENS),
}  # fmt: skip
_PLURALS: Final = {_make_plural(word): value for word, value in (_SMALL | _GREAT).items()}
_COUNTING: Final = _SMALL | _GREAT
_ANY: Final = "|".join(sorted({*_COUNTING, *_PLURALS, *_FACTORS}, key=len, reverse=True))
_NEXT: Final = "|".join(sorted({*_COUNTING, *_PLURALS, "one"}, key=len, reverse=True))
_WORDS: Final = re.compile(
    rf"\b(?:(?:{_ANY})(?:(?:[\s-]{{1,3}}|(?:(?<=hundred)|(?<=thousand))\s{{1,3}}and\s{{1,3}})(?:{_NEXT})\b)*"
    # "a quarter of an hour" is a number, "the officers' quarters" is not
    r"|quarters?(?=[\s-]{1,3}(?:of|past|hour|mile|full)\b))\b",
    re.IGNORECASE,
)
_SPLIT: Final = re.compile(r"[\s-]+")


def _evaluate_number_words(text: str) -> float | None:
    words = [word for word in _SPLIT.split(text.lower()) if word != "and"]
    if len(words) == 1:
        return (_COUNTING | _PLURALS | _FACTORS | {"quarter": 0.25}).get(words[0])
    if len(words) > LONGEST_READ:
        return None
    total, current = 0, 0
    for word in words:
        size = _COUNTING.get(word, _PLURALS.get(word, 1 if word == "one" else 0))
        if not size or not _can_follow_number(size, current, great=word in _GREAT):
            return None
        if word not in _GREAT:
            current += size
        elif size >= 1_000:  # noqa: PLR2004 - the number before a thousand is complete
            total, current = total + max(current, 1) * size, 0
        else:
            current = max(current, 1) * size
    return float(total + current)


def _can_follow_number(size: int, current: int, *, great: bool) -> bool:
    """Return whether a number word can continue the number before it. `four five` is a list of digits."""
    rest = current % 100
    return great or rest == 0 or (rest >= 20 and rest % 10 == 0 and size < 10)  # noqa: PLR2004 - twenty-one


_TOKEN: Final = re.compile(r"\w+(?:[.,:]\w+)*")


# "seconds" is a unit.
_SAID: Final = frozenset({
    "zero", "one", "half", "halves", "quarter", "quarters", *_COUNTING, *_PLURALS, *_FACTORS, *_ORDINALS,
    *(f"{word}s" for word in _ORDINALS - {"second"}),
})  # fmt: skip
_MOST_SAID: Final = 2
_FIGURE: Final = r"0{1,3}(?:[ \u00a0\u202f]000)+|0+(?:[.,:/'’]0+)*"  # noqa: RUF001 - a typeset separator
_FIGURES: Final = re.compile(rf"[-+\u2212]?(?:{_FIGURE})(?:\s?[-\u2013]\s?(?:{_FIGURE})|st|nd|rd|th)?")


def is_one_numeral(text: str) -> bool:
    """Return whether a text is only one number: `1943`, `12:30`, `3-5`, `21st`, `twenty-one` or `third`."""
    if _FIGURES.fullmatch("".join("0" if _is_numeric_character(sign) else sign for sign in text)):
        return True
    words = _SPLIT.split(text.lower(), maxsplit=_MOST_SAID)
    if len(words) > _MOST_SAID or not _SAID.issuperset(words):
        return False
    return words[1:] != ["second"] or words[0] in TENS or words[0] in _GREAT  # "ten second" is a time


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
        return float(digits.replace(",", "").replace("_", "")) if len(digits) <= 30 else None  # noqa: PLR2004 - longer than any float
    except ValueError:
        return None
