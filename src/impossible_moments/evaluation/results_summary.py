"""The summary that a result file holds: the IM-Score with its interval, and how many runs have a score."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class ResultsSummary(BaseModel):
    """The figures that one looks for first. They are computed from the runs when results are written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    im_score: float | None = None
    low: float | None = None
    """The lower end of the 95 % interval of the IM-Score."""
    high: float | None = None
    scored: int = 0
    review: int = 0
    unscored: int = 0
    passed: int = 0
