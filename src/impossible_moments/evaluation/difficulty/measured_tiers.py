"""Tiers that results show, and disagreements with the tiers that profiles predict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.difficulty_tiers import find_expected_share_range
from impossible_moments.domain.vocabulary import TIERS, Tier
from impossible_moments.evaluation.difficulty.solver_responses import SolverResponses
from impossible_moments.evaluation.difficulty.success_intervals import SuccessRate, compute_success_rate

FEWEST_RUNS: Final = 10
"""A scenario with fewer scored runs of strong models keeps its predicted tier."""
REDESIGN_DISTANCE: Final = 2
"""So many tiers between prediction and measurement send a scenario back for redesign."""


@dataclass(frozen=True, slots=True)
class TierDisagreement:
    """A scenario whose measured tier is far from the predicted one."""

    scenario_id: str
    predicted: Tier
    measured: Tier
    rate: SuccessRate

    @property
    def needs_redesign(self) -> bool:
        """Whether the tiers are so far apart that the scenario goes back for redesign."""
        return abs(TIERS.index(self.predicted) - TIERS.index(self.measured)) >= REDESIGN_DISTANCE

    def __str__(self) -> str:
        share = 0.0 if self.rate.share is None else self.rate.share
        return (
            f"{self.scenario_id} is predicted {self.predicted} and measured {self.measured}: strong models solve {share:.0%} "
            f"({self.rate.low:.0%} to {self.rate.high:.0%}) of {self.rate.trials} runs."
        )


def measure_tier(rate: SuccessRate, predicted: Tier) -> Tier | None:
    """Return the tier that a success rate shows: the predicted one if its interval allows it, else the nearest that it allows.

    Each end of the interval stands for the tier whose expected share of strong models is nearest, the harder on a tie.
    Return None if there are too few runs.
    """
    if rate.share is None or rate.trials < FEWEST_RUNS:
        return None
    easiest, hardest = (TIERS.index(_find_nearest_tier(100 * share)) for share in (rate.high, rate.low))
    return TIERS[min(max(TIERS.index(predicted), easiest), hardest)]


def _find_nearest_tier(percent: float) -> Tier:
    return min(reversed(TIERS), key=lambda tier: _measure_distance(percent, tier))


def _measure_distance(percent: float, tier: Tier) -> float:
    low, high = find_expected_share_range(tier)
    return max(low - percent, 0.0, percent - high)


def compute_scenario_rates(
    responses: Sequence[tuple[SolverResponses, Mapping[str, int]]],
) -> dict[str, SuccessRate]:
    """Return the success rate of each scenario over all models, given with the number of scored runs by scenario."""
    names = dict.fromkeys(name for each, _ in responses for name in each.shares)
    rates = {}
    for name in names:
        runs = [(each.shares[name], counts[name]) for each, counts in responses if name in each.shares]
        rates[name] = compute_success_rate(
            sum(share * number for share, number in runs), sum(number for _, number in runs)
        )
    return rates


def find_tier_disagreements(
    predicted: Mapping[str, Tier], rates: Mapping[str, SuccessRate]
) -> tuple[TierDisagreement, ...]:
    """Return the scenarios whose measured tier differs from the predicted one."""
    found = []
    for name, rate in rates.items():
        measured = measure_tier(rate, predicted[name]) if name in predicted else None
        if measured is not None and measured != predicted[name]:
            found.append(TierDisagreement(name, predicted[name], measured, rate))
    return tuple(found)
