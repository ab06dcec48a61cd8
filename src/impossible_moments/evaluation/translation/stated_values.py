"""Values that a translator reads from an answer: they must follow from the quoted words, and become calls."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise, permutations
from typing import Final

from impossible_moments.audit.numbers import Amount
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.figure_matching import (
    convert_number_words_to_digits,
    extract_figures_of_line,
)
from impossible_moments.evaluation.answers.waiting_times import parse_waiting_time
from impossible_moments.evaluation.menus.menu_values import build_answer_call, build_choose_call
from impossible_moments.evaluation.translation.reading_forms import StatedValue
from impossible_moments.evaluation.translation.record_codes import CodedDeed
from impossible_moments.evaluation.translation.signal_answers import build_signal_call
from impossible_moments.mechanics.language import parse_unit
from impossible_moments.mechanics.numbers import normalize_decimal_comma

ROUNDING: Final = 0.006
"""Relative difference between a value and the figures that it follows from."""
MOST_FIGURES: Final = 8
"""The most figures of a quote from which a value may follow."""
_WORD: Final = re.compile(r"[^\W_]+")
_YES_OR_NO: Final = frozenset({"yes", "no"})
_ONE_OF_A_RATIO: Final = re.compile(r"\bone\b(?=\s+(?:parts?|to)\b)|(?<=\bto )one\b", re.IGNORECASE)
"""The word `one` in a ratio. Elsewhere it is seldom a number."""


def explain_bad_value(value: StatedValue, deed: CodedDeed) -> str:
    """Return why a value does not follow from its quote; empty if it does."""
    if deed.options and _find_option(value.value, deed) is None:
        return f"{value.value[:40]!r} is not one of {', '.join(deed.options)}"
    if deed.unit is None:
        return "" if deed.options or _contains_words(value) else f"{value.value[:40]!r} is not in its quote"
    number = parse_plain_number(value.value)
    if number is None:
        return f"{value.value[:40]!r} is not a number alone, in {deed.unit}"
    figures = extract_figures_of_line(_ONE_OF_A_RATIO.sub("1", value.quote))
    if not 0 < len(figures) <= MOST_FIGURES:
        return f"its quote has {len(figures)} figures; quote the words that state the value"
    if any(_is_within(number, *ends) for ends in _iterate_values(figures, deed.unit)):
        return ""
    return f"{value.value[:40]!r} does not follow from the figures of {value.quote[:80]!r}"


def build_value_call(value: StatedValue, deed: CodedDeed, key: AnswerKey) -> str:
    """Return the call that sets a decision or answers a puzzle. Raise `MenuValueError` for a bad value."""
    option = _find_option(value.value, deed)
    if option is not None and "." in deed.call:
        return build_signal_call(deed.call, option)
    if deed.options:
        return f"choose({deed.call}='{option}')"
    if deed.unit is not None:
        return build_choose_call(deed.call, value.value, key)
    return build_answer_call(deed.call, value.value, key)


def build_wait_call(quote: str) -> str:
    """Return the call that waits for the time that words state; empty if they state none."""
    seconds = next(parse_waiting_time(convert_number_words_to_digits(quote)), None)
    return "" if seconds is None else f"wait({seconds:.10g}[s])"


def parse_plain_number(text: str) -> float | None:
    """Return a number that stands alone, or None."""
    try:
        number = float(normalize_decimal_comma(text.strip()))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _find_option(text: str, deed: CodedDeed) -> str | None:
    plain = " ".join(_WORD.findall(text.casefold()))
    return next((each for each in deed.options if " ".join(_WORD.findall(each.casefold())) == plain), None)


def _contains_words(value: StatedValue) -> bool:
    """Return whether the words of a value are in its quote.

    Names before `=` may differ. Plain words say yes and no in many ways, so the second pass compares these.
    """
    given = " ".join(part.rpartition("=")[2] for part in re.split("[,;]", value.value))
    quoted = f"{value.quote} {convert_number_words_to_digits(value.quote)}"
    words = set(_WORD.findall(given.casefold()))
    return bool(words) and words - _YES_OR_NO <= set(_WORD.findall(quoted.casefold()))


def _is_within(number: float, low: float, high: float) -> bool:
    return low - ROUNDING * abs(low) <= number <= high + ROUNDING * abs(high)


def _iterate_values(figures: tuple[Amount, ...], unit: str) -> Iterator[tuple[float, float]]:
    """Yield the values, as ranges in a unit, that follow from figures without further knowledge.

    A value follows by conversion of its unit, as a sum such as 2 h 30 min, as the rest of a percentage, or as the
    share or ratio of two figures.
    """
    if unit not in {"percent", "plain"}:
        yield from _iterate_converted(figures, unit)
        return
    scale = 100.0 if unit == "percent" else 1.0
    for each in figures:
        yield each.low, each.high
        if unit == "percent":
            yield each.low * scale, each.high * scale
            yield scale - each.high, scale - each.low
            if each.low > 0:
                yield scale / each.low, scale / each.low  # a third
    # "two to one" is a range as well as a ratio
    ends = [(each.dimension, end) for each in figures for end in dict.fromkeys((each.low, each.high))]
    for (kind, first), (other, second) in permutations(ends, 2):
        if first > 0 and second > 0 and kind == other:
            yield (scale * first / second,) * 2
            if unit == "percent":
                yield (scale * first / (first + second),) * 2


def _iterate_converted(figures: tuple[Amount, ...], unit: str) -> Iterator[tuple[float, float]]:
    measure = parse_unit(unit)
    fitting = [each for each in figures if each.unit and each.dimension == measure.dimension]
    for each in figures:
        if not each.unit:
            yield each.low, each.high
        elif each.dimension == measure.dimension and measure.offset:
            yield each.low, each.high  # a scale with an offset is not converted
        elif each.dimension == measure.dimension:
            yield measure.from_si(each.si[0]), measure.from_si(each.si[1])
    for first, second in pairwise(fitting):
        yield (measure.from_si(first.si[0] + second.si[0]),) * 2
