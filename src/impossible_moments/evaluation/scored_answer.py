"""The score of one answer with its components, and how it was determined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.scoring_rubrics import COMPONENTS, STEADY_BONUS
from impossible_moments.evaluation.results import RunState, ScoreComponents

WEIGHTS: Final[tuple[float, ...]] = tuple(component.weight for component in COMPONENTS)


@dataclass(frozen=True)
class ScoredAnswer:
    """The components of an answer and how they were determined."""

    state: RunState
    components: ScoreComponents | None = None
    note: str = ""
    calls: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def score(self) -> float | None:
        """The weighted sum, or None if the answer was not scored, or only partly."""
        if self.components is None or self.state is not RunState.SCORED:
            return None
        parts = self.components
        values = (parts.outcome, parts.physical, parts.insight, parts.distractors, parts.efficiency)
        weighted_sum = sum(weight * value for weight, value in zip(WEIGHTS, values, strict=True))
        return min(100.0, weighted_sum + (STEADY_BONUS if "steady" in self.flags else 0.0))
