"""What executing a record shows about its difficulty: deep alternatives, strengths, needed insights, domains, time."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from impossible_moments.mechanics.checks.record_check import CheckReport
from impossible_moments.mechanics.difficulty import (
    DifficultyEvidence,
    FailingAlternative,
    InsightFact,
    collect_difficulty_evidence,
    find_failing_approaches,
    list_failing_alternatives,
    measure_distractor_strength,
)
from support.small_worlds import build_action, build_approach, build_record, build_thing, check_built_record

WAY = build_approach("way", "grip(bar)", "wet(bolt)", "pry(bar)")
# fmt: off
TRAPS: dict[str, dict[str, Any]] = {
    # how it fails                                                               what one sees of it
    "at_once":  build_approach("at_once", "kick(straw)", ends="blocked kick.hard"),    # misses by far, nothing done
    "at_first": build_approach("at_first", "kick(rod)", ends="blocked kick.hard"),
    "again":    build_approach("again", "kick(bar)", ends="blocked kick.hard"),
    "nothing":  build_approach("nothing", "pry(straw)", ends="blocked pry.held"),
    "near":     build_approach("near", "push(rod)", ends="blocked push.firm"),         # 42 of 50: misses by 16 %
    "far":      build_approach("far", "push(lath)", ends="blocked push.firm"),         # 34 of 50: misses by 32 %
    "begun":    build_approach("begun", "grip(straw)", "kick(straw)", ends="blocked kick.hard"),  # one call, then far off
    "begun_2":  build_approach("begun_2", "grip(rod)", "kick(rod)", ends="blocked kick.hard"),
    "begun_3":  build_approach("begun_3", "grip(lath)", "kick(lath)", ends="blocked kick.hard"),
    "begun_4":  build_approach("begun_4", "grip(straw)", "push(straw)", ends="blocked push.firm"),
    "one_call": build_approach("one_call", "grip(bar)", "kick(bar)", ends="blocked kick.hard"),
    "half_way": build_approach("half_way", "grip(bar)", "wet(bolt)", "kick(bar)", ends="blocked kick.hard"),
    "late":     build_approach("late", "dig(bar)", ends="late"),
    "later":    build_approach("later", "dig(rod)", ends="late"),
}
# fmt: on


@cache
def cell(*traps: str, clock: int | None = None) -> CheckReport:
    """A cell that one way leaves, in 30 seconds, and so many approaches do not."""
    timed = {"deadline": "clock"} if clock else {}
    return check_built_record(
        build_record(
            quantities=[
                "work = 10[s]; long = 1000[s]; need = 50[N]; much = 1000[N]",
                *([f"clock = {clock}[s]"] if clock else []),
            ],
            things=[
                build_thing("you", "free = false", kind="person"),
                build_thing("bar", "heave = 60[N]", "shove = 1[N]", "held = false"),
                build_thing("rod", "heave = 2[N]", "shove = 42[N]", "held = false"),
                build_thing("lath", "heave = 2[N]", "shove = 34[N]", "held = false"),
                build_thing("straw", "heave = 1[N]", "shove = 1[N]", "held = false"),
                build_thing("cup", "held = false"),
                build_thing("bolt", "soaked = false", kind="boundary"),
            ],
            actions=[
                build_action("grip(o: object)", "o.held = true"),
                build_action("wet(b: bolt)", "b.soaked = true"),
                build_action(
                    "pry(o: object)",
                    "you.free = true",
                    when=("held = o.held", "soaked = bolt.soaked", "strong = o.heave >= need"),
                ),
                build_action("push(o: object)", "you.free = true", when=("firm = o.shove >= need",)),
                build_action("kick(o: object)", "you.free = true", when=("hard = o.heave >= much",)),
                *([build_action("dig(o: object)", "you.free = true", takes="long")] if clock else []),
            ],
            goal="you.free",
            approaches=[WAY, *(TRAPS[name] for name in traps)],
            status={"claim": "KS-Singular", "ways": ["way"], "traps": list(traps) or ["none"]},
            **timed,
        )
    )


def collect(
    *traps: str,
    clock: int | None = None,
    insights: tuple[InsightFact, ...] = (),
    distractors: tuple[str, ...] = (),
) -> DifficultyEvidence:
    report = cell(*traps, clock=clock)
    assert report.analysis is not None
    assert report.verdict is not None
    for name in traps:
        assert report.analysis.outcomes[name].end == TRAPS[name]["ends"]
    return collect_difficulty_evidence(report.analysis, report.verdict, insights, distractors)


def list_alternatives(*traps: str, clock: int | None = None) -> dict[str, FailingAlternative]:
    report = cell(*traps, clock=clock)
    assert report.analysis is not None
    assert report.verdict is not None
    return {each.name: each for each in list_failing_alternatives(report.analysis, report.verdict)}


@pytest.mark.parametrize(
    ("name", "executed", "deep"),
    [
        ("at_once", 0, False),
        ("nothing", 0, False),
        ("far", 0, False),
        ("near", 0, True),
        ("begun", 1, False),
        ("half_way", 2, False),
    ],
)
def test_an_alternative_is_deep_if_it_must_be_worked_out(name: str, executed: int, *, deep: bool) -> None:
    found = list_alternatives(name)[name]

    assert (found.executed, found.is_deep) == (executed, deep)


def test_several_calls_make_an_alternative_deep_unless_it_fails_plainly() -> None:
    far = list_alternatives("half_way")["half_way"]

    assert far.is_plain_miss
    assert replace(far, margin=-0.4).is_deep
    assert replace(far, margin=None).is_deep
    assert not replace(far, margin=-0.4, executed=1).is_deep
    assert not replace(far, margin=None, is_listed=False).is_deep


@pytest.mark.parametrize(("margin", "deep"), [(-0.3, True), (-0.31, False), (0.0, True)])
def test_a_near_miss_is_deep_although_no_call_succeeds(margin: float, *, deep: bool) -> None:
    assert replace(list_alternatives("near")["near"], margin=margin).is_deep is deep


def test_a_plan_that_is_far_too_late_is_seen_at_once() -> None:
    assert not list_alternatives("late", clock=60)["late"].is_deep


def test_answers_with_one_thing_exchanged_are_executed_too() -> None:
    found = list_alternatives()

    assert set(found) >= {"pry(rod) instead of pry(bar)", "grip(straw) instead of grip(bar)"}
    assert found["pry(rod) instead of pry(bar)"].end == "blocked pry.held"
    assert not any(each.is_listed for each in found.values())


def test_an_exchange_that_is_a_listed_approach_counts_once() -> None:
    calls = [each.calls for each in list_alternatives("half_way", "one_call").values()]

    assert len(calls) == len(set(calls))


def test_what_reaches_the_goal_is_no_failure() -> None:
    analysis = cell("near", "at_once").analysis
    assert analysis is not None

    assert set(find_failing_approaches(analysis)) == {"near", "at_once"}


@pytest.mark.parametrize(
    ("name", "strength"),
    [("rod", "strong"), ("near", "strong"), ("at_once", "weak"), ("cup", "weak"), ("straw", "weak")],
)
def test_a_distractor_is_as_strong_as_the_best_alternative_with_it(name: str, strength: str) -> None:
    alternatives = tuple(each for each in list_alternatives("near", "at_once").values() if each.is_listed)

    assert measure_distractor_strength(name, alternatives) == strength


def test_a_call_that_succeeds_before_an_unplain_failure_makes_a_distractor_moderate() -> None:
    begun = replace(list_alternatives("begun")["begun"], margin=None)

    assert measure_distractor_strength("straw", (begun,)) == "moderate"
    assert measure_distractor_strength("straw", (replace(begun, margin=-0.9),)) == "weak"


GRIP = InsightFact("functional fixedness", "motion", (), "grip(bar)")
WET = InsightFact("overlooked property", "chemistry", (), "wet(bolt)")
PRY = InsightFact("inversion", "structures", (1, 2), "pry(bar)")
KICK = InsightFact("frame", "logic", (), "kick(rod)")


def test_an_insight_counts_if_the_plan_fails_without_its_call() -> None:
    found = collect("at_first", insights=(GRIP, WET, PRY, KICK))

    assert (found.listed_insights, found.needed_insights) == (4, 3)
    assert found.habits == ("functional fixedness", "overlooked property", "inversion")


def test_an_insight_that_names_no_call_is_not_shown_to_be_needed() -> None:
    assert collect(insights=(InsightFact("frame", "logic"),)).needed_insights == 0


def test_a_stated_dependency_counts_if_the_later_call_fails_without_the_earlier() -> None:
    independent = replace(WET, needs=(1,))

    assert collect(insights=(GRIP, WET, PRY)).insight_chain == 2
    assert collect(insights=(GRIP, independent)).insight_chain == 1


def test_a_domain_counts_if_a_condition_of_the_call_decides() -> None:
    assert collect("nothing", insights=(GRIP, WET, PRY)).domains == ("structures",)
    assert collect(insights=(GRIP, WET)).domains == ()


def test_time_and_late_approaches_are_read_from_execution() -> None:
    found = collect("late", "at_once", clock=60)

    assert (found.has_deadline, found.time_left, found.late, found.failing, found.working) == (
        True,
        0.5,
        1,
        2,
        1,
    )
    assert collect("at_once").time_left is None


def test_levels_and_ends_of_deep_alternatives_are_counted() -> None:
    found = collect("near")

    assert (found.deep_alternatives, found.trap_levels, found.trap_ends) == (1, 1, 1)


def test_the_evidence_is_the_same_at_every_call() -> None:
    assert collect("near", "late", clock=60, insights=(GRIP, PRY), distractors=("rod", "cup")) == collect(
        "near", "late", clock=60, insights=(GRIP, PRY), distractors=("rod", "cup")
    )
