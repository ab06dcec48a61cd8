"""Fragile scenarios: the value beyond which nothing works, of counts and where another plan goes further."""

from __future__ import annotations

from typing import Any

from impossible_moments.mechanics.checks.sensitivity import Fragility
from support.small_worlds import (
    WALL,
    build_action,
    build_approach,
    build_record,
    build_thing,
    check_built_record,
)


def _find_fragility(people: str, needed: str, *, spare: str = "0") -> Fragility:
    """Return the fragility of a scenario that needs more than a number of people; spare ones can be added."""
    record: dict[str, Any] = build_record(
        quantities=[
            f"people = {people} assumed @ estimate: who will come",
            f"needed = {needed}",
            f"spare = {spare}",
            "work = 5[min]",
            "limit = 1[h]",
        ],
        things=[WALL, build_thing("site", "raised = false", "helped = false", kind="place")],
        goal="site.raised",
        deadline="limit",
        actions=[
            build_action("raise_it(s: site)", "s.raised = true", when=("many = people > needed",)),
            build_action("call_help(s: site)", "s.helped = true"),
            build_action(
                "raise_with_help(s: site)", "s.raised = true",
                when=("helped = s.helped", "many = people + spare > needed"),
            ),
        ],
        approaches=[build_approach("way", "raise_it(site)"), build_approach("trap", "call_help(site)", ends="short")],
        status={"claim": "KS-Fragile", "ways": ["way"], "traps": ["trap"]},
    )  # fmt: skip
    report = check_built_record(record)
    assert report.verdict is not None
    assert report.verdict.status == "KS-Fragile", report.verdict.reason
    return report.verdict.fragile_in[0]


def test_the_least_count_that_works_is_a_whole_number_above_a_strict_limit() -> None:
    found = _find_fragility("16 (10..19)", "11")
    assert (found.breaks_at, found.last_working) == (11, 12)


def test_a_plan_with_one_more_action_moves_the_value_below_which_nothing_works() -> None:
    found = _find_fragility("16 (5..19)", "11", spare="3")
    assert (found.breaks_at, found.last_working) == (8, 9)


def test_a_value_that_is_not_a_count_keeps_its_boundary() -> None:
    found = _find_fragility("16.5 (10..19)", "11")
    assert abs(found.breaks_at - 11) < 1e-4
    assert found.last_working == found.breaks_at
