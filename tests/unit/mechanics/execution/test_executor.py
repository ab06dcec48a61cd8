"""Plans are carried out as the language says."""

from __future__ import annotations

import pytest

from impossible_moments.mechanics.execution.outcomes import PlanOutcome
from support.small_worlds import analyse_record, build_action, build_record, build_thing


def run(data: dict[str, object], *plan: str) -> PlanOutcome:
    executor = analyse_record(data).executor
    return executor.run_plan(executor.parse_plan(plan))


TANK = build_record(
    quantities=[
        "work = 10[s]",
        "level = 0[m] (0..3) state",
        "inflow = 0.1[m/s]",
        "rim = 2[m]",
        "left = 60[s]",
    ],
    things=[build_thing("valve", "open = true", "greased = false"), build_thing("float", "up = false")],
    actions=[
        build_action("grease(v: valve)", "v.greased = true"),
        build_action("close(v: valve)", "v.open = false", when=("slick = v.greased",)),
        build_action("ride(f: float)", "f.up = true", when=("deep = level >= rim",)),
    ],
    rates=["level = inflow if valve.open else 0*inflow"],
    goal="float.up",
    deadline="left",
)


def test_effects_come_after_the_duration_and_rates_run_meanwhile() -> None:
    outcome = run(TANK, "grease(valve)", "close(valve)")

    assert outcome.end == "short"
    assert outcome.time == 20
    assert outcome.values[analyse_record(TANK).engine.places["level"]] == pytest.approx(2.0)


def test_a_condition_that_fails_names_itself_and_its_margin() -> None:
    outcome = run(TANK, "grease(valve)", "ride(float)")

    assert outcome.end == "blocked ride.deep"
    assert outcome.failing_margin == pytest.approx(-0.5)


def test_waiting_until_a_condition_holds_meets_it_without_a_narrow_margin() -> None:
    outcome = run(TANK, "wait_until('level >= rim')", "ride(float)")

    assert outcome.end == "goal"
    assert outcome.time == pytest.approx(30.0, rel=1e-4)
    assert outcome.least_margin == pytest.approx(0.5, abs=1e-3)


def test_a_goal_met_after_the_deadline_is_late() -> None:
    assert run(TANK, "wait(55[s])", "ride(float)").end == "late"


def test_a_state_stops_at_its_bounds() -> None:
    outcome = run(TANK, "wait(50[s])")

    assert outcome.values[analyse_record(TANK).engine.places["level"]] == 3.0


def test_a_danger_ends_the_plan_at_the_moment_it_comes_true() -> None:
    outcome = run({**TANK, "never": ["over = level >= rim @ it runs over"]}, "wait(40[s])")

    assert outcome.end == "never over"
    assert outcome.time == pytest.approx(20.0, rel=1e-4)


def test_a_danger_band_between_two_moments_is_not_passed_unseen() -> None:
    band = {
        **TANK,
        "quantities": [*TANK["quantities"], "low = 1[m]", "high = 1.1[m]"],
        "never": ["zap = level >= low and level <= high @ it sparks"],
    }

    assert run(band, "wait(29[s])").end == "never zap"


KITCHEN = build_record(
    quantities=["work = 10[s]", "cooking = 25[s]"],
    things=[build_thing("pot", "done = false"), build_thing("table", "laid = false")],
    actions=[
        build_action("cook(p: pot)", "p.done = true", takes="cooking", unattended=True),
        build_action("lay(t: table)", "t.laid = true"),
    ],
    goal="pot.done and table.laid",
)


def test_unattended_work_runs_on_and_ends_at_its_own_time() -> None:
    outcome = run(KITCHEN, "cook(pot)", "lay(table)")

    assert outcome.end == "goal"
    assert outcome.time == 25


def test_unattended_work_cannot_be_started_again_while_it_runs() -> None:
    assert run(KITCHEN, "cook(pot)", "cook(pot)").end == "blocked cook.takes"


AIM = build_record(
    quantities=["work = 1[s]", "angle = choose 10..80[deg]", "least = 30[deg]"],
    things=[build_thing("mark", "hit = false")],
    actions=[build_action("shoot(m: mark)", "m.hit = true", when=("high = angle >= least",))],
    goal="mark.hit",
)


@pytest.mark.parametrize(
    ("plan", "end"),
    [
        (("choose(angle=35[deg])", "shoot(mark)"), "goal"),
        (("choose(angle=20[deg])", "shoot(mark)"), "blocked shoot.high"),
        (("shoot(mark)",), "blocked choose.angle"),
        (("choose(angle=20[deg])", "choose(angle=35[deg])", "shoot(mark)"), "blocked choose.angle"),
    ],
    ids=["chosen well", "chosen badly", "not chosen", "chosen twice"],
)
def test_a_decision_is_taken_once_before_it_is_read(plan: tuple[str, ...], end: str) -> None:
    assert run(AIM, *plan).end == end


FETCH = build_record(
    quantities=["work = 1[s]"],
    things=[build_thing("stone", "mass = 5[kg]", "held = false", "thrown = false")],
    actions=[build_action("throw(s: stone)", "s.thrown = true", when=("in_hand = s.held",))],
    goal="stone.thrown",
)


def test_fetching_is_inserted_where_a_plan_leaves_it_out_and_is_said() -> None:
    outcome = run(FETCH, "throw(stone)")

    assert outcome.end == "goal"
    assert [step.inserted for step in outcome.steps] == [True, False]


PREMISE = build_record(
    quantities=["work = 1[s]", "swimmers = 0 (0..1) state"],
    things=[build_thing("bank", "reached = false")],
    actions=[build_action("swim(b: bank)", "swimmers = 1", "b.reached = true")],
    never=["wet = swimmers > 0 @ premise: whoever is on it stays dry"],
    goal="bank.reached",
)


def test_a_challenge_lifts_the_premise_it_quotes_and_no_other() -> None:
    assert run(PREMISE, "swim(bank)").end == "never wet"
    assert run(PREMISE, "challenge('whoever is on it stays dry')", "swim(bank)").end == "goal"
    assert run(PREMISE, "challenge('something else entirely')", "swim(bank)").end == "never wet"


@pytest.mark.parametrize("ambient", ["ambient = 'x'", "ambient = 3[m]", "ambient = true"])
def test_a_quantity_that_is_only_called_ambient_measures_no_temperature(ambient: str) -> None:
    oven = build_record(
        quantities=[ambient, "work = 10[s]", "heat = 300[K]", "warm = 400[K]", "left = 60[s]"],
        things=[build_thing("lid", "open = false")],
        actions=[build_action("lift(l: lid)", "l.open = true", when=("cool = heat <= warm",))],
        goal="lid.open",
        deadline="left",
    )

    assert run(oven, "lift(lid)").reaches_goal
