"""Each score of each dimension follows from evidence alone, as docs/difficulty.md says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from impossible_moments.domain.difficulty_scoring import HABIT_STRENGTHS, score_difficulty_evidence
from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.mechanics.difficulty import DifficultyEvidence, DistractorStrength

PLAIN = DifficultyEvidence(
    status="KS-Singular",
    listed_insights=1,
    needed_insights=1,
    insight_chain=1,
    drops_premise=False,
    habits=("surprise",),
    opposed_habits=(),
    domains=("motion",),
    distractors={},
    false_story=0,
    things=5,
    has_deadline=False,
    time_left=None,
    late=0,
    working=1,
    failing=0,
    deep_alternatives=0,
    trap_levels=0,
    trap_ends=0,
    stepping_stones=0,
)


def score(letter: str, **changes: Any) -> int:
    return int(getattr(score_difficulty_evidence(replace(PLAIN, **changes))[0], letter))


@pytest.mark.parametrize(
    ("needed", "chain", "drops", "expected"),
    [
        (0, 0, False, 1),
        (1, 1, False, 1),
        (2, 1, False, 2),
        (2, 2, False, 2),
        (3, 1, False, 3),
        (5, 1, False, 3),
        (4, 2, False, 4),
        (4, 3, False, 4),
        (4, 2, True, 4),
        (4, 3, True, 5),
    ],
)
def test_insight_depth_counts_needed_insights_and_confirmed_chains(
    needed: int, chain: int, *, drops: bool, expected: int
) -> None:
    assert score("I", needed_insights=needed, insight_chain=chain, drops_premise=drops) == expected


@pytest.mark.parametrize(("decisions", "expected"), [(1, 1), (2, 2), (3, 3), (4, 4), (7, 4), (8, 5)])
def test_steps_that_can_be_lost_count_like_chained_insights(decisions: int, expected: int) -> None:
    assert score("I", decisions=decisions) == expected


@pytest.mark.parametrize(
    ("further", "status", "expected"),
    [(1.9, "KS-Singular", 1), (2.0, "KS-Singular", 4), (4.0, "KS-Singular", 5), (4.0, "PX", 4)],
)
def test_dead_ends_that_show_late_are_deep_traps(further: float, status: str, expected: int) -> None:
    assert score("X", calls_after_wrong_turn=further, status=status) == expected


def test_listed_insights_that_are_not_needed_do_not_count() -> None:
    assert score("I", listed_insights=6) == 1


@pytest.mark.parametrize(
    ("strengths", "false_story", "expected"),
    [
        ((), 0, 1),
        (("strong",), 1, 2),
        (("weak", "weak", "weak", "weak"), 0, 2),
        (("weak", "moderate"), 0, 2),
        (("strong", "weak"), 1, 3),
        (("moderate", "moderate"), 0, 3),
        (("strong", "strong", "moderate"), 1, 3),
        (("strong", "strong", "moderate"), 2, 4),
        (("strong", "strong", "strong", "strong"), 1, 5),
    ],
)
def test_distractor_density_weighs_executed_strengths(
    strengths: tuple[DistractorStrength, ...], false_story: int, expected: int
) -> None:
    named = {f"thing {number}": strength for number, strength in enumerate(strengths)}
    assert score("D", distractors=named, false_story=false_story) == expected


def test_strong_distractors_among_many_things_are_not_most_of_the_text() -> None:
    named = dict.fromkeys(("a", "b", "c", "d"), "strong")
    assert score("D", distractors=named, false_story=2, things=8) == 4


@pytest.mark.parametrize("habit", HABIT_STRENGTHS)
@pytest.mark.parametrize(
    ("deep", "opposed", "most"), [(0, 0, 2), (1, 0, 3), (2, 1, 4), (3, 2, 5), (3, 3, 5), (0, 2, 2)]
)
def test_a_habit_counts_only_as_far_as_alternatives_show_that_it_misleads(
    habit: str, deep: int, opposed: int, most: int
) -> None:
    found = score("C", habits=("surprise", habit), deep_alternatives=deep, opposed_habits=(habit,) * opposed)
    assert found == min(HABIT_STRENGTHS[habit], most)


@pytest.mark.parametrize(
    ("domains", "expected"),
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
        ("motion heat rules optics", 5),
        ("motion heat rules optics biology", 5),
    ],
)
def test_domain_bridge_counts_binding_domains(domains: str, expected: int) -> None:
    assert score("B", domains=tuple(domains.split())) == expected


@pytest.mark.parametrize(
    ("left", "late", "failing", "expected"),
    [
        (0.5, 0, 3, 2),
        (0.4, 0, 3, 3),
        (None, 0, 3, 3),
        (0.5, 1, 2, 2),
        (0.5, 2, 4, 4),
        (0.5, 2, 5, 2),
        (0.1, 2, 4, 5),
    ],
)
def test_temporal_pressure_follows_slack_and_late_approaches(
    left: float | None, late: int, failing: int, expected: int
) -> None:
    assert score("T", has_deadline=True, time_left=left, late=late, failing=failing) == expected


def test_without_a_deadline_there_is_no_pressure() -> None:
    assert score("T", has_deadline=False, late=3, failing=3) == 1


@pytest.mark.parametrize(
    ("failing", "deep", "levels", "ends", "stones", "expected"),
    [
        (0, 0, 0, 0, 0, 1),
        (3, 0, 0, 0, 0, 2),
        (3, 1, 1, 1, 0, 3),
        (5, 5, 1, 3, 4, 3),
        (5, 5, 3, 1, 4, 3),
        (5, 3, 2, 2, 1, 4),
        (5, 3, 2, 2, 2, 5),
    ],
)
def test_trap_depth_counts_alternatives_that_must_be_worked_out(
    failing: int, deep: int, levels: int, ends: int, stones: int, expected: int
) -> None:
    found = score(
        "X",
        failing=failing,
        deep_alternatives=deep,
        trap_levels=levels,
        trap_ends=ends,
        stepping_stones=stones,
    )
    assert found == expected


def test_in_a_paradox_nothing_misleads_more_than_four() -> None:
    named = dict.fromkeys(("a", "b", "c", "d"), "strong")
    traps = {"failing": 5, "deep_alternatives": 3, "trap_levels": 2, "trap_ends": 2, "stepping_stones": 2}
    assert score("D", status="PX", distractors=named, false_story=2) == 4
    assert score("X", status="PX", **traps) == 4
    assert score("X", **traps) == 5


def test_labels_alone_make_no_tier() -> None:
    labels = replace(PLAIN, listed_insights=6, habits=("frame", "inversion"), status="OF")
    profile, reasons = score_difficulty_evidence(labels)

    assert choose_difficulty_tier(profile.scores, "OF")[0] == "SPARK"
    assert list(reasons) == list("IDCBTX")
    assert reasons["I"].startswith("1 of 6 insights is about alternatives that must be worked out")


def test_the_reason_for_insight_depth_counts_needed_insights_and_names_a_chain_of_several() -> None:
    one = replace(PLAIN, listed_insights=2, needed_insights=1, status="KS")
    several = replace(PLAIN, listed_insights=3, needed_insights=2, insight_chain=2, status="KS")
    assert score_difficulty_evidence(one)[1]["I"] == "1 of 2 insights is needed"
    assert score_difficulty_evidence(several)[1]["I"] == "2 of 3 insights are needed, the longest chain has 2"
