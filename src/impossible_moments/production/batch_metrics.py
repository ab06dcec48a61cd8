"""Metrics of batches, with targets, red flags and drift (specification 7.5, 7.6, appendix D).

A batch is so many scenarios in the order in which they were begun, whichever run or machine produced them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median, stdev
from typing import Final, TypeVar

from impossible_moments.agents import MetricHealth
from impossible_moments.domain.thresholds import (
    COMPLETION_LIMITS,
    COVERAGE_DEVIATIONS,
    HEALTHY_COMPLETION,
    HEALTHY_DURATIONS,
    HEALTHY_ESCALATION_RATES,
    MOST_DURATION_DRIFT,
    MOST_ESCALATION_RATE,
    STANDARD_DEVIATIONS_OF_DRIFT,
)
from impossible_moments.ledger import ScenarioState
from impossible_moments.production.coverage_targets import CoverageTargets
from impossible_moments.production.scenario_outcomes import ScenarioOutcome

Kind = TypeVar("Kind", bound=str)
FEWEST_EARLIER_BATCHES: Final = 2
"""The batches from whose values a standard deviation can be computed."""


@dataclass(frozen=True, slots=True)
class BatchMetric:
    """A measured value of a batch, with its target and its red flag in words."""

    name: str
    value: float | None
    target: str
    health: MetricHealth


@dataclass(frozen=True, slots=True)
class MeasuredBatch:
    """A batch with its metrics."""

    number: int
    size: int
    metrics: tuple[BatchMetric, ...]
    drifts: tuple[str, ...]
    """What differs from the earlier batches by more than two standard deviations."""


def measure_batches(
    outcomes: Sequence[ScenarioOutcome], targets: CoverageTargets
) -> tuple[MeasuredBatch, ...]:
    """Return the metrics of every batch of the size of the targets. The last batch may be smaller."""
    batches = split_into_batches(outcomes, targets.batch_size)
    return tuple(
        MeasuredBatch(
            number,
            len(batch),
            (
                _measure_completion(batch),
                _measure_deviation(
                    "category", batches[:number], targets.categories, lambda each: each.category
                ),
                _measure_deviation("difficulty", batches[:number], targets.tiers, lambda each: each.tier),
                _measure_escalations(batch),
                _measure_duration(batch, batches[0]),
            ),
            _find_drifts(batch, batches[: number - 1]),
        )
        for number, batch in enumerate(batches, start=1)
    )


def split_into_batches(
    outcomes: Sequence[ScenarioOutcome], size: int
) -> tuple[tuple[ScenarioOutcome, ...], ...]:
    """Return the outcomes in batches, in the order in which the scenarios were begun."""
    return tuple(tuple(outcomes[at : at + size]) for at in range(0, len(outcomes), size))


def _measure_completion(batch: Sequence[ScenarioOutcome]) -> BatchMetric:
    rate = compute_share(batch, lambda each: each.state is ScenarioState.ACCEPTED)
    lowest, highest = COMPLETION_LIMITS
    health = _judge(rate, HEALTHY_COMPLETION, is_red_flag=not lowest <= rate <= highest)
    return BatchMetric("completion rate", rate, "65-75 %, red flag below 50 or above 90", health)


def _measure_deviation(
    name: str,
    batches: Sequence[Sequence[ScenarioOutcome]],
    wanted: Mapping[Kind, int],
    get_kind: Callable[[ScenarioOutcome], Kind],
) -> BatchMetric:
    """Return the greatest deviation from the shares of the targets so far. Less than one scenario is none."""
    accepted = [each for batch in batches for each in batch if each.state is ScenarioState.ACCEPTED]
    counts, total = Counter(map(get_kind, accepted)), sum(wanted.values())
    deviations = [0.0]
    for kind, number in wanted.items():
        share = number * len(accepted) / total
        if share and abs(counts[kind] - share) >= 1:
            deviations.append(abs(counts[kind] - share) / share)
    greatest = max(deviations)
    healthy, most = COVERAGE_DEVIATIONS
    health = _judge(greatest, (0.0, healthy), is_red_flag=greatest > most)
    return BatchMetric(f"{name} deviation", greatest, "at most 10 %, red flag above 20", health)


def _measure_escalations(batch: Sequence[ScenarioOutcome]) -> BatchMetric:
    rate = compute_share(batch, lambda each: each.is_escalated)
    is_red_flag = rate < HEALTHY_ESCALATION_RATES[0] or rate > MOST_ESCALATION_RATE
    health = _judge(rate, HEALTHY_ESCALATION_RATES, is_red_flag=is_red_flag)
    return BatchMetric("human escalation rate", rate, "5-15 %, red flag below 5 or above 20", health)


def _measure_duration(batch: Sequence[ScenarioOutcome], first: Sequence[ScenarioOutcome]) -> BatchMetric:
    mean, baseline = (fmean(each.minutes for each in group) for group in (batch, first))
    drift = abs(mean - baseline) / baseline if baseline else 0.0
    health = _judge(mean, HEALTHY_DURATIONS, is_red_flag=drift > MOST_DURATION_DRIFT)
    return BatchMetric("mean duration in minutes", mean, "50-70, red flag 20 % off batch 1", health)


def _judge(value: float, healthy: tuple[float, float], *, is_red_flag: bool) -> MetricHealth:
    if is_red_flag:
        return MetricHealth.RED_FLAG
    return MetricHealth.HEALTHY if healthy[0] <= value <= healthy[1] else MetricHealth.UNUSUAL


def _find_drifts(
    batch: Sequence[ScenarioOutcome], earlier: Sequence[Sequence[ScenarioOutcome]]
) -> tuple[str, ...]:
    """Return what differs from the earlier batches by more than two standard deviations (7.6).

    Rates of few scenarios vary by chance, so the deviation that chance explains is the least that counts.
    """
    if len(earlier) < FEWEST_EARLIER_BATCHES:
        return ()
    found = []
    for name, measure in _STABLE.items():
        value, values = measure(batch), [known for each in earlier if (known := measure(each)) is not None]
        if value is None or len(values) < FEWEST_EARLIER_BATCHES:
            continue
        usual = fmean(values)
        by_chance = sqrt(usual * (1 - usual) / len(batch)) if 0 < usual < 1 and name != _CONFIDENCE else 0.0
        spread = max(stdev(values), by_chance)
        if abs(value - usual) > STANDARD_DEVIATIONS_OF_DRIFT * spread:
            found.append(f"{name} is {value:.2f}, and {usual:.2f} before (standard deviation {spread:.2f})")
    return tuple(found)


def _compute_median_confidence(batch: Sequence[ScenarioOutcome]) -> float | None:
    known = [each.confidence for each in batch if each.confidence is not None]
    return median(known) if known else None


_CONFIDENCE: Final = "median confidence"
_STABLE: Final[Mapping[str, Callable[[Sequence[ScenarioOutcome]], float | None]]] = {
    _CONFIDENCE: _compute_median_confidence,
    "veto rate": lambda batch: compute_share(batch, lambda each: each.has_veto),
    "escalation rate": lambda batch: compute_share(batch, lambda each: each.is_escalated),
}
"""What is stable across batches (7.6)."""


def compute_share(
    outcomes: Sequence[ScenarioOutcome], has_property: Callable[[ScenarioOutcome], bool]
) -> float:
    """Return the share of outcomes with a property, 0 without outcomes."""
    return sum(map(has_property, outcomes)) / len(outcomes) if outcomes else 0.0
