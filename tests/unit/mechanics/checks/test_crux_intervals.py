"""The intervals of a disputed range, and the plans of a contested scenario over both of its ends."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.mechanics.checks.record_check import CheckReport
from impossible_moments.mechanics.checks.report_data import find_things_unused_by_plans
from support.small_worlds import (
    WALL,
    build_action,
    build_approach,
    build_record,
    build_thing,
    check_built_record,
)


def _check_contested(high_begins: str, *, longest: str = "10") -> CheckReport:
    """Check a world in which the lower place fits up to 4 years, and the higher one from a value on."""
    record: dict[str, Any] = build_record(
        quantities=[
            "age = 2 (1..9) disputed @ one source against another",
            f"high_begins = {high_begins}",
            f"longest = {longest}",
            "work = 5[min]",
            "limit = 1[h]",
        ],
        things=[
            WALL,
            build_thing("low_place", "least = 0", "most = 4", kind="object"),
            build_thing("high_place", "least = high_begins", "most = longest", kind="object"),
            build_thing("site", "filmed = false", kind="place"),
        ],
        goal="site.filmed",
        deadline="limit",
        actions=[
            build_action(
                "film(p: object)",
                "site.filmed = true",
                when=("old = age >= p.least", "young = age <= p.most"),
            ),
        ],
        approaches=[
            build_approach("lower", "film(low_place)"),
            build_approach("higher", "film(high_place)", ends="blocked film.old"),
        ],
        status={"claim": "CT", "crux": "age", "at_low": "lower", "at_high": "higher"},
    )
    return check_built_record(record)


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
    analysis = _check_contested(high_begins).analysis
    assert analysis is not None
    found = [
        (each.low, each.high, each.best[0].calls[0] if each.best else "") for each in analysis.crux_intervals
    ]
    assert [plan for *_, plan in found] == [plan for *_, plan in expected]
    for each, wanted in zip(found, expected, strict=True):
        assert each[:2] == pytest.approx(wanted[:2], abs=1e-4)


def test_a_thing_that_is_used_at_the_other_end_is_not_listed_as_unused() -> None:
    report = _check_contested("7")
    assert report.analysis is not None
    assert report.verdict is not None
    assert report.verdict.status == "CT"
    assert find_things_unused_by_plans(report.analysis, report.verdict) == ()
