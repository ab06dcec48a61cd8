"""Difficulty profile: six scores from 1 to 5, their median over agents, and the dimensions in dispute."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median_low
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.vocabulary import DifficultyDimension

RANGE_TO_DISCUSS: Final = 2
Rating = Annotated[int, Field(ge=1, le=5), ContentLabel.VOTES]


class Profile(LabelledModel):
    """I.D.C.B.T.X."""

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
