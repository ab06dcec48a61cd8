"""The summary of results: the IM-Score with its interval, and how many runs have a score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from impossible_moments.evaluation.results import Results, RunState, ScenarioResult
from impossible_moments.evaluation.results_summary import ResultsSummary
from impossible_moments.evaluation.statistics.resampling import MeanEstimate, estimate_mean
from impossible_moments.evaluation.statistics.summary_figures import (
    collect_weighted_scenario_values,
    get_best_score,
)


def summarize_results(results: Results) -> ResultsSummary:
    """Compute the summary of results from their runs."""
    runs = [run for each in results.scenarios for run in each.runs]
    states = Counter(run.state for run in runs)
    estimate = _estimate_im_score(results.counted_scenarios)
    recognition = _estimate_im_score(results.recognition_scenarios)
    episodes = [run.episode for run in runs if run.episode is not None]
    return ResultsSummary(
        im_score=results.im_score,
        low=estimate.low,
        high=estimate.high,
        scenarios=len(results.counted_scenarios),
        recognition_score=results.recognition_score,
        recognition_low=recognition.low,
        recognition_high=recognition.high,
        recognition_scenarios=len(results.recognition_scenarios),
        scored=states[RunState.SCORED],
        review=states[RunState.REVIEW],
        unscored=states[RunState.UNSCORED],
        passed=sum(run.passed for run in runs if run.state is RunState.SCORED),
        acts=sum(each.acts for each in episodes),
        invalid_acts=sum(each.invalid_acts for each in episodes),
        wasted_acts=sum(each.wasted_acts for each in episodes),
        restarts=sum(each.restarts for each in episodes),
    )


def _estimate_im_score(scenarios: Sequence[ScenarioResult]) -> MeanEstimate:
    return estimate_mean(collect_weighted_scenario_values(scenarios, get_best_score, weighted=True))
