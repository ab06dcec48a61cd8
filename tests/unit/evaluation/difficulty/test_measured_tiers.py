"""Success rates with intervals, measured tiers, and disagreements that go back for redesign."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.domain.vocabulary import Tier
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.difficulty import (
    SolverResponses,
    build_difficulty_report,
    compute_success_rate,
    find_tier_disagreements,
    measure_tier,
    read_result_file,
)
from impossible_moments.evaluation.difficulty.measured_tiers import compute_scenario_rates
from support.sample_results import build_results, build_scenario


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (1, 1, 0.2065, 1.0)],
)
def test_wilson_intervals(successes: int, trials: int, low: float, high: float) -> None:
    found = compute_success_rate(successes, trials)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


def test_without_trials_nothing_is_known() -> None:
    found = compute_success_rate(0, 0)
    assert (found.share, found.low, found.high) == (None, 0.0, 1.0)


@pytest.mark.parametrize(
    ("successes", "trials", "predicted", "tier"),
    [
        (20, 20, "SPARK", "SPARK"),
        (20, 20, "FRACTURE", "SPARK"),
        (20, 20, "IMPOSSIBLE", "SPARK"),
        (8, 20, "FRACTURE", "FRACTURE"),
        (8, 20, "SPARK", "SPARK"),
        (80, 200, "SPARK", "FRACTURE"),
        (0, 10, "RUPTURE", "RUPTURE"),
        (0, 10, "SPARK", "FRACTURE"),
        (0, 200, "SPARK", "IMPOSSIBLE"),
    ],
)
def test_a_tier_is_measured_as_far_as_the_interval_excludes_the_predicted_one(
    successes: int, trials: int, predicted: Tier, tier: Tier
) -> None:
    assert measure_tier(compute_success_rate(successes, trials), predicted) == tier


def test_few_runs_measure_no_tier() -> None:
    assert measure_tier(compute_success_rate(0, 9), "SPARK") is None


def test_a_difference_of_two_tiers_goes_back_for_redesign() -> None:
    predicted: dict[str, Tier] = {"a": "RUPTURE", "b": "SPARK", "c": "SPARK"}
    rates = {
        "a": compute_success_rate(19, 20),
        "b": compute_success_rate(80, 200),
        "c": compute_success_rate(14, 20),
    }
    found = {each.scenario_id: each for each in find_tier_disagreements(predicted, rates)}

    assert set(found) == {"a", "b"}
    assert found["a"].needs_redesign
    assert not found["b"].needs_redesign
    assert str(found["a"]).startswith("a is predicted RUPTURE and measured SPARK: strong models solve 95%")


def test_runs_of_several_models_are_added() -> None:
    first = (SolverResponses("one", {"a": 0.5}), {"a": 4})
    second = (SolverResponses("two", {"a": 1.0, "b": 0.0}), {"a": 2, "b": 3})
    rates = compute_scenario_rates([first, second])

    assert (rates["a"].successes, rates["a"].trials) == (4.0, 6)
    assert (rates["b"].successes, rates["b"].trials) == (0.0, 3)


def test_a_report_orders_items_and_groups_success() -> None:
    strong = SolverResponses("strong", {"easy": 1.0, "hard": 1.0, "harder": 0.0})
    weak = SolverResponses("weak", {"easy": 1.0, "hard": 0.0, "harder": 0.0})
    groups = {"easy": ("SPARK",), "hard": ("RUPTURE",), "harder": ("RUPTURE",)}
    found = build_difficulty_report([weak, strong], groups)

    assert [each.scenario_id for each in found.items] == ["easy", "hard", "harder"]
    assert found.abilities["strong"][0] > found.abilities["weak"][0]
    rates = {(each.solver, each.group): each.rate.share for each in found.groups}
    assert rates == {
        ("weak", "SPARK"): 1.0, ("weak", "RUPTURE"): 0.0, ("strong", "SPARK"): 1.0, ("strong", "RUPTURE"): 0.5,
    }  # fmt: skip


def test_a_result_file_is_a_solver(tmp_path: Path) -> None:
    results = build_results(build_scenario("IM-0001", [100, 10]), build_scenario("IM-0002", [None]))
    path = tmp_path / "results.json"
    path.write_text(results.model_copy(update={"thinking_asked": "none"}).model_dump_json(), encoding="utf-8")
    responses, read = read_result_file(path)

    assert responses.solver == f"{read.model} (thinking none)"
    assert responses.shares == {"IM-0001": read.scenarios[0].pass_rate}


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="Name a file that `im eval` wrote"):
        read_result_file(path)
