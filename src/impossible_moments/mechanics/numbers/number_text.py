"""Grammar of numbers in text, shared by the auditor, the prose checks, the solver and the scorer.

Every reader is built from the same parts: signs, digits of any script, groups of three, decimals and powers.
The readers differ in what surrounds a number, so each has its own pattern here, with the reason beside it.
Number words are in `number_words`, units behind a number in `unit_text`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.numbers.number_words import SCALES

SUPERSCRIPT_DIGITS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
SUPERSCRIPT_SIGNS: Final = f"⁻{SUPERSCRIPT_DIGITS}"
TO_SUPERSCRIPT: Final = str.maketrans("-0123456789", SUPERSCRIPT_SIGNS)
FROM_SUPERSCRIPT: Final = str.maketrans(SUPERSCRIPT_SIGNS, "-0123456789")

# fmt: off
_FRACTION: Final    = r"(?:\.\d+)?"
_E_POWER: Final     = r"[eE][-+]?\d+"
RAISED_POWER: Final = rf"[{SUPERSCRIPT_SIGNS}]+"

# What each reader accepts                                                     Accepted by, and why
GROUPED_NUMBER: Final = rf"(?:\d{{1,3}}(?:,\d{{3}})+{_FRACTION}(?!\d)|\d+{_FRACTION}|\.\d+)"
"""Auditor: commas only between groups of three, and `.5`. A list such as `10,200` must not become one number."""
LOOSE_NUMBER: Final   = rf"\d[\d,]*{_FRACTION}"
"""Ratios, body scales and judges' quotes: digits and commas as they stand, because only the value is compared."""
WORDING_NUMBER: Final = rf"[-−]?\d+(?:[, ]\d{{3}}(?!\d))*(?:[.,]\d+)?(?:\s?×\s?10{RAISED_POWER}|{_E_POWER})?"
"""Solver: also groups after a space and powers, as scenarios print them. `0.92. 100 min` is two numbers."""
ANSWER_NUMBER: Final  = r"-?\d+(?:[.,]\d+)?"
"""Scorer, values of answers: a comma is a decimal comma, because answers to single values have no groups."""
CLAIMED_NUMBER: Final = r"-?\d{1,15}(?:,\d{3})*(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?"
"""Claims to open questions: bounded lengths, because the text of a model is matched as it came."""
PLAIN_NUMBER: Final   = rf"-?\d+{_FRACTION}"
"""Draws of blueprints."""
RECORD_NUMBER: Final  = rf"{PLAIN_NUMBER}(?:{_E_POWER})?"
"""Lines of records."""
RANGE_MARK: Final     = r"(?:-|–|to)"
"""What stands between the two ends of a printed range."""
# fmt: on
_SCALE_WORDS: Final = {word: float(SCALES[word]) for word in ("thousand", "million", "billion", "trillion")}
LARGEST_AMOUNT: Final = 1e100
"""Largest absolute value of a printed number. Larger ones could overflow."""
_LARGEST_POWER: Final = 100
_EXPONENT: Final = r"[-−+]?\d{1,3}"
_PRINTED: Final = re.compile(
    r"(?P<mark>[~≈±]?\s?)(?P<money>[$€£])?(?P<sign>[-−+](?=[\d.]))?"
    rf"(?:(?<![\d.])10\s?\^\s?(?P<c>\()?(?P<ten>{_EXPONENT})(?(c)\))(?!\d|\.\d)|(?P<digits>{GROUPED_NUMBER})"
    rf"(?:[eE](?P<e>[+-]?\d{{1,3}})(?!\d|\.\d)|\s?[x×*·]\s?10\s?(?:\^|\*\*)\s?(?P<b>\()?(?P<p>{_EXPONENT})(?(b)\))"
    rf"|\s?[x×]\s?10(?P<s>⁻?[{SUPERSCRIPT_DIGITS}]{{1,3}}))?)"
    rf"(?P<big>\s(?:{'|'.join(_SCALE_WORDS)})\b)?"
)
_RAISED: Final = re.compile(rf"([-−]?[\d.,]+)\s?×\s?10({RAISED_POWER})")


def normalize_digits(text: str) -> str:
    """Return the digits of a printed number without group separators and with an ordinary minus sign."""
    return text.replace(",", "").replace("_", "").replace("−", "-")


def parse_digits(text: str) -> float:
    """Return the value of a printed number without a power. Raise `ValueError` if it is not one."""
    return float(normalize_digits(text))


def normalize_decimal_comma(text: str) -> str:
    """Return the digits of a number whose comma is a decimal comma: `2,5` is `2.5`."""
    return text.replace(",", ".")


def parse_exponent(text: str) -> int:
    """Return a printed exponent: `-3`, `−3` or `⁻³`."""
    return int(text.replace("−", "-").translate(FROM_SUPERSCRIPT))


def parse_number_with_power_of_ten(text: str) -> float | None:
    """Return the value of `2.5 × 10⁻³`, or None if a text is not in this form."""
    found = _RAISED.fullmatch(text)
    return parse_digits(found[1]) * 10.0 ** parse_exponent(found[2]) if found is not None else None


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """Printed number without its unit."""

    value: float
    half: float
    """Half a step of the last printed digit."""
    whole: bool
    """Whether it is printed as an integer."""
    near: bool
    """Whether a sign such as `~` marks it as approximate."""
    end: int
    """Position after the number."""


def parse_number_at(text: str, at: int) -> PrintedNumber | None:
    """Parse the number printed at a position. Return None if there is none or it is out of range."""
    match = _PRINTED.match(text, at)
    if match is None:
        return None
    near = bool(match["mark"].strip())
    power = parse_exponent(match["ten"] or match["e"] or match["p"] or match["s"] or "0")
    if abs(power) > _LARGEST_POWER:
        return None
    if match["ten"]:
        return PrintedNumber(10.0**power, 0.0, whole=False, near=near, end=match.end())
    raised = bool(match["e"] or match["p"] or match["s"])
    scale = (10.0**power if raised else 1.0) * (_SCALE_WORDS[match["big"].strip()] if match["big"] else 1.0)
    digits = normalize_digits(match["digits"])
    value = float(digits) * scale * (-1 if match["sign"] in {"-", "−"} else 1)
    if abs(value) > LARGEST_AMOUNT:
        return None
    return PrintedNumber(
        value,
        _compute_half_unit_of_last_digit(digits) * scale,
        "." not in digits and not raised,
        near,
        match.end(),
    )


def _compute_half_unit_of_last_digit(digits: str) -> float:
    """Return half a step of the last digit that counts.

    1500 may be rounded to hundreds and 137,000 to three digits, but 150 is taken as exact.
    """
    decimals = len(digits.partition(".")[2])
    trailing = len(digits) - len(digits.rstrip("0")) if not decimals and len(digits) > 3 else 0  # noqa: PLR2004
    rounded = min(trailing, max(2, len(digits) - 3))
    return 0.5 * 10.0 ** (rounded - decimals)
