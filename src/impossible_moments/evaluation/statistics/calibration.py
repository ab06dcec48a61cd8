"""The calibration of GALILEO's predictions against measured scores (specification, appendix D)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from impossible_moments.evaluation.results import Results
from impossible_moments.evaluation.statistics.resampling import (
    MeanEstimate,
    Measurement,
    estimate_mean,
    get_scenario_family,
)

BIN_WIDTH: Final = 20
FEWEST_PAIRS: Final = 5

Pair = tuple[float, float]
"""The predicted score of a scenario and its mean score."""


@dataclass(frozen=True)
class CalibrationBin:
    """The scenarios whose prediction lies in one fifth of the scale."""

    low: int
    high: int
    scenarios: int
    predicted: float
    scored: float


@dataclass(frozen=True)
class Calibration:
    """Predictions compared with mean scores. A positive bias means better than predicted."""

    scenarios: int
    bias: MeanEstimate
    absolute_error: float | None
    bins: tuple[CalibrationBin, ...]
    note: str = ""


def measure_calibration(results: Results) -> Calibration:
    """Compare the predictions with the mean scores.

    Best runs are not used, because a prediction is about a single answer.
    """
    pairs: list[Pair] = []
    errors: list[Measurement] = []
    for each in results.counted_scenarios:
        if each.predicted is not None and each.mean is not None:
            pairs.append((each.predicted, each.mean))
            errors.append(Measurement(get_scenario_family(each), 1, each.mean - each.predicted))
    if len(pairs) < FEWEST_PAIRS:
        note = f"Calibration needs at least {FEWEST_PAIRS} scored scenarios with a prediction; there are {len(pairs)}."
        return Calibration(len(pairs), MeanEstimate(None, note=note), None, (), note)
    bias = estimate_mean(errors)
    return Calibration(
        len(pairs),
        bias,
        fmean(abs(scored - predicted) for predicted, scored in pairs),
        _group_into_bins(pairs),
    )


def _group_into_bins(pairs: Sequence[Pair]) -> tuple[CalibrationBin, ...]:
    """Group the pairs by fifths of the scale. A prediction of 100 belongs to the last fifth."""
    last = 100 // BIN_WIDTH - 1
    found: dict[int, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(max(0, min(int(pair[0] // BIN_WIDTH), last)), []).append(pair)
    return tuple(
        CalibrationBin(
            low=at * BIN_WIDTH,
            high=(at + 1) * BIN_WIDTH,
            scenarios=len(found[at]),
            predicted=fmean(predicted for predicted, _ in found[at]),
            scored=fmean(scored for _, scored in found[at]),
        )
        for at in sorted(found)
    )
