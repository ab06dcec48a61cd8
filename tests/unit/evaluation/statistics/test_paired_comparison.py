"""Evaluations compared: differences by hand, what chance gives, and the order of a leaderboard."""

from __future__ import annotations

from statistics import fmean

import pytest

from impossible_moments.evaluation.results import Results
from impossible_moments.evaluation.statistics.leaderboard import build_leaderboard
from impossible_moments.evaluation.statistics.paired_comparison import (
    apply_holm_correction,
    compare_evaluations,
    find_shared_scenarios,
)
from impossible_moments.evaluation.statistics.summary_figures import compute_figures, get_mean_score
from support.sample_results import build_many_results, build_results, build_scenario

SCORES = (12.0, 95.0, 40.0, 88.0, 3.0, 61.0, 77.0, 20.0, 99.0, 54.0)


def alone(scores: tuple[float, ...] = SCORES, *, shift: float = 0.0) -> Results:
    """A scenario with one run for each score, every one a family of its own."""
    return build_results(*(build_scenario(f"IM-{at}", [each + shift]) for at, each in enumerate(scores)))


def width(found: Results) -> float:
    bar = compute_figures(found).im_score
    assert bar.low is not None
    assert bar.high is not None
    return bar.high - bar.low


def test_a_result_does_not_differ_from_itself() -> None:
    found = compare_evaluations(build_many_results(60), build_many_results(60))

    assert (found.difference.value, found.difference.low, found.difference.high) == (0, 0, 0)
    assert (found.share_above, found.p) == (0, 1)


def test_a_constant_lead_in_six_families_has_the_p_of_the_sign_test() -> None:
    scores = SCORES[:6]
    found = compare_evaluations(alone(scores, shift=1), alone(scores))

    assert found.difference.value == pytest.approx(1)
    assert found.share_above == 1
    assert found.exact
    assert found.p == pytest.approx(2 / 2**6)


def test_a_comparison_the_other_way_round_turns_the_sign() -> None:
    one, other = build_many_results(60, seed=1), build_many_results(60, seed=2, skill=0.1)
    there, back = compare_evaluations(one, other), compare_evaluations(other, one)

    assert there.difference.value == pytest.approx(-(back.difference.value or 0))
    assert there.p == pytest.approx(back.p)
    assert not there.exact


def test_pairing_cancels_what_is_hard_for_both() -> None:
    bar = compare_evaluations(alone(shift=0.5), alone()).difference

    assert bar.low is not None
    assert bar.high is not None
    assert bar.high - bar.low < 0.01 * width(alone())


def test_drawn_patterns_of_signs_agree_with_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = alone(), alone(SCORES[1:] + SCORES[:1])
    exact = compare_evaluations(one, other)
    monkeypatch.setattr("impossible_moments.evaluation.statistics.paired_comparison.EXACT_UP_TO", 0)
    drawn = compare_evaluations(one, other)

    assert exact.p is not None
    assert (exact.exact, drawn.exact) == (True, False)
    assert drawn.p == pytest.approx(exact.p, abs=0.02)


def test_only_scenarios_that_both_have_scored_and_nobody_changed_are_compared() -> None:
    one = build_results(
        build_scenario("a", [10]),
        build_scenario("b", [10]),
        build_scenario("c", [10]),
        build_scenario("d", [10]),
    )
    other = build_results(
        build_scenario("d", [9]), build_scenario("a", [None]), build_scenario("b", [8], tier="RUPTURE")
    )

    assert [row[0].scenario_id for row in find_shared_scenarios((one, other))] == ["d"]
    found = compare_evaluations(one, other)
    assert found.difference.value == pytest.approx(1)
    assert found.p is None
    assert "at least 5 families; there is 1" in found.difference.note


def test_without_common_scenarios_there_is_no_difference() -> None:
    found = compare_evaluations(
        build_results(build_scenario("a", [10])), build_results(build_scenario("b", [10]))
    )

    assert found.difference.value is None
    assert "share no scenario" in found.difference.note


def test_p_values_are_raised_for_their_number() -> None:
    assert apply_holm_correction([0.04, None, 0.01, 0.03]) == pytest.approx((0.06, None, 0.03, 0.06))
    assert apply_holm_correction([0.9, 0.8]) == (1, 1)


def test_the_leaderboard_ranks_over_common_scenarios_and_compares_with_the_first() -> None:
    low = build_results(
        *(build_scenario(f"IM-{at}", [each / 2]) for at, each in enumerate(SCORES)),
        build_scenario("own", [100]),
    )
    first, second = build_leaderboard({"low": low, "high": alone()})

    assert (first.name, second.name) == ("high", "low")
    assert first.behind is None
    assert second.behind is not None
    assert second.behind.difference.value == pytest.approx(fmean(SCORES) / 2)
    assert second.figures.im_score.scenarios == len(SCORES)
    assert second.own_im_score == pytest.approx((sum(SCORES) / 2 + 100) / (len(SCORES) + 1))
    assert second.behind_by_means == compare_evaluations(alone(), low, get_mean_score)
