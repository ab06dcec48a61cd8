"""Figures: which stated quantities a line of an answer speaks of, in whatever unit."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.answers.figure_matching import (
    convert_shares_to_digits,
    convert_words_to_figures,
    extract_figures_of_line,
    find_mentioned_quantities,
    is_figure_of_quantity,
)
from impossible_moments.mechanics.records import parse_quantity
from support.leaking_tank import build_leaking_tank

PATHS = ("soap.spans", "gap", "wear", "road", "clock")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("80 mm of soap for a slit of 28 mm", {"soap.spans", "gap"}),
        ("8 cm against 2.8 cm", {"soap.spans", "gap"}),
        ("80 against 28", {"soap.spans", "gap"}),
        ("two and a half hours of road, 150 minutes, and five hours", {"road", "clock"}),
        ("the road takes 2.5 h of 300 min", {"road", "clock"}),
        ("80 kg", set()),
        ("800 mm", set()),
        ("nothing at all", set()),
        ("79.9 mm", {"soap.spans"}),
        ("79 mm", set()),
    ],
)
def test_a_figure_is_known_in_any_unit_and_only_if_it_is_the_same(line: str, meant: set[str]) -> None:
    assert find_mentioned_quantities(line, PATHS, build_leaking_tank().analysis.world) == meant


@pytest.mark.parametrize(
    ("words", "figures"),
    [
        ("3.5 points a year", "3.5 %/year"),
        ("3 percentage points per month", "3 %/month"),
        ("two per cent", "2 %"),
        ("0.19 cubic metres a minute", "0.19 m³/minute"),
        ("10 mg a day", "10 mg/day"),
        ("2 h a day", "2 h a day"),
        ("26 a month", "26 a month"),
        ("3 points", "3 points"),
    ],
)
def test_units_and_rates_in_words_are_read_as_signs(words: str, figures: str) -> None:
    assert convert_words_to_figures(words) == figures


@pytest.mark.parametrize(
    ("words", "value"), [("two thirds of it", 0.667), ("half", 0.5), ("a quarter", 0.25)]
)
def test_shares_in_words_are_numbers(words: str, value: float) -> None:
    assert extract_figures_of_line(convert_shares_to_digits(words))[0].low == value


@pytest.mark.parametrize(
    ("text", "is_it"), [("23 %", True), ("0.23", True), ("10 %", False), ("23 g", False)]
)
def test_a_share_may_be_stated_in_percent(text: str, *, is_it: bool) -> None:
    (amount,) = extract_figures_of_line(text)
    assert is_figure_of_quantity(amount, parse_quantity("portion = 0.23")) is is_it
