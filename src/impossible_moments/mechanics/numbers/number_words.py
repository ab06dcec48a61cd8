"""Number words: `two`, `twenty-one`, `three hundred and five`, `twice`, `third`, and their values."""

from __future__ import annotations

import re
from typing import Final

LONGEST_READ: Final = 12
"""Most words that are evaluated as one number."""

# fmt: off
ONES: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SMALL_ORDINALS: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)
SCALES: Final = {"dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
# fmt: on

# "one", "zero", "half" and "first" are too common to count as numbers. Roman numerals count as letters.
_SMALL: Final = dict(zip(ONES[2:], range(2, 20), strict=True)) | dict(
    zip(TENS, range(20, 100, 10), strict=True)
)
MULTIPLIERS: Final = {word: value for word, value in SCALES.items() if word != "trillion"}
"""The scale words that count as numbers in prose."""
_FACTORS: Final = {
    "twice": 2, "thrice": 3, "double": 2, "doubles": 2, "doubled": 2, "doubling": 2, "triple": 3,
    "triples": 3, "tripled": 3, "tripling": 3, "treble": 3, "quadruple": 4, "quadrupled": 4,
    **{f"{word}fold": value for word, value in (_SMALL | MULTIPLIERS).items()},
}  # fmt: skip


def _make_plural(word: str) -> str:
    if word.endswith("y"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith("x") else f"{word}s"


_ORDINALS: Final = {
    *SMALL_ORDINALS, *(f"{word}th" for word in (*ONES[13:], *MULTIPLIERS)), *(f"{word[:-1]}ieth" for word in TENS),
}  # fmt: skip
_PLURALS: Final = {_make_plural(word): value for word, value in (_SMALL | MULTIPLIERS).items()}
_COUNTING: Final = _SMALL | MULTIPLIERS
_ANY: Final = "|".join(sorted({*_COUNTING, *_PLURALS, *_FACTORS}, key=len, reverse=True))
_NEXT: Final = "|".join(sorted({*_COUNTING, *_PLURALS, "one"}, key=len, reverse=True))
NUMBER_WORDS: Final = re.compile(
    rf"\b(?:(?:{_ANY})(?:(?:[\s-]{{1,3}}|(?:(?<=hundred)|(?<=thousand))\s{{1,3}}and\s{{1,3}})(?:{_NEXT})\b)*"
    # "a quarter of an hour" is a number, "the officers' quarters" is not
    r"|quarters?(?=[\s-]{1,3}(?:of|past|hour|mile|full)\b))\b",
    re.IGNORECASE,
)
SPOKEN_NUMBERS: Final = frozenset({
    "zero", "one", "half", "halves", "quarter", "quarters", *_COUNTING, *_PLURALS, *_FACTORS, *_ORDINALS,
    *(f"{word}s" for word in _ORDINALS - {"second"}),  # "seconds" is a unit
})  # fmt: skip
"""All words that can state a number, including those too common to count as one in prose."""
WORD_BREAK: Final = re.compile(r"[\s-]+")


def evaluate_number_words(text: str) -> float | None:
    """Return the value of number words, or None if they are ambiguous, such as `four five`."""
    words = [word for word in WORD_BREAK.split(text.lower()) if word != "and"]
    if len(words) == 1:
        return (_COUNTING | _PLURALS | _FACTORS | {"quarter": 0.25}).get(words[0])
    if len(words) > LONGEST_READ:
        return None
    total, current = 0, 0
    for word in words:
        size = _COUNTING.get(word, _PLURALS.get(word, 1 if word == "one" else 0))
        if not size or not _can_follow_number(size, current, is_multiplier=word in MULTIPLIERS):
            return None
        if word not in MULTIPLIERS:
            current += size
        elif size >= 1_000:  # noqa: PLR2004 - the number before a thousand is complete
            total, current = total + max(current, 1) * size, 0
        else:
            current = max(current, 1) * size
    return float(total + current)


def _can_follow_number(size: int, current: int, *, is_multiplier: bool) -> bool:
    """Return whether a number word can continue the number before it. `four five` is a list of digits."""
    rest = current % 100
    return is_multiplier or rest == 0 or (rest >= 20 and rest % 10 == 0 and size < 10)  # noqa: PLR2004 - twenty-one
