"""Weighted means with error bars from resampled families.

Scenarios of one family share an idea. Whole families are resampled, never single scenarios, so that ten
copies of one idea count as one piece of evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impossible_moments.evaluation.results import ScenarioResult

RESAMPLES: Final = 2_000
LEVEL: Final = 0.95
FEWEST_FAMILIES: Final = 5
"""The number of families below which a resampled error bar is meaningless."""
SEED: Final = 20_260_101
"""Fixed, so that the same results give the same error bar."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measurement:
    """The value of one scenario with its weight and family."""

    family: str
    weight: float
    value: float


@dataclass(frozen=True)
class MeanEstimate:
    """A mean with its error bar. Values that cannot be computed are None, and `note` gives the reason."""

    value: float | None
    low: float | None = None
    high: float | None = None
    error: float | None = None
    """The standard deviation over the resamples."""
    scenarios: int = 0
    families: int = 0
    note: str = ""


def get_scenario_family(scenario: ScenarioResult) -> str:
    """Return the family of a scenario. A scenario without one forms a family of its own."""
    return scenario.family or f"alone: {scenario.scenario_id}"


def estimate_mean(measurements: Iterable[Measurement]) -> MeanEstimate:
    """Return the weighted mean with its error bar."""
    found = list(measurements)
    if not found:
        return MeanEstimate(None, note="There is no scenario with a scored run.")
    sums, weights = sum_by_family(found)
    value = float(sums.sum() / weights.sum())
    if len(sums) < FEWEST_FAMILIES:
        return MeanEstimate(
            value, scenarios=len(found), families=len(sums), note=format_too_few_families(len(sums))
        )
    means = compute_resampled_means(sums, weights)
    low, high = np.quantile(means, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return MeanEstimate(
        value,
        # rounding must not leave the value outside its own error bar
        low=min(float(low), value),
        high=max(float(high), value),
        error=float(means.std(ddof=1)),
        scenarios=len(found),
        families=len(sums),
    )


def sum_by_family(measurements: Sequence[Measurement]) -> tuple[Floats, Floats]:
    """Return the weighted sum and the weight of each family, in order of first occurrence."""
    place = {name: at for at, name in enumerate(dict.fromkeys(each.family for each in measurements))}
    sums, weights = np.zeros(len(place)), np.zeros(len(place))
    for each in measurements:
        sums[place[each.family]] += each.weight * each.value
        weights[place[each.family]] += each.weight
    return sums, weights


def compute_resampled_means(sums: Floats, weights: Floats) -> Floats:
    """Return the weighted mean of each resample."""
    times = _draw_family_counts(len(sums))
    means: Floats = (times @ sums) / (times @ weights)
    return means


def format_too_few_families(families: int) -> str:
    """Return the note that replaces an error bar if there are too few families."""
    return f"An error bar needs scored scenarios of at least {FEWEST_FAMILIES} families; there {'is' if families == 1 else 'are'} {families}."


@lru_cache(maxsize=8)
def _draw_family_counts(families: int) -> Floats:
    """Return how often each resample drew each family. The draws depend only on the number of families."""
    drawn = np.random.default_rng((SEED, families)).integers(0, families, size=(RESAMPLES, families))
    places = drawn + np.arange(RESAMPLES)[:, None] * families
    times = np.bincount(places.ravel(), minlength=RESAMPLES * families)
    return times.reshape(RESAMPLES, families).astype(np.float64)
