"""An expression of prose is read to its end, and what may mean something else is not read."""

from __future__ import annotations

import pytest

from impossible_moments.audit.numbers.expression_values import UnreadableExpression
from impossible_moments.audit.numbers.expressions import MOST_TOKENS, ExpressionReader
from impossible_moments.mechanics.language.dimensions import PLAIN
from impossible_moments.mechanics.language.units import parse_unit


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 x 4", 14),
        ("(2 + 3) x 4", 20),
        ("(2 + 3)(4)", 20),
        ("2 - 3 - 4", -5),
        ("24 / 4 / 2", 3),
        ("2^3^2", 512),
        ("2 x 3²", 18),
        ("(1 + 2)³", 27),
        ("5⁻¹", 0.2),
        ("half", None),
        ("sqrt(16) + √(9)", 7),
        ("3 pi", 9.42477796),
        ("80 + 25%", 100),
        ("1 h 30 min", 1.5),
        ("2 m (chair) + 3 m (stool)", 5),
        ("chair 2 m + stool 3 m", None),
        ("2 m + stool 3 m", 5),
    ],
)
def test_an_expression_has_its_value(text: str, value: float | None) -> None:
    reader = ExpressionReader(text)
    if value is None:
        with pytest.raises(UnreadableExpression):
            reader.parse_expression()
    else:
        assert reader.parse_expression().bare == pytest.approx((value, value))


def test_a_share_of_an_amount_is_a_product() -> None:
    assert ExpressionReader("25% of 80 m").parse_expression().si == pytest.approx((20, 20))


def test_units_are_multiplied_like_numbers() -> None:
    value = ExpressionReader("3 N x 2 m / 4 s").parse_expression()

    assert value.dimension == parse_unit("W").dimension


def test_a_sum_of_unlike_things_has_no_dimension() -> None:
    assert ExpressionReader("3 N + 2 m").parse_expression().dimension is None


def test_a_ratio_of_like_things_is_a_plain_number() -> None:
    assert ExpressionReader("3 km / 2 m").parse_expression().dimension == PLAIN


def test_a_range_gives_a_range() -> None:
    assert ExpressionReader("2-3 x 10").parse_expression().bare == (20, 30)


@pytest.mark.parametrize(
    "text",
    ["", "per day", "5 / 0", "sqrt(-1)", "ln(0)", "exp(9999)", "10^90 x 10^90", "sin(2)", "(5 + 3", "2gr"],
)
def test_what_has_no_certain_value_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableExpression):
        ExpressionReader(text).parse_expression()


def test_the_reader_stops_where_the_expression_ends() -> None:
    reader = ExpressionReader("3 x 4 and more")
    reader.parse_expression()

    assert reader.text[reader.at :].strip() == "and more"


def test_an_expression_without_end_is_refused() -> None:
    reader = ExpressionReader("(" * 5 * MOST_TOKENS + "1")
    with pytest.raises(UnreadableExpression):
        reader.parse_expression()


@pytest.mark.parametrize(
    ("text", "low", "high"), [("3 to 5 + 2", 5, 7), ("3—5 x 2", 6, 10), ("3-5 x 2", -7, -7), ("3–5", -2, -2)]
)
def test_a_range_in_words_stays_a_range_where_a_hyphen_means_minus(
    text: str, low: float, high: float
) -> None:
    value = ExpressionReader(text, hyphen_is_range=False).parse_expression()

    assert value is not None
    assert value.bare == pytest.approx((low, high))
