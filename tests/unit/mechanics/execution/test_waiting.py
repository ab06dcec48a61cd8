"""Waiting ends at the moment the awaited comes true, or says why it does not."""

from __future__ import annotations

import math
from typing import Any, Final

import pytest

from impossible_moments.mechanics.execution.outcomes import PlanOutcome
from impossible_moments.mechanics.execution.search_limits import SearchBounds
from support.small_worlds import analyse_record, build_action, build_record, build_thing

TANK: Final[dict[str, Any]] = {
    "quantities": [
        "work = 10[s]", "lag = 100[s]", "long = 1000000[s]", "k = 0.1[1/s]", "slow = 0.001[1/s]", "one = 1", "edge = 4",
        "level = 0 (0..10) state", "other = 0 (0..1000) state", "angle = choose 1..5",
    ],
    "things": [build_thing("cup", "open = false"), build_thing("box", "open = false")],
    "roles": ["ripe(o) = elapsed >= lag"],
    "actions": [
        build_action("lift(c: cup)", "c.open = true"),
        build_action("pick(r: ripe)", "r.open = true"),
        build_action("soak(b: box)", "b.open = true", unattended=True),
    ],
    "goal": "cup.open",
}  # fmt: skip


def run(*plan: str, **sections: Any) -> PlanOutcome:
    """How a plan ends in the tank's world, or one that differs in some sections."""
    executor = analyse_record(build_record(**{**TANK, **sections})).executor
    return executor.run_plan(executor.parse_plan(plan))


def waits(condition: str, *rates: str, **sections: Any) -> PlanOutcome:
    return run(f"wait_until('{condition}')", rates=list(rates), **sections)


NO_ROLES: Final[dict[str, Any]] = {
    "roles": [],
    "actions": [TANK["actions"][0], TANK["actions"][2]],
}


@pytest.mark.parametrize(
    "rates", [[], ["level = k"], ["level = k*(1 - level)"]], ids=["no rate", "straight", "bending"]
)
def test_the_clock_runs_in_a_wait_though_the_record_does_not_read_it(rates: list[str]) -> None:
    outcome = run("wait(5[s])", "wait_until('elapsed >= lag')", rates=rates, **NO_ROLES)

    assert outcome.end == "short"
    assert outcome.time == pytest.approx(100, rel=1e-8)


def test_a_wait_for_the_time_gone_by_lasts_as_long_again() -> None:
    assert run("wait(5[s])", "wait(elapsed)", **NO_ROLES).time == 10


def test_a_goal_or_a_role_that_reads_the_clock_sees_it_run() -> None:
    assert run("wait_until('elapsed >= lag')", goal="elapsed >= lag", **NO_ROLES).end == "goal"
    assert run("pick(cup)").end == "blocked pick.r"
    assert run("wait(99[s])", "pick(cup)").end == "blocked pick.r"
    assert run("wait(100[s])", "pick(cup)").end == "goal"
    assert run("wait_until('elapsed >= lag')", "pick(cup)").end == "goal"


@pytest.mark.parametrize(
    ("condition", "rates", "moment"),
    [
        ("level >= 1", ["level = k*(2 - level)"], 10 * math.log(2)),
        ("other >= 100", ["level = k*(2 - level)", "other = slow"], 1e5),
        ("other >= 100", ["level = k*(other - level)", "other = slow"], 1e5),
        ("level >= 1", ["level = k if elapsed > long and elapsed < long + lag else 0*k"], 1e6 + 10),
        ("level >= 8", ["level = slow*level + slow*slow*lag"], 1000 * math.log(81)),
        ("level <= 1", ["level = 0 - k*sqrt(level)"], 20.0),
        ("other >= 3", ["level = k if level < edge else 0 - k", "other = slow"], 3000.0),
    ],
    ids=[
        "at once", "a slow state beside a fast one", "a fast state after a slow one", "a rate that comes and goes",
        "growth", "draining", "beside a rate that flips",
    ],
)  # fmt: skip
@pytest.mark.parametrize("deadline", [None, "long"])
def test_a_moment_is_found_far_beyond_what_the_rates_take_to_settle(
    condition: str, rates: list[str], moment: float, deadline: str | None
) -> None:
    quantities = [
        line.replace("level = 0", "level = 4") if condition == "level <= 1" else line
        for line in TANK["quantities"]
    ]
    outcome = waits(condition, *rates, deadline=deadline, quantities=quantities)

    assert (outcome.end, outcome.note) == ("short", "")
    assert outcome.time == pytest.approx(moment, rel=1e-4)


def test_a_long_wait_leaves_a_state_where_it_settles() -> None:
    outcome = run("wait(10000000[s])", rates=["level = k*(2 - level)"])

    assert outcome.values[analyse_record(build_record(**TANK)).engine.places["level"]] == pytest.approx(2)


@pytest.mark.parametrize(
    ("condition", "moment"),
    [
        ("level >= 5", 50.0),
        ("level == 5", 50.0),
        ("level > 5 and level < 5.001", 50.0),
        ("abs(level - 5) < 0.01", 49.9),
        ("1/(level - 5) > 100", 50.0),
        ("level >= 10", 100.0),
    ],
)
@pytest.mark.parametrize("deadline", [None, "long"])
def test_a_wait_ends_when_the_awaited_comes_and_not_a_little_later(
    condition: str, moment: float, deadline: str | None
) -> None:
    outcome = waits(condition, "level = k", deadline=deadline)

    assert outcome.end == "short"
    assert outcome.time == pytest.approx(moment, rel=1e-8)


@pytest.mark.parametrize("call", ["wait_until('level >= angle')", "wait(angle*work)"])
def test_a_wait_that_reads_what_is_not_chosen_is_blocked_until_it_is(call: str) -> None:
    assert run(call, rates=["level = k"]).end == "blocked choose.angle"
    assert run("choose(angle=2)", call, rates=["level = k"]).time == pytest.approx(20)


@pytest.mark.parametrize(
    ("plan", "end", "time"),
    [
        (["wait_until('level >= 7')"], "short", 70.0),
        (["wait_until('level >= 9')"], "blocked wait_until", 0.0),
        (["wait(50[s])", "wait_until('level >= 9')"], "blocked wait_until", 50.0),
        (["soak(box)", "wait_until('level >= 9')"], "blocked wait_until", 0.0),
        (["soak(box)", "wait_until('box.open')"], "short", 10.0),
    ],
)
def test_what_comes_after_twice_the_deadline_is_not_awaited(plan: list[str], end: str, time: float) -> None:
    outcome = run(*plan, rates=["level = k"], deadline="4*work")

    assert outcome.end == end
    assert outcome.time == pytest.approx(time)


def test_a_danger_before_the_awaited_is_measured_against_it_and_not_against_patience() -> None:
    outcome = waits("level >= 8", "level = k", never=["bad = level >= edge @ it is bad"], deadline="long")

    assert outcome.end == "never bad"
    assert outcome.failing_margin == pytest.approx(-0.5)


def test_nobody_meets_a_danger_on_the_way_to_what_never_comes() -> None:
    never = ["bad = level >= edge @ it is bad"]

    assert waits("level > 10", "level = k", never=never).time == 0
    assert waits("level > 10", "level = k", never=never).end == "blocked wait_until"


@pytest.mark.parametrize(
    "danger",
    ["level > 5 and level < 5.001", "abs(level - 5) < 0.001", "1/(level - 5) > 1000", "1/(5 - level) > 1000"],
)
def test_a_danger_that_comes_and_goes_between_two_looks_is_met(danger: str) -> None:
    danger = danger.replace("5.001", "five + tiny").replace("0.001", "tiny").replace("5", "five")
    quantities = [*TANK["quantities"], "five = 5", "tiny = 0.001"]

    for rate in ("k", "k*(1 + one - one*level/(10 + 10))"):
        outcome = run(
            "wait(99[s])",
            rates=[f"level = {rate}"],
            never=[f"bad = {danger} @ it is bad"],
            quantities=quantities,
        )
        assert outcome.end == "never bad", rate


FLUTTER: Final[dict[str, Any]] = {
    "quantities": [line.replace("other = 0", "other = 1") for line in TANK["quantities"]],
    "rates": ["level = k*other if level < edge else 0 - k*other", "other = slow*level"],
}


def test_rates_that_cannot_be_followed_are_said_to_be_so_and_nothing_is_guessed() -> None:
    outcome = run("wait_until('level >= 8')", **FLUTTER)

    assert outcome.end == "blocked rates"
    assert "too fast" in outcome.note


def test_a_search_that_could_not_follow_the_rates_does_not_claim_to_have_seen_everything() -> None:
    actions = [build_action("lift(c: cup)", "c.open = true", when=("deep = level >= edge + edge",))]
    bounds = SearchBounds()
    found = analyse_record(
        build_record(**{**TANK, **FLUTTER, "roles": [], "actions": actions})
    ).searcher.find_plan(bounds)

    assert found is None
    assert not bounds.exhausted
