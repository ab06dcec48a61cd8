"""Values of a disputed quantity at which a choice changes: what an answer may state for them, and what contradicts them."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.answers.figure_matching import extract_figures_of_line
from impossible_moments.evaluation.interpretation.turning_points import TurningPoints, find_turning_points
from impossible_moments.mechanics.records import parse_quantity
from support.scored_scenarios import build_golden_key

SHARE = TurningPoints(parse_quantity("weight = 0.15 (0..1) disputed @ 1978"), 0.0, 1.0, (0.111,))
FACTOR = TurningPoints(
    parse_quantity("slip = 600 (433..8400) disputed @ 2006"), 433.0, 8400.0, (1243.0, 1910.0)
)
FROST = TurningPoints(
    parse_quantity("frost = 270[K] (260..280) disputed @ 2001"), 260.0, 280.0, (273.15 - 4.0,)
)


@pytest.mark.parametrize(
    ("points", "text", "is_wrong"),
    [
        (SHARE, "0.11", False),
        (SHARE, "about 0.1", False),
        (SHARE, "11 %", False),
        (SHARE, "11", False),
        (SHARE, "0.89", False),
        (SHARE, "0.1 to 0.12", False),
        (SHARE, "0.45", True),
        (SHARE, "about 0.45", True),
        (SHARE, "45 %", True),
        (SHARE, "0.3 to 0.5", True),
        (SHARE, "5 min", False),
        (FACTOR, "1900", False),
        (FACTOR, "about 2000", False),
        (FACTOR, "1,250", False),
        (FACTOR, "8400", False),
        (FACTOR, "600", True),
        (FACTOR, "4000", True),
        (FROST, "269 K", False),
        (FROST, "263 K", True),
    ],
)
def test_a_value_contradicts_the_turning_points_beyond_rounding(
    points: TurningPoints, text: str, *, is_wrong: bool
) -> None:
    (amount,) = extract_figures_of_line(text)
    assert points.is_contradicted_by(amount) is is_wrong


def test_turning_points_are_where_a_plan_fails_or_another_is_better() -> None:
    found = find_turning_points(build_golden_key("bin_nine"))
    assert found is not None
    values = sorted({round(found.convert_to_unit(each), 4) for each in found.values})
    # where shutting it becomes better, and where the fan no longer saves it
    assert values == pytest.approx([2.225, 2.4583], abs=1e-4)


def test_a_scenario_without_a_dispute_has_no_turning_points() -> None:
    assert find_turning_points(build_golden_key("uncle_orestes_eyes")) is None
