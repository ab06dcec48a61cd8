"""Difficulty profile: six scores from 1 to 5, their median over agents, and the dimensions in dispute."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median_low
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.thresholds import RANGE_TO_DISCUSS
from impossible_moments.domain.vocabulary import DifficultyDimension

# The framework's dimensions T and X: how much of a deadline or a condition is left over.
AMPLE_TIME: Final = 0.4
"""T: a plan that leaves this share of its deadline is under soft pressure only."""
NEAR_MISS: Final = 0.3
"""X: an approach that misses a condition by at most this share is a trap that survives several steps."""
Rating = Annotated[int, Field(ge=1, le=5), ContentLabel.VOTES]


class Profile(LabelledModel):
    """The difficulty profile I.D.C.B.T.X, six scores from 1 to 5."""

    I: Rating  # noqa: E741 - the specification's letter
    D: Rating
    C: Rating
    B: Rating
    T: Rating
    X: Rating

    @property
    def scores(self) -> tuple[int, ...]:
        """Six scores in the order I, D, C, B, T, X."""
        return self.I, self.D, self.C, self.B, self.T, self.X

    def __str__(self) -> str:
        return ".".join(map(str, self.scores))


def score_time_pressure_of_late_approaches(late_approaches: int, failing: int) -> int:
    """Return the temporal pressure T if at least one of the failing approaches fails by time alone.

    The clock is the whole puzzle (5) if it defeats several approaches and at least half of them.
    """
    return 5 if late_approaches > 1 and 2 * late_approaches >= failing else 4


def compute_median_profile(profiles: Iterable[Profile]) -> Profile:
    """Return the median score of each dimension.

    With an even number of profiles the lower median is used, so that the result is a score an agent gave.
    """
    columns = zip(*(profile.scores for profile in profiles), strict=True)
    return Profile(**dict(zip("IDCBTX", map(median_low, columns), strict=True)))


def find_divided_dimensions(profiles: Iterable[Profile]) -> tuple[DifficultyDimension, ...]:
    """Return the dimensions whose highest and lowest scores differ by more than two."""
    columns = zip(*(profile.scores for profile in profiles), strict=True)
    return tuple(
        dimension
        for dimension, column in zip(DifficultyDimension, columns, strict=False)  # no profiles, no columns
        if max(column) - min(column) > RANGE_TO_DISCUSS
    )
