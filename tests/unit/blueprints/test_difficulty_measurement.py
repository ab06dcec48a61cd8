"""Each score of each dimension is reached as docs/blueprints.md says."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from impossible_moments.blueprints.difficulty_measurement import (
    InsightFact,
    find_failing_approaches,
    is_deep_trap,
    measure_difficulty,
    measure_distractor_strength,
    score_distractor_density,
    score_domain_bridge,
    score_insight_depth,
)
from impossible_moments.blueprints.file_models import FIXEDNESS
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.vocabulary import Strength
from impossible_moments.mechanics.checks.record_check import CheckReport
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
    "begun":    build_approach("begun", "grip(straw)", "kick(straw)", ends="blocked kick.hard"),
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


def profile(*traps: str, clock: int | None = None) -> Profile:
    report = cell(*traps, clock=clock)
    assert report.analysis is not None
    assert report.verdict is not None
    assert report.verdict.ways
    for name in traps:
        assert report.analysis.outcomes[name].end == TRAPS[name]["ends"]
    return measure_difficulty(report.analysis, report.verdict, [], [])


def facts(*needs: tuple[int, ...], type_: str = "surprise") -> list[InsightFact]:
    return [InsightFact(type_, "motion", each) for each in needs]


@pytest.mark.parametrize(
    ("insights", "score"),
    [
        (facts(), 1),
        (facts(()), 1),
        (facts((), ()), 2),
        (facts((), (1,)), 3),
        (facts((2,), ()), 3),
        (facts((), (), ()), 3),
        (facts((), (1,), ()), 3),
        (facts((), (1,), (1,)), 3),
        (facts((), (1,), (2,)), 4),
        (facts((), (), (), ()), 4),
        (facts((), (), (), (), ()), 4),
        (facts((), type_="frame"), 5),
    ],
)
def test_insight_depth_counts_insights_and_chains(insights: list[InsightFact], score: int) -> None:
    assert score_insight_depth(insights, "KS-Singular") == score


def test_an_open_frontier_is_a_frame_to_rebuild() -> None:
    assert score_insight_depth(facts(()), "OF") == 5


def test_insights_that_need_each_other_are_a_chain_of_two() -> None:
    assert score_insight_depth(facts((2,), (1,)), "PX") == 3


def test_an_insight_that_needs_itself_is_one_insight() -> None:
    assert score_insight_depth(facts((1,)), "PX") == 1


@pytest.mark.parametrize(
    ("strengths", "score"),
    [
        ([], 1),
        (["weak"], 2),
        (["weak", "weak", "weak", "weak"], 2),
        (["strong", "weak"], 3),
        (["moderate", "moderate"], 3),
        (["moderate", "moderate", "moderate"], 3),
        (["strong", "moderate"], 3),
        (["strong", "moderate", "moderate"], 4),
        (["strong", "strong", "strong"], 4),
        (["strong", "strong", "strong", "moderate", "weak"], 4),
        (["strong", "strong", "strong", "strong"], 5),
    ],
    ids=str,
)
def test_distractor_density_weighs_what_misleads(strengths: list[Strength], score: int) -> None:
    assert score_distractor_density(strengths) == score


@pytest.mark.parametrize(
    ("domains", "score"),
    [
        ("", 1),
        ("motion", 1),
        ("motion structures", 2),
        ("heat chemistry", 2),
        ("signals optics", 2),
        ("rules language", 2),
        ("optics navigation", 2),
        ("motion heat", 3),
        ("navigation signals", 3),
        ("motion structures materials", 4),
        ("motion heat rules", 4),
        ("motion heat rules optics", 5),
        ("motion heat rules optics biology", 5),
    ],
)
def test_domain_bridge_counts_domains_and_whether_they_are_related(domains: str, score: int) -> None:
    assert score_domain_bridge(set(domains.split())) == score


@pytest.mark.parametrize("habit", FIXEDNESS)
def test_counter_intuition_is_the_hardest_habit_among_the_insights(habit: str) -> None:
    report = cell()
    assert report.analysis is not None
    assert report.verdict is not None
    insights = [InsightFact("surprise", "heat"), InsightFact(habit, "heat"), InsightFact("surprise", "heat")]
    scale = {
        "surprise": 1,
        "functional fixedness": 2,
        "overlooked property": 2,
        "scale intuition": 4,
        "inversion": 4,
        "frame": 5,
    }

    found = measure_difficulty(report.analysis, report.verdict, insights, []).C
    assert found == scale.get(habit, 3)


def test_without_insights_nothing_is_counter_intuitive() -> None:
    assert profile().C == 1


@pytest.mark.parametrize(
    ("traps", "clock", "score"),
    [
        ((), None, 1),
        ((), 60, 2),
        ((), 48, 3),
        (("at_once",), 60, 2),
        (("late",), 60, 4),
        (("late", "later", "at_once", "at_first", "again"), 60, 4),
        (("late", "later"), 60, 5),
        (("late", "later", "at_once", "at_first"), 60, 5),
    ],
    ids=["none", "soft", "window", "fails_otherwise", "one_late", "two_of_five", "two", "two_of_four"],
)
def test_temporal_pressure_looks_at_the_clock(traps: tuple[str, ...], clock: int | None, score: int) -> None:
    found = profile(*traps, clock=clock).T

    assert found == score


@pytest.mark.parametrize(
    ("traps", "score"),
    [
        ((), 1),
        (("at_once",), 2),
        (("at_once", "at_first", "again", "nothing", "far"), 2),
        (("near",), 3),
        (("begun",), 3),
        (("one_call",), 3),
        (("begun", "at_once", "at_first", "again"), 3),
        (("begun", "near", "at_once"), 3),
        (("begun", "near", "at_once", "at_first"), 4),
        (("begun", "begun_2", "near"), 4),
        (("begun", "begun_2", "begun_3", "near"), 4),
        (("begun", "begun_2", "begun_3", "begun_4", "near"), 5),
        (("half_way",), 5),
    ],
    ids=str,
)
def test_trap_depth_counts_what_survives_some_thought(traps: tuple[str, ...], score: int) -> None:
    found = profile(*traps).X

    assert found == score


def test_an_approach_that_is_late_survives() -> None:
    assert profile("late", clock=60).X == 3


@pytest.mark.parametrize(
    ("name", "lives"),
    [
        ("at_once", False),
        ("nothing", False),
        ("far", False),
        ("near", True),
        ("begun", True),
        ("one_call", True),
    ],
)
def test_an_approach_survives_if_it_must_be_worked_out(name: str, *, lives: bool) -> None:
    analysis = cell(name).analysis
    assert analysis is not None

    assert is_deep_trap(analysis.outcomes[name]) is lives


def test_what_reaches_the_goal_is_no_failure() -> None:
    analysis = cell("near", "at_once").analysis
    assert analysis is not None

    assert set(find_failing_approaches(analysis)) == {"near", "at_once"}


@pytest.mark.parametrize(
    ("name", "strength"),
    [("rod", "strong"), ("near", "strong"), ("straw", "moderate"), ("at_once", "moderate"), ("cup", "weak")],
)
def test_a_distractor_is_as_strong_as_the_best_approach_with_it(name: str, strength: str) -> None:
    analysis = cell("near", "at_once", "at_first").analysis
    assert analysis is not None

    assert measure_distractor_strength(name, analysis) == strength


def test_the_way_itself_makes_nothing_mislead() -> None:
    analysis = cell("near").analysis
    assert analysis is not None

    assert measure_distractor_strength("bar", analysis) == "weak"


def test_a_profile_has_its_scores_in_their_places() -> None:
    report = cell("half_way", "late", clock=60)
    assert report.analysis is not None
    assert report.verdict is not None
    insights = [InsightFact("mental set", "heat"), InsightFact("surprise", "motion")]

    assert str(measure_difficulty(report.analysis, report.verdict, insights, ["weak"])) == "2.2.3.3.4.5"


@pytest.mark.parametrize(("trap", "score"), [("half_way", 4), ("near", 3)])
def test_in_a_paradox_nothing_misleads_more_than_four(trap: str, score: int) -> None:
    report = cell(trap)
    assert report.analysis is not None
    assert report.verdict is not None
    paradox = replace(report.verdict, status="PX")
    *_, traps = measure_difficulty(report.analysis, paradox, [], ["strong"] * 4).scores

    assert traps == score


def test_in_a_paradox_nothing_distracts_more_than_four() -> None:
    report = cell()
    assert report.analysis is not None
    assert report.verdict is not None
    paradox = replace(report.verdict, status="PX")
    _, density, *_ = measure_difficulty(report.analysis, paradox, [], ["strong"] * 4).scores

    assert density == 4
