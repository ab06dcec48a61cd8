"""Numbers as a person writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.mechanics.prose.number_formats import (
    count_significant_digits,
    format_decimal,
    format_number_in_words,
    is_rounding_misleading,
    round_to_digits,
)
from impossible_moments.mechanics.prose.numerals import evaluate_numeral


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (3.6, "3.6"),
        (3.0, "3"),
        (0.1 + 0.2, "0.3"),
        (1250.0, "1250"),
        (9999.0, "10,000"),
        (12000.0, "12,000"),
        (1234567.0, "1,230,000"),
        (0.00012, "0.00012"),
        (1.8e-5, "1.8 × 10⁻⁵"),
        (6.02e23, "6.02 × 10²³"),
        (-0.5, "-0.5"),
        (0.0, "0"),
        (-0.0, "0"),
        (0.1235, "0.124"),
    ],
)
def test_a_number_is_written_as_a_person_would(number: float, text: str) -> None:
    assert format_decimal(round_to_digits(number)) == text


def test_digits_can_be_asked_for() -> None:
    assert [format_decimal(round_to_digits(3.14159265, digits)) for digits in (1, 2, 6)] == [
        "3",
        "3.1",
        "3.14159",
    ]


def test_the_digits_a_number_needs_ignore_the_rounding_of_arithmetic() -> None:
    assert count_significant_digits(0.1 + 0.2) == 1


def test_more_than_a_hundredth_off_misleads() -> None:
    assert is_rounding_misleading(round_to_digits(1.4, 1), 1.4)
    assert not is_rounding_misleading(round_to_digits(1.005, 1), 1.005)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_three_digits_never_mislead(number: float) -> None:
    assert not is_rounding_misleading(round_to_digits(number), number)


@pytest.mark.parametrize(
    ("n", "words"),
    [
        (0, "zero"),
        (1, "one"),
        (12, "twelve"),
        (20, "twenty"),
        (37, "thirty-seven"),
        (100, "one hundred"),
        (105, "one hundred and five"),
        (999, "nine hundred and ninety-nine"),
        (1000, "one thousand"),
    ],
)
def test_a_whole_number_has_words(n: int, words: str) -> None:
    assert format_number_in_words(n) == words


@pytest.mark.parametrize("n", [-1, 1001])
def test_words_end_at_a_thousand(n: int) -> None:
    with pytest.raises(ValueError, match="only 0 to 1000"):
        format_number_in_words(n)


@given(st.integers(2, 99))
def test_words_are_read_back_as_their_number(n: int) -> None:
    assert evaluate_numeral(format_number_in_words(n)) == n
