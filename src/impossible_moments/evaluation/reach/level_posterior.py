"""The level at which half of the items are solved, as a posterior on a grid of levels and slopes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LOWEST_LEVEL: Final = -2.0
HIGHEST_LEVEL: Final = 13.0
"""The grid reaches beyond the levels of items on both sides, so that a very weak or strong solver can be placed there."""
LEVEL_STEP: Final = 0.1
SLOPES: Final = (0.5, 0.8, 1.2, 1.8, 2.7)
"""How fast success falls with the level, in logits a level."""
GUESS: Final = 0.02
"""The share of items that is solved by chance. Random answers from menus pass with about 2 %."""
LAPSE: Final = 0.02
"""The share of easy items that is missed by carelessness."""
COVERAGE: Final = 0.95


@dataclass(frozen=True, slots=True)
class LevelEstimate:
    """The median of the posterior and its interval, and the expected slope."""

    level: float
    low: float
    high: float
    slope: float


class LevelPosterior:
    """A posterior over level and slope, with equal prior weight on each pair. It is never changed in place."""

    def __init__(self, weights: Floats | None = None) -> None:
        self.levels: Floats = np.arange(LOWEST_LEVEL, HIGHEST_LEVEL + LEVEL_STEP / 2, LEVEL_STEP)
        self.slopes: Floats = np.asarray(SLOPES)
        shape = (len(self.levels), len(self.slopes))
        self.weights: Floats = np.full(shape, 1.0 / (shape[0] * shape[1])) if weights is None else weights

    def predict_success(self, level: float) -> Floats:
        """Return the probability that an item of a level is solved, for each pair of the grid."""
        logits = self.slopes[None, :] * (self.levels[:, None] - level)
        return GUESS + (1.0 - GUESS - LAPSE) / (1.0 + np.exp(-logits))

    def add_outcome(self, level: float, *, passed: bool) -> LevelPosterior:
        """Return the posterior after an item of a level was solved or not."""
        success = self.predict_success(level)
        weights = self.weights * (success if passed else 1.0 - success)
        return LevelPosterior(weights / weights.sum())

    def add_outcomes(self, outcomes: Iterable[tuple[float, bool]]) -> LevelPosterior:
        """Return the posterior after several items, each given as its level and whether it was solved."""
        found = self
        for level, passed in outcomes:
            found = found.add_outcome(level, passed=passed)
        return found

    def choose_level(self, levels: Sequence[int]) -> int:
        """Return the level whose outcome is expected to leave the smallest variance of the level, the lower on a tie."""
        return min(levels, key=lambda level: (round(self._compute_expected_variance(level), 9), level))

    def _compute_expected_variance(self, level: float) -> float:
        success = self.predict_success(level)
        expected = 0.0
        for likelihood in (success, 1.0 - success):
            joint = (self.weights * likelihood).sum(axis=1)
            chance = float(joint.sum())
            if chance > 0.0:
                marginal = joint / chance
                mean = float(marginal @ self.levels)
                expected += chance * float(marginal @ (self.levels - mean) ** 2)
        return expected

    def estimate(self, coverage: float = COVERAGE) -> LevelEstimate:
        """Return the median level with its equal-tailed interval, and the mean slope."""
        cumulated = np.cumsum(self.weights.sum(axis=1))
        tail = (1.0 - coverage) / 2
        low, middle, high = (
            float(self.levels[int(np.searchsorted(cumulated, share))]) for share in (tail, 0.5, 1.0 - tail)
        )
        slope = float(self.weights.sum(axis=0) @ self.slopes)
        return LevelEstimate(round(middle, 1), round(low, 1), round(high, 1), round(slope, 2))
