"""The results of IM-Reach: every item, and the reached level for each thinking budget."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Final

from pydantic import BaseModel, ConfigDict

from impossible_moments.evaluation.reach.level_posterior import LevelPosterior

VERSION: Final = "1.0"


class _FrozenModel(BaseModel):
    """Base class of the result models: frozen, unknown fields forbidden."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ReachItemResult(_FrozenModel):
    """One item of an adaptive test: what was drawn, what was answered, and whether it was solved."""

    number: int
    item_id: str
    level: int
    seed: int
    title: str
    passed: bool | None
    """None if the answer has no score, for example because the provider failed. The estimate leaves such items out."""
    score: float | None = None
    note: str = ""
    answer: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int | None = None
    cost: str | None = None


class ReachPoint(_FrozenModel):
    """The reached level at one thinking budget."""

    thinking_asked: str = ""
    """`none`, a number of tokens or `free`. Empty if nothing was asked."""
    thinking_sent: tuple[str, ...] = ()
    level: float | None
    """The level at which half of the items are solved. None if no item was scored."""
    low: float | None
    high: float | None
    """The interval that holds the level with 95 %."""
    slope: float | None
    tokens: float | None
    """The mean number of tokens that were billed for writing an answer, thinking included. None for a program."""
    thinking_tokens: float | None
    """The mean number of them that the provider reports as thinking, or None if it does not report it for every item."""
    items: tuple[ReachItemResult, ...]

    @property
    def solved(self) -> int:
        """The number of solved items."""
        return sum(each.passed is True for each in self.items)

    @property
    def scored(self) -> int:
        """The number of items with a score."""
        return sum(each.passed is not None for each in self.items)


class ReachResults(_FrozenModel):
    """The curve of one model: reached levels against the tokens that were really used."""

    version: str = VERSION
    model: str
    answer_form: str
    seed: int
    items_asked: int
    source: str
    """The item source with its version."""
    levels: tuple[int, ...]
    created: str = ""
    points: tuple[ReachPoint, ...]


def build_reach_point(
    items: Sequence[ReachItemResult], *, thinking_asked: str = "", thinking_sent: tuple[str, ...] = ()
) -> ReachPoint:
    """Estimate the level from the scored items, and the tokens that an item took."""
    outcomes = [(float(each.level), each.passed) for each in items if each.passed is not None]
    found = LevelPosterior().add_outcomes(outcomes).estimate() if outcomes else None
    return ReachPoint(
        thinking_asked=thinking_asked,
        thinking_sent=thinking_sent,
        level=None if found is None else found.level,
        low=None if found is None else found.low,
        high=None if found is None else found.high,
        slope=None if found is None else found.slope,
        tokens=_compute_mean([each.output_tokens for each in items if each.output_tokens]),
        thinking_tokens=_compute_mean([each.thinking_tokens for each in items if each.output_tokens]),
        items=tuple(items),
    )


def _compute_mean(numbers: Sequence[int | None]) -> float | None:
    """Return the mean, or None if there is no number or one is not known."""
    known = [each for each in numbers if each is not None]
    return fmean(known) if known and len(known) == len(numbers) else None
