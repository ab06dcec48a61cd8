"""Metrics of one scenario with their healthy ranges and red flags (specification, appendix D)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from impossible_moments.agents.orchestrator.protocols.escalation_protocol import (
    collect_last_agent_confidences,
)
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.thresholds import LOWEST_CONFIDENCE
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA

CRITICAL: Final = frozenset(
    model.__name__
    for model in (
        SeedDocument,
        PhysicsReport,
        MathematicsReport,
        GroundingReport,
        ClassificationReport,
        InformedClassification,
    )
)
"""Deliverables whose confidence is critical (specification 1.7)."""
FEWEST_SCENARIOS: Final = 5
"""The number of scenarios from which on a value counts as constant."""


class MetricHealth(StrEnum):
    """The judgement of a measured value."""

    HEALTHY = "healthy"
    UNUSUAL = "outside the healthy range"
    RED_FLAG = "red flag"
    UNKNOWN = "not measured"


@dataclass(frozen=True, slots=True)
class ScenarioMetric:
    """A measured value with its healthy range and red flag."""

    name: str
    value: float | None
    healthy: str
    red_flag: str
    health: MetricHealth


@dataclass(frozen=True, slots=True)
class MeasuredScenario:
    """The input of the metrics: a dossier, and durations that only a clock knows."""

    dossier: Dossier
    minutes: float | None = None
    """Minutes from the first ask to the last answer."""
    median_minutes: float | None = None
    """The median of the batch if a program plays the roles. The healthy range is then relative to it."""


Measure: TypeAlias = Callable[[MeasuredScenario], float | None]
Judge: TypeAlias = Callable[[MeasuredScenario, float], bool]


def measure_scenario(
    dossier: Dossier, *, minutes: float | None = None, median_minutes: float | None = None
) -> tuple[ScenarioMetric, ...]:
    """Measure every metric of a scenario, in the order of the specification."""
    case = MeasuredScenario(dossier, minutes, median_minutes)
    return tuple(row.evaluate_scenario(case) for row in METRICS)


def is_delta_always_zero(deltas: Iterable[float | None]) -> bool:
    """Return whether the blind-informed delta is 0 in all of several scenarios, a red flag of appendix D."""
    known = [delta for delta in deltas if delta is not None]
    return len(known) >= FEWEST_SCENARIOS and not any(known)


@dataclass(frozen=True)
class MetricRule:
    """The rule of one metric: how to measure it, and when it is healthy or a red flag."""

    name: str
    healthy: str
    red_flag: str
    measure: Measure
    is_healthy: Judge
    is_red_flag: Judge
    describe_limits: Callable[[MeasuredScenario], tuple[str, str]] | None = None
    """Returns the healthy range and the red flag where they depend on the scenario."""

    def evaluate_scenario(self, case: MeasuredScenario) -> ScenarioMetric:
        """Measure a scenario and judge the value."""
        value = self.measure(case)
        healthy, red_flag = (
            (self.healthy, self.red_flag) if self.describe_limits is None else self.describe_limits(case)
        )
        return ScenarioMetric(self.name, value, healthy, red_flag, self._judge_health(case, value))

    def _judge_health(self, case: MeasuredScenario, value: float | None) -> MetricHealth:
        if value is None:
            return MetricHealth.UNKNOWN
        if self.is_red_flag(case, value):
            return MetricHealth.RED_FLAG
        return MetricHealth.HEALTHY if self.is_healthy(case, value) else MetricHealth.UNUSUAL


def count_blind_informed_changes(dossier: Dossier) -> int | None:
    """Count SOCRATES's judgements that the reveal changed: status, type and the six scores."""
    blind, informed = (
        dossier.find_latest_deliverable(ClassificationReport),
        dossier.find_latest_deliverable(InformedClassification),
    )
    if blind is None or informed is None:
        return None
    scores = zip(blind.profile.scores, informed.profile.scores, strict=True)
    return (
        (blind.status != informed.status)
        + (blind.impossibility_type != informed.impossibility_type)
        + sum(one != other for one, other in scores)
    )


def collect_critical_confidences(dossier: Dossier) -> tuple[float, ...]:
    """Return the confidences of the critical deliverables, each from the latest of its kind."""
    return tuple(
        value
        for agent, found in collect_last_agent_confidences(dossier).items()
        for kind, value in found.items()
        # low confidence is expected in an approach to an open problem
        if kind in CRITICAL and not (agent == ATHENA and dossier.brief.solution_status == "OF")
    )


def _build_range_check(low: float, high: float) -> Judge:
    return lambda _case, value: low <= value <= high


def _build_above_check(limit: float) -> Judge:
    return lambda _case, value: value > limit


def _build_below_check(limit: float) -> Judge:
    return lambda _case, value: value < limit


def _is_usual_duration(case: MeasuredScenario, minutes: float) -> bool:
    if case.median_minutes is None:
        return _build_range_check(45, 90)(case, minutes)
    return 0.75 * case.median_minutes <= minutes <= 1.5 * case.median_minutes


def _is_excessive_duration(case: MeasuredScenario, minutes: float) -> bool:
    # the specification gives 45, 90 and 120 minutes for batches of 60 minutes: use the same ratios
    return minutes > (120 if case.median_minutes is None else 2 * case.median_minutes)


def _describe_duration_limits(case: MeasuredScenario) -> tuple[str, str]:
    usual = case.median_minutes
    if usual is None:
        return "45-90 min", ">120 min (suggests excessive retries)"
    return (
        f"{0.75 * usual:.3g}-{1.5 * usual:.3g} min, by the median of all runs of programs",
        f">{2 * usual:.3g} min (suggests excessive retries)",
    )


def _has_only_full_confidence(case: MeasuredScenario, _value: float) -> bool:
    return all(each == 1.0 for each in collect_critical_confidences(case.dossier))


def _is_positive(_case: MeasuredScenario, value: float) -> bool:
    return value > 0


def _never_raises_flag(_case: MeasuredScenario, _value: float) -> bool:
    return False


# fmt: off
METRICS: Final = (
    MetricRule("Pipeline duration",                    "45-90 min", ">120 min (suggests excessive retries)",
        lambda case: case.minutes,                                            _is_usual_duration,        _is_excessive_duration, _describe_duration_limits),
    MetricRule("Revision loops (total across phases)", "0-5",       ">8 (suggests fundamental design issues)",
        lambda case: sum(case.dossier.loops.values()),                        _build_range_check(0, 5),      _build_above_check(8)),
    MetricRule("Challenges issued",                    "0-4",       ">6 (suggests agent miscalibration)",
        lambda case: len(case.dossier.challenges),                            _build_range_check(0, 4),      _build_above_check(6)),
    MetricRule("Vetoes issued",                        "0-1",       ">2 (triggers auto-escalation)",
        lambda case: len(case.dossier.vetoes),                                _build_range_check(0, 1),      _build_above_check(2)),
    MetricRule("Minimum agent confidence",             "0.6-0.9",   f"<{LOWEST_CONFIDENCE} (triggers escalation)",
        lambda case: min(collect_critical_confidences(case.dossier), default=None),   _build_range_check(0.6, 0.9),  _build_below_check(LOWEST_CONFIDENCE)),
    MetricRule("Maximum agent confidence",             "0.7-0.95",  "1.0 across all agents (suggests insufficient scrutiny)",
        lambda case: max(collect_critical_confidences(case.dossier), default=None),   _build_range_check(0.7, 0.95), _has_only_full_confidence),
    # needs several scenarios: see `is_delta_always_zero`
    MetricRule("SOCRATES blind-informed delta",        "Variable",  "Always 0 (suggests the scenario has no impossibility illusion)",
        lambda case: count_blind_informed_changes(case.dossier),                                     _is_positive,           _never_raises_flag),
)
# fmt: on
