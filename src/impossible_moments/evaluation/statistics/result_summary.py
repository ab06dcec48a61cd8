"""The summary of results: the IM-Score with its interval, and how many runs have a score."""

from __future__ import annotations

from collections import Counter

from impossible_moments.evaluation.results import Results, RunState
from impossible_moments.evaluation.results_summary import ResultsSummary
from impossible_moments.evaluation.statistics.resampling import estimate_mean
from impossible_moments.evaluation.statistics.summary_figures import (
    collect_weighted_scenario_values,
    get_best_score,
)


def summarize_results(results: Results) -> ResultsSummary:
    """Compute the summary of results from their runs."""
    runs = [run for each in results.scenarios for run in each.runs]
    states = Counter(run.state for run in runs)
    estimate = estimate_mean(
        collect_weighted_scenario_values(results.scenarios, get_best_score, weighted=True)
    )
    return ResultsSummary(
        im_score=results.im_score,
        low=estimate.low,
        high=estimate.high,
        scored=states[RunState.SCORED],
        review=states[RunState.REVIEW],
        unscored=states[RunState.UNSCORED],
        passed=sum(run.passed for run in runs if run.state is RunState.SCORED),
    )
