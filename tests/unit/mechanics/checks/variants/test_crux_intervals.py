"""The intervals of a disputed range, and the plans of a contested scenario over both of its ends."""

from __future__ import annotations

import pytest

from impossible_moments.mechanics.checks.report_data import find_things_unused_by_plans
from support.small_worlds import check_disputed_places


@pytest.mark.parametrize(
    ("high_begins", "expected"),
    [
        ("7", [(1, 4, "film(low_place)"), (4, 7, ""), (7, 9, "film(high_place)")]),
        ("4", [(1, 4, "film(low_place)"), (4, 9, "film(high_place)")]),
    ],
)
def test_the_sweep_finds_every_boundary_and_the_interval_without_a_plan(
    high_begins: str, expected: list[tuple[float, float, str]]
) -> None:
    analysis = check_disputed_places(high_begins).analysis
    assert analysis is not None
    found = [
        (each.low, each.high, each.best[0].calls[0] if each.best else "") for each in analysis.crux_intervals
    ]
    assert [plan for *_, plan in found] == [plan for *_, plan in expected]
    for each, wanted in zip(found, expected, strict=True):
        assert each[:2] == pytest.approx(wanted[:2], abs=1e-4)


def test_a_thing_that_is_used_at_the_other_end_is_not_listed_as_unused() -> None:
    report = check_disputed_places("7")
    assert report.analysis is not None
    assert report.verdict is not None
    assert report.verdict.status == "CT"
    assert find_things_unused_by_plans(report.analysis, report.verdict) == ()
