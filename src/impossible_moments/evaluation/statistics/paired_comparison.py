"""The paired comparison of two evaluations: difference, error bar and significance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np

from impossible_moments.domain.difficulty_tiers import TIER_WEIGHTS
from impossible_moments.evaluation.results import Results, ScenarioResult
from impossible_moments.evaluation.statistics.resampling import (
    FEWEST_FAMILIES,
    SEED,
    Floats,
    MeanEstimate,
    Measurement,
    compute_resampled_means,
    estimate_mean,
    get_scenario_family,
    sum_by_family,
)
from impossible_moments.evaluation.statistics.summary_figures import (
    DETECTABLE_ERRORS,
    Measure,
    get_best_score,
)

EXACT_UP_TO: Final = 13
"""The largest number of differing families for which all sign patterns are tried (8,192 of them)."""
PATTERNS: Final = 10_000
"""The number of sign patterns that are drawn if there are more families."""
_MATCHED_FIELDS: Final = ("category", "tier", "status")


@dataclass(frozen=True)
class PairedComparison:
    """The first evaluation minus the second, with tier weights. Values that cannot be computed are None."""

    difference: MeanEstimate
    share_above: float | None = None
    """The share of resamples in which the first is ahead."""
    p: float | None = None
    """The probability of a difference at least as large if both are exchangeable within each family."""
    exact: bool = False
    """Whether all sign patterns were tried."""
    detectable: float | None = None
    """The smallest true difference that these scenarios would show (80 % power, 5 % two-sided)."""


def compare_evaluations(
    first: Results, second: Results, measure: Measure = get_best_score
) -> PairedComparison:
    """Compare two evaluations over the scenarios that both have scored."""
    found = [
        Measurement(get_scenario_family(one), TIER_WEIGHTS[one.tier], first_value - second_value)
        for one, other in find_shared_scenarios((first, second))
        if (first_value := measure(one)) is not None and (second_value := measure(other)) is not None
    ]
    if not found:
        return PairedComparison(
            MeanEstimate(None, note="The two evaluations share no scenario that both have scored.")
        )
    difference = estimate_mean(found)
    if difference.error is None:
        found_families = "there is 1" if difference.families == 1 else f"there are {difference.families}"
        note = (
            f"A comparison needs common scenarios of at least {FEWEST_FAMILIES} families; {found_families}."
        )
        return PairedComparison(replace(difference, note=note))
    sums, weights = sum_by_family(found)
    p, exact = _compute_p_value(sums)
    return PairedComparison(
        difference,
        share_above=float((compute_resampled_means(sums, weights) > 0).mean()),
        p=p,
        exact=exact,
        detectable=DETECTABLE_ERRORS * difference.error,
    )


def find_shared_scenarios(results: Sequence[Results]) -> list[tuple[ScenarioResult, ...]]:
    """Return the scenarios that all evaluations have scored, each as a tuple with one result per evaluation.

    A scenario whose category, tier or status differs between files was changed and does not count as shared. Neither does
    one for which an evaluation measured recognition.
    """
    rows = [
        tuple(each.per_scenario[one.scenario_id] for each in results if one.scenario_id in each.per_scenario)
        for one in (results[0].counted_scenarios if results else ())
    ]
    return [
        row
        for row in rows
        if len(row) == len(results)
        and not any(side.is_recognition for side in row)
        and all(side.scores and _is_same_scenario(row[0], side) for side in row)
    ]


def _is_same_scenario(first: ScenarioResult, second: ScenarioResult) -> bool:
    return all(getattr(first, field) == getattr(second, field) for field in _MATCHED_FIELDS)


def apply_holm_correction(chances: Sequence[float | None]) -> tuple[float | None, ...]:
    """Return the p values adjusted for multiple comparisons by Holm's method. None stays None."""
    order = sorted((p, at) for at, p in enumerate(chances) if p is not None)
    corrected: list[float | None] = [None] * len(chances)
    largest = 0.0
    for rank, (p, at) in enumerate(order):
        largest = max(largest, min(1.0, p * (len(order) - rank)))
        corrected[at] = largest
    return tuple(corrected)


def _compute_p_value(sums: Floats) -> tuple[float, bool]:
    """Return the p value of the family sums under random signs, and whether it is exact."""
    differing = sums[sums != 0]
    if len(differing) == 0:
        return 1.0, True
    # the observed pattern must be counted in spite of rounding
    observed = abs(differing.sum()) - 1e-9 * abs(differing).sum()
    if len(differing) <= EXACT_UP_TO:
        signs = np.array(list(product((-1.0, 1.0), repeat=len(differing))))
        return float((abs(signs @ differing) >= observed).mean()), True
    drawn = np.random.default_rng((SEED, len(differing))).integers(0, 2, size=(PATTERNS, len(differing)))
    as_large = int((abs((2.0 * drawn - 1.0) @ differing) >= observed).sum())
    return (as_large + 1) / (PATTERNS + 1), False
