"""Results on uncertain worlds: success, and regret against the exact optimum, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, variance
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

FORM: Final = "uncertain results 1"
_Z: Final = 1.959963984540054
"""Quantile of the normal distribution for intervals of 95 %."""


class _FrozenResult(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Estimate(_FrozenResult):
    """A value with its 95 % interval. An exact value is its own interval."""

    value: float
    low: float
    high: float


class WorldRun(_FrozenResult):
    """One episode, or one policy."""

    number: int
    success: float | None
    """1 or 0 for an episode, the exact probability for a policy, None without a readable answer."""
    loss: float | None
    """Probability of success that was given away."""
    acts: int = 0
    invalid_acts: int = 0
    note: str = ""
    answer: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: str | None = None


class UncertainScenarioResult(_FrozenResult):
    """All runs on one scenario."""

    scenario_id: str
    title: str
    category: str
    tier: str
    family: str
    optimum: float
    runs: tuple[WorldRun, ...]

    @property
    def scored(self) -> tuple[WorldRun, ...]:
        """The runs with a readable answer."""
        return tuple(each for each in self.runs if each.success is not None)

    @property
    def losses(self) -> list[float]:
        """The losses of the scored runs."""
        return [each.loss for each in self.runs if each.loss is not None]


class UncertainSummary(_FrozenResult):
    """Figures over all scenarios, each with the same weight."""

    scenarios: int
    scored: int
    unscored: int
    optimum: float | None
    success: Estimate | None
    regret: Estimate | None
    """Mean loss: the probability of success that was given away, over these scenarios."""
    sampled_regret: Estimate | None
    """Optimum minus success in the worlds that were played."""


class UncertainResults(_FrozenResult):
    """The results of one model. The format cannot be confused with other results, and has no IM-Score."""

    form: Literal["uncertain results 1"] = "uncertain results 1"
    model: str
    answer_form: Literal["interactive", "policy"]
    worlds: int
    temperature_asked: float | None = None
    created: str = ""
    summary: UncertainSummary
    scenarios: tuple[UncertainScenarioResult, ...]
    cost: str | None = None


def estimate_share(successes: float, runs: int) -> Estimate:
    """Return a share of successes with its Wilson interval."""
    share = successes / runs
    scale = 1 + _Z**2 / runs
    centre = (share + _Z**2 / (2 * runs)) / scale
    half = _Z * sqrt(share * (1 - share) / runs + _Z**2 / (4 * runs**2)) / scale
    return Estimate(
        value=share, low=min(max(centre - half, 0.0), share), high=max(min(centre + half, 1.0), share)
    )


def estimate_mean_of_means(groups: Sequence[Sequence[float]]) -> Estimate | None:
    """Return the mean of the means of groups, with a normal interval for the worlds within them.

    The interval says how much the figure would differ in other worlds of the same scenarios.
    """
    filled = [each for each in groups if each]
    if not filled:
        return None
    value = fmean(fmean(each) for each in filled)
    error = sqrt(sum(variance(each) / len(each) for each in filled if len(each) > 1)) / len(filled)
    return Estimate(value=value, low=value - _Z * error, high=value + _Z * error)


def summarize_uncertain_results(scenarios: Sequence[UncertainScenarioResult]) -> UncertainSummary:
    """Return the figures over all scenarios."""
    runs = [run for each in scenarios for run in each.runs]
    scored = [each for each in scenarios if each.scored]
    success = estimate_mean_of_means([[run.success or 0.0 for run in each.scored] for each in scored])
    optimum = fmean(each.optimum for each in scored) if scored else None
    sampled = None
    if success is not None and optimum is not None:
        sampled = Estimate(
            value=optimum - success.value, low=optimum - success.high, high=optimum - success.low
        )
    return UncertainSummary(
        scenarios=len(scenarios),
        scored=sum(len(each.scored) for each in scored),
        unscored=sum(run.success is None for run in runs),
        optimum=optimum,
        success=success,
        regret=estimate_mean_of_means([each.losses for each in scored]),
        sampled_regret=sampled,
    )


def read_uncertain_results(path: Path) -> UncertainResults | None:
    """Read results on uncertain worlds from a file. Return None for any other file."""
    try:
        text = path.read_text(encoding="utf-8")
        return UncertainResults.model_validate_json(text) if f'"{FORM}"' in text[:200] else None
    except (OSError, UnicodeDecodeError, ValidationError):
        return None
