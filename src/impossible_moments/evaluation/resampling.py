"""Weighted means with error bars from resampled families.

Scenarios of one family share an idea. Whole families are drawn again and again, never single scenarios, so that ten
copies of one idea weigh as the one piece of evidence they are.
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
"""With fewer families than this a resampled bar says nothing."""
SEED: Final = 20_260_101
"""Fixed, so that the same results give the same bar."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """A number of one scenario, the weight it has, and the family it belongs to."""

    family: str
    weight: float
    value: float


@dataclass(frozen=True)
class Estimate:
    """A figure with its bar. What could not be computed is None, and `note` says why."""

    value: float | None
    low: float | None = None
    high: float | None = None
    error: float | None = None
    """The standard deviation over the resamples."""
    scenarios: int = 0
    families: int = 0
    note: str = ""


def family_of(scenario: ScenarioResult) -> str:
    """The family of a scenario; one that names none stands alone."""
    return scenario.family or f"alone: {scenario.scenario_id}"


def estimate(measured: Iterable[Measured]) -> Estimate:
    """The weighted mean and its bar."""
    found = list(measured)
    if not found:
        return Estimate(None, note="No scenario with a scored run belongs here.")
    sums, weights = by_family(found)
    value = float(sums.sum() / weights.sum())
    if len(sums) < FEWEST_FAMILIES:
        return Estimate(value, scenarios=len(found), families=len(sums), note=too_few(len(sums)))
    means = resampled(sums, weights)
    low, high = np.quantile(means, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return Estimate(
        value,
        # a mean of equal numbers differs from them by rounding, and the bar must not exclude its own figure
        low=min(float(low), value),
        high=max(float(high), value),
        error=float(means.std(ddof=1)),
        scenarios=len(found),
        families=len(sums),
    )


def by_family(measured: Sequence[Measured]) -> tuple[Floats, Floats]:
    """The weighted sum and the weight of each family, in the order in which families first occur."""
    place = {name: at for at, name in enumerate(dict.fromkeys(each.family for each in measured))}
    sums, weights = np.zeros(len(place)), np.zeros(len(place))
    for each in measured:
        sums[place[each.family]] += each.weight * each.value
        weights[place[each.family]] += each.weight
    return sums, weights


def resampled(sums: Floats, weights: Floats) -> Floats:
    """The weighted mean of each resample."""
    times = _times_drawn(len(sums))
    means: Floats = (times @ sums) / (times @ weights)
    return means


def too_few(families: int) -> str:
    """The sentence that stands where a bar would."""
    return f"An error bar needs scored scenarios of at least {FEWEST_FAMILIES} families; there {'is' if families == 1 else 'are'} {families}."


@lru_cache(maxsize=8)
def _times_drawn(families: int) -> Floats:
    """How often each resample drew each family; every figure over so many families uses the same draws."""
    drawn = np.random.default_rng((SEED, families)).integers(0, families, size=(RESAMPLES, families))
    places = drawn + np.arange(RESAMPLES)[:, None] * families
    times = np.bincount(places.ravel(), minlength=RESAMPLES * families)
    return times.reshape(RESAMPLES, families).astype(np.float64)
