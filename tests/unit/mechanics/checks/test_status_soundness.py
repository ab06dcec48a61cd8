"""No status is computed that the executor can refute, and none hangs on names, order or spelling."""

from __future__ import annotations

from typing import Any

import pytest

from support.small_worlds import (
    WALL,
    build_action,
    build_approach,
    build_record,
    build_thing,
    check_built_record,
)

PX = {"claim": "PX", "conflict": ["deadline"], "chains": []}


def world(**sections: Any) -> dict[str, Any]:
    """A walled-in world with a goal `prize.won`, a deadline and something useless to try."""
    quantities = ["left = 60[s]", "work = 5[s]", "ages = 90[s]", *sections.pop("quantities", ())]
    actions = [
        build_action("idle(p: prize)", "p.looked_at = true", takes="ages"),
        *sections.pop("actions", ()),
    ]
    things = [build_thing("prize", "won = false", "looked_at = false"), WALL, *sections.pop("things", ())]
    approaches = [build_approach("trap", "idle(prize)", ends="short"), *sections.pop("approaches", ())]
    return build_record(**{
        "quantities": quantities, "actions": actions, "things": things, "approaches": approaches,
        "goal": "prize.won", "deadline": "left", "status": PX, **sections,
    })  # fmt: skip


def status(data: dict[str, Any]) -> str | None:
    report = check_built_record(data)
    assert report.verdict is not None, [str(finding) for finding in report.findings.errors]
    return report.verdict.status


def test_a_wait_that_alone_reaches_the_goal_somewhere_in_a_range_is_no_paradox() -> None:
    data = world(
        quantities=[
            "flow = 0.5[m/s] (0.3..1.5) assumed @ a work, table 1",
            "level = 0[m] (0..500) state",
            "need = 60[m]",
        ],
        rates=["level = flow"],
        goal="prize.won or level >= need",
    )

    assert status(data) != "PX"


def test_a_rate_that_feeds_on_itself_is_not_followed_as_if_it_stood_still() -> None:
    data = world(
        quantities=[
            "k = 0.01[1/s] (0.005..0.2) assumed @ a work, table 1",
            "x = 1[m] (0..1000) state",
            "need = 50[m]",
        ],
        rates=["x = k*x"],
        actions=[build_action("take(p: prize)", "p.won = true", when=("grown = x >= need",))],
    )

    assert status(data) != "PX"


def test_unattended_work_that_ends_in_the_midst_of_another_call_counts() -> None:
    data = world(
        quantities=["cooking = 70[s] (5..80) assumed @ a work, table 1", "act = 10[s]"],
        things=[build_thing("pot", "done = false"), build_thing("bell", "rung = false")],
        actions=[
            build_action("cook(p: pot)", "p.done = true", takes="cooking", unattended=True),
            build_action("ring(b: bell)", "b.rung = true", takes="act"),
            build_action("take(p: prize)", "p.won = true", when=("both = pot.done and bell.rung",)),
        ],
        never=["spoilt = bell.rung and not pot.done @ the bell spoils it"],
    )

    assert status(data) != "PX"


def test_a_word_that_may_be_chosen_is_not_taken_as_given() -> None:
    data = world(
        quantities=["mode = choose {slow, fast}", "quick = 5[s]"],
        actions=[build_action("take(p: prize)", "p.won = true", takes="quick if mode == 'fast' else ages")],
    )

    assert status(data) in {"KS-Singular", "DG"}


def test_a_real_impossibility_is_proved_and_every_proof_rechecked() -> None:
    data = world(
        quantities=["slow = 70[s] (65..90) assumed @ a work, table 1"],
        actions=[build_action("take(p: prize)", "p.won = true", takes="slow")],
        approaches=[build_approach("try_it", "take(prize)", ends="late")],
    )
    report = check_built_record(data)

    assert report.verdict is not None
    assert report.verdict.status == "PX"
    assert report.verdict.impossibility is not None
    assert all(closed.rechecked for closed in report.verdict.impossibility.refuted_plans)


def test_an_estimate_proves_only_what_survives_twice_its_range() -> None:
    data = world(
        quantities=["slow = 70[s] (62..90) assumed @ estimate: a guess"],
        actions=[build_action("take(p: prize)", "p.won = true", takes="slow")],
        approaches=[build_approach("try_it", "take(prize)", ends="late")],
    )

    assert status(data) is None


def test_the_search_waits_for_a_danger_to_pass() -> None:
    data = world(
        quantities=["wind = 20[m/s] (0..100) state", "dying = 1[m/s**2]", "most = 10[m/s]"],
        things=[build_thing("sail", "up = false")],
        actions=[
            build_action("hoist(s: sail)", "s.up = true"),
            build_action("land(p: prize)", "p.won = true", when=("under_way = sail.up",)),
        ],
        rates=["wind = -dying"],
        never=["capsized = sail.up and wind > most @ it capsizes in a gale"],
    )
    report = check_built_record(data)

    assert report.verdict is not None
    assert report.verdict.ways


def test_swapped_arguments_are_two_ways() -> None:
    data = world(
        things=[
            build_thing("jug", "wet = false", "size = 1[m]"),
            build_thing("pan", "wet = false", "size = 2[m]"),
        ],
        actions=[
            build_action("pour(a: object, b: object)", "b.wet = true", when=("sized = a.size > 0*a.size",)),
            build_action("take(p: prize)", "p.won = true", when=("any_wet = jug.wet or pan.wet",)),
        ],
    )
    report = check_built_record(data)

    assert report.verdict is not None
    assert len(report.verdict.ways) == 2


@pytest.mark.parametrize("verbs", [("bike", "walk"), ("zbike", "awalk")])
def test_a_tie_at_one_end_of_a_dispute_is_no_contest_whatever_the_names(verbs: tuple[str, str]) -> None:
    first, second = verbs
    data = world(
        quantities=["road = 20[s] (20..40) disputed @ A says; B says", "path = 20[s]"],
        things=[build_thing("gate", "open = false")],
        actions=[
            build_action(f"{first}(p: prize)", "p.won = true", takes="road"),
            build_action(f"{second}(p: prize)", "p.won = true", takes="path"),
        ],
        prefer="least time",
    )

    assert status(data) != "CT"


def test_a_premise_is_no_premise_if_something_works_while_it_is_kept() -> None:
    data = world(
        quantities=["swim = 70[s] (50..90) assumed @ a work, table 1", "wet = 0 (0..1) state"],
        actions=[
            build_action("swim_over(p: prize)", "p.won = true", takes="swim"),
            build_action("wade(p: prize)", "wet = 1", "p.won = true"),
        ],
        never=["soaked = wet > 0 @ premise: nobody gets wet here"],
    )

    assert status(data) is None


def test_a_danger_measured_in_units_cannot_be_argued_away() -> None:
    data = world(
        quantities=["heat = 300[K] (250..900) state", "limit = 400[K]"],
        actions=[build_action("take(p: prize)", "heat = limit + limit", "p.won = true")],
        never=["burnt = heat > limit @ premise: it is warm in there"],
    )

    assert "premise.measured" in check_built_record(data).findings.codes


def test_a_lock_that_nobody_told_of_carries_no_paradox() -> None:
    data = world(
        things=[{"name": "door", "label": "the door", "kind": "boundary", "like": "steel_door"}],
        goal="you.at == 'out'",
    )
    report = check_built_record(data)

    assert "status.untold-lock" in report.findings.codes


def test_an_exit_that_leads_elsewhere_than_the_goal_says_so() -> None:
    data = world(goal="you.at == 'yard'")

    assert "goal.exits" in check_built_record(data).findings.codes


def test_an_action_that_changes_what_nobody_reads_is_noticed() -> None:
    data = world(actions=[build_action("take(p: prize)", "p.won = true")])
    findings = check_built_record(data).findings

    assert [finding.where for finding in findings if finding.code == "action.dead-effect"] == [
        "/actions/idle"
    ]
