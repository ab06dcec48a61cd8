"""What holds of every record and every plan: nothing hangs on spelling, order or repetition."""

import math
import re
from collections import Counter
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from impossible_moments.mechanics.checks.record_check import CheckReport
from impossible_moments.mechanics.checks.sensitivity import compute_sensitivity_profile
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from support import strategies
from support.derived_wording import reword_record
from support.golden_records import (
    NAMES,
    check_golden_record,
    check_record,
    list_records_claiming,
    load_golden_record,
    load_published_record,
)
from support.rewritten_records import collect_names, convert_units, rename_record, reorder_record

ENDS = re.compile(r"goal|late|short|blocked [\w.]+|never \w+")
SLOW = frozenset(list_records_claiming("OF"))
QUICK = tuple(name for name in NAMES if name not in SLOW)

each_quick_record = pytest.mark.parametrize("name", QUICK)


def summary(report: CheckReport) -> tuple[str | None, Counter[str]]:
    """What must not hang on how a record is said: its status and how often each code was found."""
    status = report.verdict.status if report.verdict is not None else None
    return status, Counter(report.findings.codes)


def analysis_of(name: str) -> WorldAnalysis:
    analysis = check_golden_record(name).analysis
    assert analysis is not None
    return analysis


# what a verdict does not hang on


@each_quick_record
@settings(max_examples=2)
@given(strategies.orders)
def test_a_verdict_does_not_hang_on_the_units_values_are_written_in(name: str, order: Random) -> None:
    assert summary(check_record(convert_units(load_golden_record(name), order))) == summary(
        check_golden_record(name)
    )


@each_quick_record
@settings(max_examples=2)
@given(st.data())
def test_a_verdict_does_not_hang_on_names(name: str, draw: st.DataObject) -> None:
    data = load_golden_record(name)
    names = draw.draw(strategies.new_names(data))

    assert summary(check_record(reword_record(rename_record(data, names)))) == summary(
        check_golden_record(name)
    )


@each_quick_record
@settings(max_examples=2)
@given(strategies.orders)
def test_a_verdict_does_not_hang_on_the_order_of_a_record(name: str, order: Random) -> None:
    assert summary(check_record(reorder_record(load_golden_record(name), order))) == summary(
        check_golden_record(name)
    )


@pytest.mark.parametrize("name", ["blast_room", "sealed_cage"])
@settings(max_examples=2)
@given(st.data())
def test_what_is_wrong_does_not_hang_on_names_order_or_units(name: str, draw: st.DataObject) -> None:
    data = load_published_record(name)
    order = draw.draw(strategies.orders)
    other = convert_units(
        reorder_record(rename_record(data, draw.draw(strategies.new_names(data))), order), order
    )

    assert summary(check_record(other)) == summary(check_record(data))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SLOW))
def test_a_frontier_does_not_hang_on_names_order_or_units(name: str) -> None:
    data, order = load_golden_record(name), Random(1)  # noqa: S311 - an order, no secret
    renamed = reword_record(rename_record(data, strategies.build_fresh_names(data, order)))
    other = convert_units(reorder_record(renamed, order), order)

    assert summary(check_record(other)) == summary(check_golden_record(name))


@pytest.mark.parametrize("name", NAMES)
def test_renaming_leaves_no_old_name_in_a_plan(name: str) -> None:
    data = load_golden_record(name)
    other = rename_record(data, strategies.build_fresh_names(data, Random(1)))  # noqa: S311 - as above
    words = {word for each in other["approaches"] for call in each["plan"] for word in _words(call)}

    assert words.isdisjoint({*collect_names(data)["things"], *collect_names(data)["verbs"]})


def _words(call: str) -> list[str]:
    return re.findall(r"\w+", re.sub(r"'[^']*'|\"[^\"]*\"", "", call))


# repetition


@each_quick_record
def test_checking_a_record_again_finds_the_same(name: str) -> None:
    assert list(check_record(load_golden_record(name)).findings) == list(check_golden_record(name).findings)


@settings(max_examples=10)
@given(st.sampled_from(QUICK), st.sampled_from(QUICK))
def test_the_order_of_two_checks_does_not_matter(one: str, other: str) -> None:
    first, second = check_record(load_golden_record(one)), check_record(load_golden_record(other))
    second_first, first_second = (
        check_record(load_golden_record(other)),
        check_record(load_golden_record(one)),
    )

    assert [list(first.findings), list(second.findings)] == [
        list(first_second.findings),
        list(second_first.findings),
    ]


# plans


@each_quick_record
@settings(max_examples=15)
@given(st.data())
def test_any_plan_ends_in_one_of_the_six_forms(name: str, draw: st.DataObject) -> None:
    executor = analysis_of(name).executor
    outcome = executor.run_plan(draw.draw(strategies.plans(executor)))

    assert ENDS.fullmatch(outcome.end)


@each_quick_record
@settings(max_examples=10)
@given(st.data())
def test_a_plan_carried_out_twice_ends_alike(name: str, draw: st.DataObject) -> None:
    executor = analysis_of(name).executor
    plan = draw.draw(strategies.plans(executor))

    assert executor.run_plan(plan) == executor.run_plan(plan)


@each_quick_record
@settings(max_examples=10)
@given(st.data())
def test_a_plan_that_is_written_down_and_read_again_ends_alike(name: str, draw: st.DataObject) -> None:
    executor = analysis_of(name).executor
    plan = draw.draw(strategies.plans(executor))

    assert executor.run_plan(executor.parse_plan(move.text for move in plan)) == executor.run_plan(plan)


@each_quick_record
def test_no_plan_that_the_search_calls_a_way_fails(name: str) -> None:
    analysis = analysis_of(name)

    assert [
        way.calls
        for way in analysis.minimal_plans.ways
        if not analysis.executor.run_plan(way.plan).reaches_goal
    ] == []


# sensitivity


@settings(max_examples=40)
@given(strategies.breaking_worlds())
def test_a_planted_breaking_value_makes_a_way_fragile_just_there(planted: strategies.PlantedWorld) -> None:
    verdict = check_record(planted.data).verdict

    assert verdict is not None
    (fragile,) = verdict.fragile_in
    assert (verdict.status, fragile.quantity) == ("KS-Fragile", "pull")
    assert math.isclose(fragile.breaks_at, planted.limit, rel_tol=1e-3)


@settings(max_examples=40)
@given(strategies.holding_worlds())
def test_a_way_that_works_in_the_whole_range_is_not_fragile(planted: strategies.PlantedWorld) -> None:
    verdict = check_record(planted.data).verdict

    assert verdict is not None
    assert verdict.fragile_in == ()


@settings(max_examples=40)
@given(strategies.breaking_between_worlds())
def test_a_planted_stretch_within_a_range_makes_a_way_fragile(planted: strategies.PlantedWorld) -> None:
    verdict = check_record(planted.data).verdict

    assert verdict is not None
    assert verdict.status == "KS-Fragile", verdict.reason


@settings(max_examples=40)
@given(strategies.breaking_worlds() | strategies.holding_worlds())
def test_the_profile_says_whether_a_fifth_less_breaks_the_way(planted: strategies.PlantedWorld) -> None:
    assume(abs(0.8 * planted.value / planted.limit - 1) > 1e-6)
    analysis = check_record(planted.data).analysis
    assert analysis is not None
    (pull,) = [
        each
        for each in compute_sensitivity_profile(analysis.executor, analysis.plans["lever"])
        if each.quantity == "pull"
    ]

    assert (pull.lower == "goal") == (0.8 * planted.value > planted.limit)
