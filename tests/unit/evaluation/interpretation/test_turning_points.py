"""Values of a disputed quantity at which a choice changes: what an answer may state for them, and what contradicts them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from impossible_moments.evaluation.answers.figure_matching import extract_figures_of_line
from impossible_moments.evaluation.interpretation.turning_points import (
    TurningPoints,
    TurningStanding,
    find_turning_points,
)
from impossible_moments.mechanics.records import parse_quantity
from support.scored_scenarios import build_golden_key

HOLDS, OPEN, FALSE = TurningStanding.HOLDS, TurningStanding.OPEN, TurningStanding.FALSE
SHARE = TurningPoints(parse_quantity("weight = 0.15 (0..1) disputed @ 1978"), 0.0, 1.0, (0.111,))
FACTOR = TurningPoints(
    parse_quantity("slip = 600 (433..8400) disputed @ 2006"), 433.0, 8400.0, (1243.0, 1910.0)
)
YEAR = 31_557_600
RISE = TurningPoints(
    parse_quantity("shrink = 2[percent/year] (0.25..5.4) disputed @ 2013"),
    0.0025 / YEAR,
    0.054 / YEAR,
    (0.0346 / YEAR,),
)
FROST = TurningPoints(
    parse_quantity("frost = 270[K] (260..280) disputed @ 2001"), 260.0, 280.0, (273.15 - 4.0,)
)


@pytest.mark.parametrize(
    ("points", "text", "standing"),
    [
        (SHARE, "0.11", HOLDS),
        (SHARE, "about 0.1", HOLDS),
        (SHARE, "11 %", HOLDS),
        (SHARE, "11", HOLDS),
        (SHARE, "0.89", HOLDS),
        (SHARE, "0.1 to 0.12", HOLDS),
        (SHARE, "0.45", FALSE),
        (SHARE, "about 0.45", FALSE),
        (SHARE, "45 %", FALSE),
        (SHARE, "0.3 to 0.5", FALSE),
        (SHARE, "5 min", HOLDS),
        (FACTOR, "1900", HOLDS),
        (FACTOR, "about 2000", HOLDS),
        (FACTOR, "1,250", HOLDS),
        (FACTOR, "8400", OPEN),
        (FACTOR, "600", FALSE),
        (FACTOR, "4000", FALSE),
        (RISE, "3.5 points a year", HOLDS),
        (RISE, "3.5 percentage points per year", HOLDS),
        (RISE, "3.5 %", HOLDS),
        (RISE, "2 points a year", FALSE),
        (RISE, "2 %", FALSE),
        (RISE, "4 years", HOLDS),
        (FROST, "269 K", HOLDS),
        (FROST, "263 K", FALSE),
    ],
)
def test_a_value_contradicts_the_turning_points_beyond_rounding(
    points: TurningPoints, text: str, standing: TurningStanding
) -> None:
    (amount,) = extract_figures_of_line(text)
    assert points.judge_limit(amount) is standing


@pytest.mark.parametrize(
    ("text", "standing"), [("0.05", OPEN), ("0.3 %", OPEN), ("0.3", HOLDS), ("70 %", HOLDS), ("1", HOLDS)]
)
def test_a_supposed_value_holds_wherever_another_plan_is_better(text: str, standing: TurningStanding) -> None:
    chosen, other = (lambda _: 1.0), (lambda value: 2.0 if value > 0.111 else 0.0)
    points = replace(SHARE, chosen=chosen, others=(other,))
    (amount,) = extract_figures_of_line(text)
    assert points.judge_supposition(amount) is standing


def test_a_supposed_value_at_which_the_chosen_plan_fails_holds() -> None:
    points = replace(SHARE, chosen=lambda value: None if value > 0.111 else 1.0)
    (amount,) = extract_figures_of_line("0.3")
    assert points.judge_supposition(amount) is HOLDS


def test_turning_points_are_where_a_plan_fails_or_another_is_better() -> None:
    found = find_turning_points(build_golden_key("bin_nine"))
    assert found is not None
    values = sorted({round(found.convert_to_unit(each), 4) for each in found.values})
    # where shutting it becomes better, and where the fan no longer saves it
    assert values == pytest.approx([2.225, 2.4583], abs=1e-4)


def test_a_scenario_without_a_dispute_has_no_turning_points() -> None:
    assert find_turning_points(build_golden_key("uncle_orestes_eyes")) is None
