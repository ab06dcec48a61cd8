"""The figures of one evaluation, each with its error bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from statistics import NormalDist, variance
from typing import Final

from impossible_moments.domain.difficulty_tiers import TIER_WEIGHTS
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS
from impossible_moments.evaluation.results import Results, ScenarioResult
from impossible_moments.evaluation.statistics.calibration import Calibration, measure_calibration
from impossible_moments.evaluation.statistics.resampling import (
    MeanEstimate,
    Measurement,
    estimate_mean,
    get_scenario_family,
)

POWER: Final = 0.80
SIGNIFICANCE: Final = 0.05
DETECTABLE_ERRORS: Final = NormalDist().inv_cdf(1 - SIGNIFICANCE / 2) + NormalDist().inv_cdf(POWER)
"""The number of standard errors that a true difference needs to be detected (about 2.8)."""
FEWEST_RUNS: Final = 2

Measure = Callable[[ScenarioResult], float | None]


@dataclass(frozen=True)
class GroupFigures:
    """The figures of one tier, status or category: plain means over its scenarios."""

    name: str
    scenarios: int
    runs: int
    unscored: int
    best: MeanEstimate
    mean: MeanEstimate
    pass_rate: MeanEstimate


@dataclass(frozen=True)
class BestOfN:
    """How much taking the best of several runs adds to the IM-Score."""

    runs: int
    """The largest number of scored runs of any scenario."""
    gap: MeanEstimate
    """The IM-Score by best runs minus the IM-Score by means."""
    expected: tuple[float, ...]
    """The expected IM-Score with 1, 2, ... runs of each scenario, over all choices of the runs."""
    note: str = ""


@dataclass(frozen=True)
class DetectableDifference:
    """The smallest true difference in IM-Score that is detected with 80 % power at 5 %, two-sided."""

    apart: float | None
    """Against a model with unrelated scores of the same spread, such as one run on other scenarios."""
    together: float | None
    """On the same scenarios, by means, if only chance between runs differs: a lower bound."""
    scenarios: int
    families: int
    runs: int
    note: str = ""


@dataclass(frozen=True)
class EvaluationFigures:
    """All figures of an evaluation."""

    im_score: MeanEstimate
    by_means: MeanEstimate
    pass_rate: MeanEstimate
    tiers: tuple[GroupFigures, ...]
    statuses: tuple[GroupFigures, ...]
    categories: tuple[GroupFigures, ...]
    best_of_n: BestOfN
    detectable: DetectableDifference
    calibration: Calibration


def compute_figures(results: Results) -> EvaluationFigures:
    """Compute all figures that a report contains."""
    # answers that show recognition are no part of the figures
    scenarios = results.counted_scenarios
    im_score = estimate_mean(collect_weighted_scenario_values(scenarios, get_best_score, weighted=True))
    return EvaluationFigures(
        im_score=im_score,
        by_means=estimate_mean(collect_weighted_scenario_values(scenarios, get_mean_score, weighted=True)),
        pass_rate=estimate_mean(collect_weighted_scenario_values(scenarios, get_pass_rate)),
        tiers=_compute_figures_by_group(scenarios, lambda each: each.tier, TIERS),
        statuses=_compute_figures_by_group(scenarios, lambda each: each.status, list_statuses(scenarios)),
        categories=_compute_figures_by_group(scenarios, lambda each: each.category, CATEGORIES),
        best_of_n=compute_best_of_n(scenarios),
        detectable=compute_detectable_difference(scenarios, im_score),
        calibration=measure_calibration(results),
    )


def get_best_score(scenario: ScenarioResult) -> float | None:
    """Return the scenario score."""
    return scenario.best


def get_mean_score(scenario: ScenarioResult) -> float | None:
    """Return the mean score of the scored runs."""
    return scenario.mean


def get_pass_rate(scenario: ScenarioResult) -> float | None:
    """Return the share of scored runs that passed."""
    return scenario.pass_rate


def collect_weighted_scenario_values(
    scenarios: Iterable[ScenarioResult], measure: Measure, *, weighted: bool = False
) -> list[Measurement]:
    """Return the value of a measure for each scenario that has it, with tier weights or equal ones."""
    return [
        Measurement(get_scenario_family(each), TIER_WEIGHTS[each.tier] if weighted else 1, value)
        for each in scenarios
        if (value := measure(each)) is not None
    ]


def list_statuses(scenarios: Iterable[ScenarioResult]) -> tuple[str, ...]:
    """Return the statuses that occur, in the order of the specification, each before its subtypes."""
    places: dict[str, int] = {status: at for at, status in enumerate(STATUSES)}
    return tuple(
        sorted(
            {each.status for each in scenarios},
            key=lambda status: (places.get(status.partition("-")[0], len(places)), status),
        )
    )


def _compute_figures_by_group(
    scenarios: Sequence[ScenarioResult], name_of: Callable[[ScenarioResult], str], names: Iterable[str]
) -> tuple[GroupFigures, ...]:
    return tuple(
        _compute_figures_of_group(name, [each for each in scenarios if name_of(each) == name])
        for name in names
    )


def _compute_figures_of_group(name: str, scenarios: Sequence[ScenarioResult]) -> GroupFigures:
    return GroupFigures(
        name=name,
        scenarios=len(scenarios),
        runs=sum(len(each.runs) for each in scenarios),
        unscored=sum(run.score is None for each in scenarios for run in each.runs),
        best=estimate_mean(collect_weighted_scenario_values(scenarios, get_best_score)),
        mean=estimate_mean(collect_weighted_scenario_values(scenarios, get_mean_score)),
        pass_rate=estimate_mean(collect_weighted_scenario_values(scenarios, get_pass_rate)),
    )


def compute_best_of_n(scenarios: Sequence[ScenarioResult]) -> BestOfN:
    """Compute the gap between best and mean, and how it grows with the number of runs."""
    scored_scenarios = [each for each in scenarios if each.scores]
    most_runs = max((len(each.scores) for each in scored_scenarios), default=0)
    if most_runs < FEWEST_RUNS:
        note = (
            "No scenario has two scored runs, so the effect of taking the best of several cannot be measured."
        )
        return BestOfN(most_runs, MeanEstimate(None, note=note), (), note)
    gap = estimate_mean(
        collect_weighted_scenario_values(
            scored_scenarios,
            lambda each: (
                compute_expected_best(each.scores, most_runs) - compute_expected_best(each.scores, 1)
            ),
            weighted=True,
        )
    )
    weights = [TIER_WEIGHTS[each.tier] for each in scored_scenarios]
    expected = tuple(
        sum(
            weight * compute_expected_best(each.scores, runs)
            for weight, each in zip(weights, scored_scenarios, strict=True)
        )
        / sum(weights)
        for runs in range(1, most_runs + 1)
    )
    return BestOfN(most_runs, gap, expected)


def compute_expected_best(scores: Sequence[float], runs: int) -> float:
    """Return the mean of the highest score over all choices of `runs` scores.

    If there are fewer scores, all of them are chosen.
    """
    among = min(runs, len(scores))
    choices = comb(len(scores), among)
    return sum(comb(at, among - 1) * score for at, score in enumerate(sorted(scores))) / choices


def compute_detectable_difference(
    scenarios: Sequence[ScenarioResult], im_score: MeanEstimate
) -> DetectableDifference:
    """Compute the smallest differences that an evaluation of this size can detect."""
    scored_scenarios = [each for each in scenarios if each.scores]
    noise = _estimate_run_noise(scored_scenarios)
    notes = [im_score.note] if im_score.error is None else []
    if noise is None:
        notes.append(
            "The variation between runs cannot be measured: it needs two scored runs of every scored scenario."
        )
    return DetectableDifference(
        apart=None if im_score.error is None else DETECTABLE_ERRORS * sqrt(2) * im_score.error,
        together=None if noise is None else DETECTABLE_ERRORS * sqrt(2) * noise,
        scenarios=len(scored_scenarios),
        families=len({get_scenario_family(each) for each in scored_scenarios}),
        runs=sum(len(each.scores) for each in scored_scenarios),
        note=" ".join(notes),
    )


def _estimate_run_noise(scored_scenarios: Sequence[ScenarioResult]) -> float | None:
    """Return the standard error of the IM-Score by means due to chance between runs, or None."""
    if not scored_scenarios or any(len(each.scores) < FEWEST_RUNS for each in scored_scenarios):
        return None
    weights = [TIER_WEIGHTS[each.tier] for each in scored_scenarios]
    spread = sum(
        weight**2 * variance(each.scores) / len(each.scores)
        for weight, each in zip(weights, scored_scenarios, strict=True)
    )
    return sqrt(spread) / sum(weights)
