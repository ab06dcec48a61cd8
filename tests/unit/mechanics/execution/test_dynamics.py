"""Rates are followed as the calculus says."""

from __future__ import annotations

import math

import pytest

from support.small_worlds import analyse_record, build_action, build_record, build_thing

COOLING = build_record(
    quantities=[
        "work = 1[s]",
        "hot = 80[K] (0..200) state",
        "loss = 0.02[1/s]",
        "gain = 1[K/s]",
        "mark = 40[K]",
    ],
    things=[build_thing("cup", "done = false")],
    actions=[build_action("sip(c: cup)", "c.done = true", when=("cool = hot <= mark",))],
    rates=["hot = gain - loss*hot"],
    goal="cup.done",
)


def exact(seconds: float) -> float:
    """The solution of hot' = 1 - 0.02 hot from 80."""
    return 50 + 30 * math.exp(-0.02 * seconds)


@pytest.mark.parametrize("seconds", [1.0, 30.0, 300.0, 3_000.0])
def test_a_rate_that_feeds_on_itself_follows_its_curve(seconds: float) -> None:
    analysis = analyse_record(COOLING)
    values = analysis.engine.build_start_values()
    analysis.executor.dynamics.advance_until_crossing(values, seconds, ())

    assert values[analysis.engine.places["hot"]] == pytest.approx(exact(seconds), rel=1e-5)


def test_what_never_comes_is_not_awaited_for_ever() -> None:
    executor = analyse_record(COOLING).executor

    assert (
        executor.run_plan(executor.parse_plan(["wait_until('hot <= mark')", "sip(cup)"])).end
        == "blocked wait_until"
    )


def test_a_rate_without_a_value_blocks_the_plan_and_nothing_else() -> None:
    dividing = {
        **COOLING,
        "quantities": [*COOLING["quantities"], "drain = 1[K**2/s]"],
        "rates": ["hot = 0*gain - drain/hot"],
    }
    executor = analyse_record(dividing).executor

    assert executor.run_plan(executor.parse_plan(["wait(99999[s])"])).end == "blocked rates"
