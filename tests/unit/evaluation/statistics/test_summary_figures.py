"""The figures of evaluations: computed by hand where they can be, and what must hold for all of them."""

from __future__ import annotations

import time
from math import sqrt
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.domain.vocabulary import CATEGORIES, TIERS
from impossible_moments.evaluation.results import Results
from impossible_moments.evaluation.statistics.calibration import measure_calibration
from impossible_moments.evaluation.statistics.resampling import FEWEST_FAMILIES, Measurement, estimate_mean
from impossible_moments.evaluation.statistics.summary_figures import (
    DETECTABLE_ERRORS,
    compute_best_of_n,
    compute_expected_best,
    compute_figures,
    list_statuses,
)
from support.sample_results import build_many_results, build_results, build_scenario

SCORES = (12.0, 95.0, 40.0, 88.0, 3.0, 61.0, 77.0, 20.0, 99.0, 54.0)


def alone(scores: tuple[float, ...] = SCORES, *, shift: float = 0.0) -> Results:
    """A scenario with one run for each score, every one a family of its own."""
    return build_results(*(build_scenario(f"IM-{at}", [each + shift]) for at, each in enumerate(scores)))


def copied(times: int, *, as_families: bool) -> Results:
    """Each score so many times over, told as copies of one idea or not."""
    return build_results(
        *(
            build_scenario(f"IM-{at}-{copy}", [each], family=f"idea {at}" if as_families else "")
            for at, each in enumerate(SCORES)
            for copy in range(times)
        )
    )


def width(found: Results) -> float:
    bar = compute_figures(found).im_score
    assert bar.low is not None
    assert bar.high is not None
    return bar.high - bar.low


def test_the_im_score_weighs_tiers_by_best_runs_and_by_means() -> None:
    found = compute_figures(
        build_results(build_scenario("a", [0, 100]), build_scenario("b", [40, None], tier="FRACTURE"))
    )

    assert found.im_score.value == pytest.approx((100 + 2 * 40) / 3)
    assert found.by_means.value == pytest.approx((50 + 2 * 40) / 3)
    assert found.pass_rate.value == pytest.approx((0.5 + 0) / 2)
    assert found.best_of_n.gap.value == pytest.approx(50 / 3)


def test_the_figures_agree_with_those_of_the_results_themselves() -> None:
    made = build_many_results(60)
    found = compute_figures(made)

    assert found.im_score.value == pytest.approx(made.im_score)
    assert {each.name: each.best.value for each in found.categories} == pytest.approx(dict(made.im_profile))


values = st.floats(0, 100)
groups = st.lists(
    st.tuples(st.integers(0, 12), st.sampled_from([1, 2, 4, 8, 16]), values), min_size=1, max_size=40
)


@given(groups)
def test_a_bar_contains_its_figure_and_stays_within_what_was_measured(
    rows: list[tuple[int, int, float]],
) -> None:
    found = estimate_mean(Measurement(str(family), weight, value) for family, weight, value in rows)

    assert found.value is not None
    assert (found.low is None) == (len({family for family, *_ in rows}) < FEWEST_FAMILIES)
    if found.low is not None and found.high is not None:
        assert found.low <= found.value <= found.high
        assert min(value for *_, value in rows) - 1e-9 <= found.low
        assert found.high <= max(value for *_, value in rows) + 1e-9


def test_the_spread_over_resamples_is_the_standard_error_of_a_mean() -> None:
    found = estimate_mean(Measurement(str(at), 1, value) for at, value in enumerate(SCORES * 5))

    assert found.error == pytest.approx(pstdev(SCORES) / sqrt(5 * len(SCORES)), rel=0.08)


def test_copies_within_a_family_add_no_certainty() -> None:
    assert width(copied(4, as_families=True)) == pytest.approx(width(alone()))
    assert width(copied(4, as_families=False)) < 0.7 * width(alone())


def test_the_same_results_give_the_same_figures() -> None:
    assert compute_figures(build_many_results(80)) == compute_figures(build_many_results(80))


def test_with_few_families_there_is_a_figure_and_a_sentence_in_place_of_the_bar() -> None:
    found = compute_figures(
        build_results(*(build_scenario(f"IM-{at}", [50], family="one") for at in range(20)))
    ).im_score

    assert (found.value, found.low, found.high, found.error) == (50, None, None, None)
    assert found.note == "An error bar needs scored scenarios of at least 5 families; there is 1."


def test_nothing_scored_is_none_everywhere_and_never_nought() -> None:
    found = compute_figures(build_results(build_scenario("a", [None, None])))

    for figure in (
        found.im_score,
        found.by_means,
        found.pass_rate,
        found.best_of_n.gap,
        found.calibration.bias,
    ):
        assert figure.value is None
        assert figure.note
    assert (found.detectable.apart, found.detectable.together) == (None, None)
    assert found.detectable.note
    assert all(group.best.value is None for group in (*found.tiers, *found.categories, *found.statuses))


def test_no_scenario_at_all_is_no_error() -> None:
    assert compute_figures(build_results()).im_score.value is None


def test_every_tier_and_category_has_a_row_and_every_status_that_occurs() -> None:
    found = compute_figures(build_many_results(100))

    assert tuple(each.name for each in found.tiers) == TIERS
    assert tuple(each.name for each in found.categories) == CATEGORIES
    assert tuple(each.name for each in found.statuses) == ("KS", "KS-Fragile", "CT", "OF", "PX", "MT", "DG")
    assert list_statuses(
        build_results(
            build_scenario("a", [1], status="what"), build_scenario("b", [1], status="DG")
        ).scenarios
    ) == (
        "DG",
        "what",
    )


@pytest.mark.parametrize(("runs", "expected"), [(1, 40), (2, 70), (3, 90), (9, 90)])
def test_the_best_to_expect_is_the_mean_over_all_choices(runs: int, expected: float) -> None:
    assert compute_expected_best((30, 90, 0), runs) == pytest.approx(expected)


@given(st.lists(values, min_size=1, max_size=8))
def test_more_runs_never_lower_the_best_to_expect(scores: list[float]) -> None:
    grown = [compute_expected_best(scores, runs) for runs in range(1, len(scores) + 1)]

    assert grown == pytest.approx(sorted(grown))
    assert grown[0] == pytest.approx(fmean(scores))
    assert grown[-1] == pytest.approx(max(scores))


def test_what_the_best_adds_begins_at_the_means_and_ends_at_the_im_score() -> None:
    made = build_many_results(60)
    found = compute_figures(made)

    assert found.best_of_n.expected[0] == pytest.approx(found.by_means.value)
    assert found.best_of_n.expected[-1] == pytest.approx(found.im_score.value)
    assert found.best_of_n.runs == 5


def test_with_one_run_each_nobody_can_say_what_the_best_adds() -> None:
    found = compute_best_of_n(alone().scenarios)

    assert found.gap.value is None
    assert "No scenario has two scored runs" in found.note


def test_the_smallest_detectable_difference_follows_from_the_errors() -> None:
    # runs of 40 and 60: variance 200, so 100 for a mean of two; 25 scenarios of equal weight: error 2
    made = build_results(*(build_scenario(f"IM-{at}", [40, 60]) for at in range(25)))
    found = compute_figures(made)

    assert pytest.approx(2.8016, abs=1e-3) == DETECTABLE_ERRORS
    assert found.detectable.together == pytest.approx(2.8016 * sqrt(2) * 2, rel=1e-3)
    assert found.detectable.apart == pytest.approx(0)  # all scenarios alike: no spread between them
    assert (found.detectable.scenarios, found.detectable.families, found.detectable.runs) == (25, 25, 50)


def test_four_times_the_families_halve_the_detectable_difference() -> None:
    one, four = (
        compute_figures(alone()).detectable.apart,
        compute_figures(copied(4, as_families=False)).detectable.apart,
    )

    assert one is not None
    assert four == pytest.approx(one / 2, rel=0.1)


def test_calibration_compares_predictions_with_means() -> None:
    made = build_results(
        *(build_scenario(f"low {at}", [0, 20], predicted=15) for at in range(4)),
        *(build_scenario(f"high {at}", [90], predicted=100) for at in range(4)),
        build_scenario("unpredicted", [100]),
        build_scenario("unscored", [None], predicted=0),
    )
    found = measure_calibration(made)

    assert found.scenarios == 8
    assert found.bias.value == pytest.approx((-5 - 10) / 2)
    assert found.absolute_error == pytest.approx(7.5)
    assert [(each.low, each.high, each.scenarios, each.scored) for each in found.bins] == [
        (0, 20, 4, 10),
        (80, 100, 4, 90),
    ]


def test_calibration_of_four_scenarios_is_a_sentence() -> None:
    found = measure_calibration(
        build_results(*(build_scenario(f"IM-{at}", [1], predicted=2) for at in range(4)))
    )

    assert (found.bias.value, found.absolute_error, found.bins) == (None, None, ())
    assert "at least 5 scored scenarios with a prediction; there are 4" in found.note


@pytest.mark.slow
def test_the_figures_of_2500_runs_cost_little_more_than_their_number() -> None:
    def cost(made: Results) -> float:
        began = time.process_time()
        compute_figures(made)
        return time.process_time() - began

    large, small = build_many_results(500), build_many_results(50)
    compute_figures(small)  # what is loaded once is not counted
    assert min(cost(large) for _ in range(3)) < max(60 * min(cost(small) for _ in range(3)), 0.5)
