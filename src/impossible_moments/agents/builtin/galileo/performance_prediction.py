"""Predicted performance: the share of solvers that find every insight, by kind of system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from impossible_moments.domain.grounding import PredictedPerformance

# fmt: off
GAINS: Final = {
    # how far each kind of system moves the share for one insight towards 1
    "direct_answer":      0.00,
    "chain_of_thought":   0.15,
    "extended_reasoning": 0.35,
    "agentic":            0.45,
}
# fmt: on
PARTIAL: Final = 0.25
"""The part of the score that unsolved scenarios earn by correct physical claims and insights."""


@dataclass(frozen=True, slots=True)
class InsightChain:
    """The insights of a scenario, each as the share of solvers expected to find it."""

    shares: tuple[float, ...]

    @property
    def length(self) -> int:
        """The number of insights, N."""
        return len(self.shares)

    @property
    def mean_share(self) -> float:
        """The geometric mean of the shares, p."""
        return prod(self.shares) ** (1 / self.length) if self.shares else 1.0

    def compute_share_finding_all(self, gain: float = 0.0) -> float:
        """Return the share that finds all insights: the product of shares, each moved towards 1 by `gain`."""
        return prod(share + (1 - share) * gain for share in self.shares)


def predict_performance(chain: InsightChain) -> PredictedPerformance:
    """Predict scores as 100 * (P + 0.25 * (1 - P)), where P is the share that finds the whole chain."""
    scores = {
        kind: round(100 * _compute_expected_score(chain.compute_share_finding_all(lift)))
        for kind, lift in GAINS.items()
    }
    return PredictedPerformance(**scores)


def _compute_expected_score(share: float) -> float:
    return share + PARTIAL * (1 - share)


def build_insight_chain(shares: Sequence[float]) -> InsightChain:
    """Build the chain of insights from their shares."""
    return InsightChain(tuple(shares))
