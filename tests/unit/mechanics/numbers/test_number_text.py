"""The grammar of numbers in text: what each reader accepts, and what a printed number is worth."""

from __future__ import annotations

import re

import pytest

from impossible_moments.mechanics.numbers.number_text import (
    ANSWER_NUMBER,
    CLAIMED_NUMBER,
    GROUPED_NUMBER,
    LOOSE_NUMBER,
    RECORD_NUMBER,
    WORDING_NUMBER,
    normalize_decimal_comma,
    parse_exponent,
    parse_number_at,
    parse_number_with_power_of_ten,
)


@pytest.mark.parametrize(
    ("pattern", "text", "read"),
    [
        (GROUPED_NUMBER, "1,200.5 m", "1,200.5"),
        (GROUPED_NUMBER, "1,20", "1"),
        (GROUPED_NUMBER, ".5", ".5"),
        (LOOSE_NUMBER, "1,20 times", "1,20"),
        (WORDING_NUMBER, "0.92. 100 min", "0.92"),
        (WORDING_NUMBER, "−12 500 J", "−12 500"),
        (WORDING_NUMBER, "2.5 × 10⁻³ m", "2.5 × 10⁻³"),
        (ANSWER_NUMBER, "2,5 min", "2,5"),
        (CLAIMED_NUMBER, "-1,200e3 W", "-1,200e3"),
        (RECORD_NUMBER, "1.5e-3[m]", "1.5e-3"),
    ],
)
def test_each_reader_accepts_its_own_forms(pattern: str, text: str, read: str) -> None:
    found = re.match(pattern, text)

    assert found is not None
    assert found.group() == read


@pytest.mark.parametrize(
    ("text", "value", "half"),
    [
        ("150", 150.0, 0.5),
        ("1500", 1500.0, 50.0),
        ("0.25", 0.25, 0.005),
        ("2 million", 2e6, 5e5),
        ("2.5 x 10^6", 2.5e6, 5e4),
        ("10^-3", 1e-3, 0.0),
        ("-4", -4.0, 0.5),
    ],
)
def test_a_printed_number_has_a_value_and_a_precision(text: str, value: float, half: float) -> None:
    found = parse_number_at(text, 0)

    assert found is not None
    assert (found.value, found.half) == pytest.approx((value, half))
    assert found.end == len(text)


@pytest.mark.parametrize("text", ["none", "10^200", "1e300", "9e99 million"])
def test_what_is_no_number_or_too_large_is_not_parsed(text: str) -> None:
    assert parse_number_at(text, 0) is None


@pytest.mark.parametrize("text", ["-3", "−3", "⁻³"])
def test_an_exponent_is_read_in_every_spelling(text: str) -> None:
    assert parse_exponent(text) == -3


def test_a_raised_number_is_read_whole_or_not_at_all() -> None:
    assert parse_number_with_power_of_ten("2.5 × 10⁻³") == pytest.approx(2.5e-3)
    assert parse_number_with_power_of_ten("2.5") is None


def test_a_comma_in_an_answer_is_a_decimal_comma() -> None:
    assert normalize_decimal_comma("2,5") == "2.5"
