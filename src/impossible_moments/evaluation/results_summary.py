"""The summary that a result file holds: the IM-Score with its interval, and how many runs have a score."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class ResultsSummary(BaseModel):
    """The figures that one looks for first. They are computed from the runs when results are written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    im_score: float | None = None
    """The score over the scenarios whose answers a solver had to find."""
    low: float | None = None
    """The lower end of the 95 % interval of the IM-Score."""
    high: float | None = None
    scenarios: int = 0
    """The number of scenarios of the IM-Score."""
    recognition_score: float | None = None
    """The score over the scenarios whose menus name what the text does not name. It is no part of the IM-Score."""
    recognition_low: float | None = None
    recognition_high: float | None = None
    recognition_scenarios: int = 0
    scored: int = 0
    review: int = 0
    unscored: int = 0
    passed: int = 0
    acts: int = 0
    """Acts of interactive episodes."""
    invalid_acts: int = 0
    wasted_acts: int = 0
    restarts: int = 0
