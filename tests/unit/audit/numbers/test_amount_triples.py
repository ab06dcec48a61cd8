"""Amounts of one sentence that belong together by their units."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.numbers.amount_triples import find_inconsistent_amounts


def found(line: str) -> int:
    return sum(1 for _ in find_inconsistent_amounts(MarkdownDocument(line)))


@pytest.mark.parametrize(
    "line",
    [
        "The heater draws 500 W for 2 h and uses 9 kWh.",
        "The pump moves 3 L/s and fills the 60 L tub in 5 min.",
        "The crate falls 5 m and lands at 40 m/s.",
        "The crate falls 5 m in 4 s.",
        "The block has 20 kg (400 N).",
    ],
)
def test_amounts_that_do_not_go_together_are_pointed_at(line: str) -> None:
    assert found(line) == 1


@pytest.mark.parametrize(
    "line",
    [
        "The heater draws 500 W for 2 h and uses 1 kWh.",
        "The pump moves 3 L/s and fills the 60 L tub in 20 s.",
        "The crate falls 5 m and lands at 10 m/s.",
        "The parachute drops 500 m at a terminal speed of 6 m/s.",
        "The block has 20 kg (196 N).",
        "The water level drops 5 m in 4 h as the voltage falls.",
        "The heater draws 500 W for 2 h; the battery beside it holds 40 kWh each.",
    ],
)
def test_amounts_that_do_or_need_not_are_left_alone(line: str) -> None:
    assert found(line) == 0
