"""Numbers of prose are read with their unit, their range and how exactly they are meant."""

from __future__ import annotations

import math

import pytest

from impossible_moments.audit.numbers.amounts import find_amounts, parse_amount_at
from impossible_moments.mechanics.language.units import parse_unit

# fmt: off
READ = (
    ("5 kg", 5, 5, "kg"), ("1,200 m", 1200, 1200, "m"), ("2.5 x 10^6 Pa", 2.5e6, 2.5e6, "Pa"), ("2.5 × 10⁻³ s", 2.5e-3, 2.5e-3, "s"), ("3e4 N.", 3e4, 3e4, "N"),
    ("10^6 J.", 1e6, 1e6, "J"), ("10^(-3) m", 1e-3, 1e-3, "m"), ("~0.3 L", 0.3, 0.3, "L"), ("10-15 min", 10, 15, "min"), ("10 to 15 min", 10, 15, "min"),
    ("10 min to 15 min", 10, 15, "min"), ("10–15 cm", 10, 15, "cm"), ("5-meter", 5, 5, "m"), ("98%", 98, 98, "percent"), ("12 km/h", 12, 12, "km/h"),
    ("3 m/s^2", 3, 3, "m/s**2"), ("4 cm²", 4, 4, "cm**2"), ("4 m3", 4, 4, "m**3"), ("4 square", 4, 4, ""), ("7 N·m", 7, 7, "N*m"), ("8 kJ/(kg*K)", 8, 8, "kJ/(kg*K)"),
    ("5 million", 5e6, 5e6, ""), ("-4 m", -4, -4, "m"), ("−4 m", -4, -4, "m"), (".5 kg", 0.5, 0.5, "kg"), ("3 feet per second", 3, 3, "ft/s"), ("60 mph", 60, 60, "mile/h"),
    ("2 meters squared", 2, 2, "m**2"), ("5 apples", 5, 5, ""), ("6 in", 6, 6, ""), ("5 kWh", 5, 5, "kW*h"),
)
# fmt: on


@pytest.mark.parametrize(("text", "low", "high", "measure"), READ)
def test_an_amount_is_read(text: str, low: float, high: float, measure: str) -> None:
    amount = parse_amount_at(text, 0)
    factor = parse_unit(measure).factor if measure else 1.0

    assert amount is not None
    assert (amount.low, amount.high) == pytest.approx((low, high))
    assert math.isclose(amount.factor, factor)


@pytest.mark.parametrize(
    "text", ["kg", "", "x5", "10^999", "1e999", "1e-400", "9" * 400, "1e99 trillion", "8 x 10^300"]
)
def test_what_is_no_amount_is_none(text: str) -> None:
    assert parse_amount_at(text, 0) is None


@pytest.mark.parametrize("text", ["2 x 10⁻", "2 x 10⁻⁻³", "2 x 10²⁻³", "5 m^9", "3 x 10⁹⁹⁹", "5 s/s/s/s/s"])
def test_a_malformed_exponent_raises_nothing(text: str) -> None:
    assert all(math.isfinite(amount.low) for amount in find_amounts(text))


@pytest.mark.parametrize(
    ("text", "lows"),
    [
        ("5 kg and 3 m", [5, 3]),
        ("version 1.2.3", [1.2]),
        ("the R2D2 of 4 men", [4]),
        ("10kg-5kg", [10, 5]),
        ("no number", []),
        ("from 3-4 to 7", [3, 7]),
    ],
)
def test_the_amounts_of_a_text_come_from_left_to_right(text: str, lows: list[float]) -> None:
    assert [amount.low for amount in find_amounts(text)] == lows


@pytest.mark.parametrize(
    ("text", "tolerance"),
    [
        ("5 kg", 0.0),
        ("~5 kg", 0.05),
        ("approximately 5 kg", 0.05),
        ("about 5 kg", 0.15),
        ("up to 5 kg", 0.15),
    ],
)
def test_words_before_an_amount_say_how_exactly_it_is_meant(text: str, tolerance: float) -> None:
    (amount,) = find_amounts(text)

    assert amount.tolerance == tolerance


@pytest.mark.parametrize(
    ("text", "half"),
    [("5", 0.5), ("5.0", 0.05), ("150", 0.5), ("1500", 50), ("2.5e3", 50), ("1,200", 50), ("137,000", 500)],
)
def test_half_a_step_of_the_last_digit_is_what_rounding_may_hide(text: str, half: float) -> None:
    amount = parse_amount_at(text, 0)

    assert amount is not None
    assert math.isclose(amount.half_step, half)
