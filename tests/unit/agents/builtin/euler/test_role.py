"""EULER: the timing table sums up, and each status has the argument that it needs."""

from __future__ import annotations

from typing import Final

import pytest

from support.planted_faults import (
    HEALTHY,
    build_healthy_seed,
    build_seed_of_offer,
    change_field,
    change_properties,
    run_euler,
)

SOLVED: Final = ("cellar", "loft", "damp", "icehouse", "lobby", "store", "cove", "glue")


@pytest.mark.parametrize("name", SOLVED)
def test_the_timing_table_sums_to_the_margin(name: str) -> None:
    report = run_euler(build_healthy_seed(name))
    assert report.deadline_seconds is not None
    assert report.margin is not None
    spent = sum(row.seconds for row in report.timing_budget)
    assert spent > 0
    assert report.margin == pytest.approx((report.deadline_seconds - spent) / report.deadline_seconds)


@pytest.mark.parametrize("name", SOLVED)
def test_each_row_of_the_timing_table_says_what_its_time_rests_on(name: str) -> None:
    rows = run_euler(build_healthy_seed(name)).timing_budget
    assert rows
    assert all(row.basis.strip() and row.seconds >= 0 for row in rows)


@pytest.mark.parametrize("name", SOLVED)
def test_the_timing_table_holds_every_call_of_the_first_way(name: str) -> None:
    seed = build_healthy_seed(name)
    steps = [row.step for row in run_euler(seed).timing_budget]
    first = next(
        approach
        for approach in seed.mechanics["approaches"]
        if approach["name"]
        in (seed.mechanics["status"].get("ways") or seed.mechanics["status"].get("outside") or [])
        or approach["name"] == seed.mechanics["status"].get("plan")
    )
    # what is only said takes no time, and is no row
    done = [call for call in first["plan"] if not call.startswith("challenge(")]
    assert [call for call in done if call not in steps] == []


def test_the_deadline_is_the_one_that_the_record_states() -> None:
    assert run_euler(build_healthy_seed("cellar")).deadline_seconds == pytest.approx(75.0)


@pytest.mark.parametrize("name", ["chiefs", "no_step"])
def test_where_there_is_no_plan_in_time_there_is_no_margin(name: str) -> None:
    assert run_euler(build_healthy_seed(name)).margin is None


def test_only_a_paradox_is_proved_impossible() -> None:
    proved = {name for name in HEALTHY if run_euler(build_healthy_seed(name)).impossibility_proof}
    assert proved == {"no_step"}


def test_only_contests_and_frontiers_are_put_as_a_choice() -> None:
    chosen = {name for name in HEALTHY if run_euler(build_healthy_seed(name)).optimization}
    assert chosen == {"chiefs", "nerve"}


def test_only_a_fragile_way_is_called_fragile() -> None:
    assert {name for name in HEALTHY if run_euler(build_healthy_seed(name)).fragile} == {"damp"}


def test_a_second_way_is_named() -> None:
    (other,) = run_euler(build_healthy_seed("loft")).alternative_paths
    assert "slip_latch(plate, exit)" in other


@pytest.mark.parametrize("name", SOLVED)
def test_a_way_is_varied_by_a_fifth_number_by_number(name: str) -> None:
    rows = run_euler(build_healthy_seed(name)).sensitivity
    assert rows
    assert len({row.quantity for row in rows}) == len(rows)
    assert all("20 %" in row.how or "within its own range" in row.how for row in rows if row.breaks)
    assert all(
        ("from " in row.how and " to " in row.how and "ends `" in row.how) or "no plan works" in row.how
        for row in rows
        if row.breaks
    )


def test_a_contested_plan_is_varied_at_the_disputed_value_at_which_it_works() -> None:
    seed = build_seed_of_offer("dose_and_damage", "thirty_milliseconds", "disputed")
    rows = {row.quantity: row.breaks for row in run_euler(seed).sensitivity}
    assert not rows["you.breath"]
    assert not rows["settling"]
    assert rows["bearable"]


@pytest.mark.parametrize("name", HEALTHY)
def test_two_edge_cases_are_told(name: str) -> None:
    assert len(run_euler(build_healthy_seed(name)).edge_cases) >= 2


def test_units_that_do_not_agree_are_a_veto_with_the_place() -> None:
    report = run_euler(change_properties(hammer__mass="11[m]")(build_healthy_seed("cellar")))
    (veto,) = report.vetoes
    assert report.dimensional_analysis == "ERRORS-FOUND"
    assert "hammer" in veto.proof[0].text


def test_a_deadline_in_metres_is_an_error_of_dimension() -> None:
    report = run_euler(change_field("deadline", "crossing")(build_healthy_seed("cellar")))
    assert report.dimensional_analysis == "ERRORS-FOUND"
