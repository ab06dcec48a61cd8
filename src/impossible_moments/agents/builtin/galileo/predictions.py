"""Predicted performance: the share of solvers who find every insight of the chain, by kind of system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from impossible_moments.domain.grounding import PredictedPerformance

# fmt: off
LIFT: Final = {
    # by how much of the way to certainty each kind of system moves the share for one insight
    "direct_answer":      0.00,
    "chain_of_thought":   0.15,
    "extended_reasoning": 0.35,
    "agentic":            0.45,
}
# fmt: on
PARTIAL: Final = 0.25
"""Of the part that is not solved, how much is earned by physical claims and insights that are right all the same."""


@dataclass(frozen=True, slots=True)
class Chain:
    """The insights of a scenario with the share of solvers expected to find each."""

    shares: tuple[float, ...]

    @property
    def length(self) -> int:
        """N."""
        return len(self.shares)

    @property
    def each(self) -> float:
        """p: the geometric mean of the shares."""
        return prod(self.shares) ** (1 / self.length) if self.shares else 1.0

    def found(self, lift: float = 0.0) -> float:
        """The share that finds all of them: the product, each moved towards certainty by the lift."""
        return prod(share + (1 - share) * lift for share in self.shares)


def predicted(chain: Chain) -> PredictedPerformance:
    """Expected scores: 100 * (P + 0.25 * (1 - P)) with P the share that finds the whole chain."""
    scores = {kind: round(100 * _score(chain.found(lift))) for kind, lift in LIFT.items()}
    return PredictedPerformance(**scores)


def _score(share: float) -> float:
    return share + PARTIAL * (1 - share)


def chain_of(shares: Sequence[float]) -> Chain:
    """The chain of some insights."""
    return Chain(tuple(shares))
