"""Results: what answers that wait for review may still do to the score."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.reports.report_card import build_report_card
from impossible_moments.evaluation.results import EvaluationRun, RunState
from support.sample_results import build_results, build_run, build_scenario

WAITING = EvaluationRun(number=2, state=RunState.REVIEW, note="an unknown verb")


def test_without_reviews_there_are_no_bounds() -> None:
    assert build_results(build_scenario("IM-0001", [50]), build_scenario("IM-0002", [None])).im_bounds is None


def test_the_bounds_are_what_the_score_becomes_if_all_fail_or_all_pass() -> None:
    found = build_results(build_scenario("IM-0001", [60]), build_scenario("IM-0002", (), runs=(WAITING,)))
    assert found.im_score == 60
    assert found.im_bounds == (30, 100 * 0.5 + 60 * 0.5)


def test_a_review_beside_a_better_run_can_only_raise_a_scenario() -> None:
    found = build_results(build_scenario("IM-0001", (), runs=(build_run(80), WAITING)))
    assert found.im_bounds == (80, 100)


def test_tiers_weigh_in_the_bounds_too() -> None:
    easy = build_scenario("IM-0001", [100])
    hard = build_scenario("IM-0002", (), tier="IMPOSSIBLE", runs=(WAITING,))
    assert build_results(easy, hard).im_bounds == pytest.approx((100 / 17, 100))


def test_the_card_says_between_what_the_score_lies() -> None:
    found = build_results(build_scenario("IM-0001", [60]), build_scenario("IM-0002", (), runs=(WAITING,)))
    told = (
        "IM-Score after the pending reviews (1)",
        "between 30.0 (all fail) and 80.0 (all pass)",
    )
    assert told in build_report_card(found).sections[0].tables[0].rows
