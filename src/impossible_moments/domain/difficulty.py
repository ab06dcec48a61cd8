"""Difficulty: six scores from 1 to 5, and the tier that follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median_low
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.domain.labels import Content, Labelled
from impossible_moments.domain.vocabulary import Dimension

RANGE_TO_DISCUSS: Final = 2
Rating = Annotated[int, Field(ge=1, le=5), Content.VOTES]


class Profile(Labelled):
    """I.D.C.B.T.X."""

    I: Rating  # noqa: E741 - the specification's letter
    D: Rating
    C: Rating
    B: Rating
    T: Rating
    X: Rating

    @property
    def scores(self) -> tuple[int, ...]:
        """The six scores in order."""
        return self.I, self.D, self.C, self.B, self.T, self.X

    def __str__(self) -> str:
        return ".".join(map(str, self.scores))


def median_profile(profiles: Iterable[Profile]) -> Profile:
    """The median of each dimension; of an even number the lower, so that it is a score somebody gave."""
    columns = zip(*(profile.scores for profile in profiles), strict=True)
    return Profile(**dict(zip("IDCBTX", map(median_low, columns), strict=True)))


def divided(profiles: Iterable[Profile]) -> tuple[Dimension, ...]:
    """The dimensions on which opinions lie more than two apart."""
    columns = zip(*(profile.scores for profile in profiles), strict=True)
    return tuple(
        dimension
        for dimension, column in zip(Dimension, columns, strict=False)  # of nobody there are no columns
        if max(column) - min(column) > RANGE_TO_DISCUSS
    )
