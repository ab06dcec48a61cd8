"""Metrics of batches and of the system: each row of appendix D is measured, and its red flag is raised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from impossible_moments.agents import MetricHealth
from impossible_moments.domain.vocabulary import CATEGORIES, TIERS, Phase
from impossible_moments.ledger import ScenarioState
from impossible_moments.production.batch_metrics import MeasuredBatch, measure_batches
from impossible_moments.production.coverage_targets import CoverageTargets
from impossible_moments.production.scenario_outcomes import ScenarioOutcome
from impossible_moments.production.system_metrics import measure_system

SIZE = 20
TARGETS = CoverageTargets.model_validate(
    {
        "format": "im-coverage/1",
        "total": 20,
        "batch_size": SIZE,
        "categories": {CATEGORIES[0]: 10, CATEGORIES[1]: 10},
        "tiers": {TIERS[0]: 10, TIERS[1]: 10},
    }
)
USUAL = ScenarioOutcome(
    "IM-0001", ScenarioState.ACCEPTED, CATEGORIES[0], TIERS[0], 60.0, 0.8, "PX", "KS", is_escalated=False
)


def make_batch(*, lost: int = 6, escalated: int = 2, **changes: object) -> list[ScenarioOutcome]:
    """A batch of 20 in which every metric is healthy, unless it is changed."""
    outcomes = [
        replace(USUAL, category=CATEGORIES[place % 2], tier=TIERS[place % 2], is_escalated=place < escalated)
        for place in range(SIZE)
    ]
    outcomes = [
        replace(each, state=ScenarioState.DISCARDED) if place >= SIZE - lost else each
        for place, each in enumerate(outcomes)
    ]
    return [replace(each, **changes) for each in outcomes]  # type: ignore[arg-type]  # fields by name


def measure_last(*batches: Sequence[ScenarioOutcome]) -> MeasuredBatch:
    return measure_batches([each for batch in batches for each in batch], TARGETS)[-1]


def list_health(measured: MeasuredBatch) -> dict[str, MetricHealth]:
    return {metric.name: metric.health for metric in measured.metrics}


def test_a_usual_batch_is_healthy_in_all_five_metrics() -> None:
    assert list_health(measure_last(make_batch())) == {
        "completion rate": MetricHealth.HEALTHY,
        "category deviation": MetricHealth.HEALTHY,
        "difficulty deviation": MetricHealth.HEALTHY,
        "human escalation rate": MetricHealth.HEALTHY,
        "mean duration in minutes": MetricHealth.HEALTHY,
    }


@pytest.mark.parametrize(
    ("batch", "name"),
    [
        (make_batch(lost=11), "completion rate"),
        (make_batch(lost=1), "completion rate"),
        (make_batch(category=CATEGORIES[0]), "category deviation"),
        (make_batch(tier=TIERS[0]), "difficulty deviation"),
        (make_batch(escalated=0), "human escalation rate"),
        (make_batch(escalated=5), "human escalation rate"),
    ],
)
def test_each_red_flag_is_raised(batch: list[ScenarioOutcome], name: str) -> None:
    assert list_health(measure_last(batch))[name] is MetricHealth.RED_FLAG


@pytest.mark.parametrize(("minutes", "health"), [(66.0, MetricHealth.HEALTHY), (73.0, MetricHealth.RED_FLAG)])
def test_a_duration_that_drifts_from_the_first_batch_is_a_red_flag(
    minutes: float, health: MetricHealth
) -> None:
    measured = measure_last(make_batch(), make_batch(minutes=minutes))

    assert list_health(measured)["mean duration in minutes"] is health


def test_coverage_is_judged_over_all_batches_so_far() -> None:
    one_sided = [make_batch(category=CATEGORIES[place]) for place in (0, 1)]

    assert list_health(measure_last(*one_sided))["category deviation"] is MetricHealth.HEALTHY


def test_a_drift_is_more_than_two_standard_deviations() -> None:
    earlier = [make_batch(confidence=0.80), make_batch(confidence=0.82)]
    near, far = make_batch(confidence=0.83), make_batch(confidence=0.85)

    assert measure_last(*earlier, near).drifts == ()
    assert [each.split(" is ")[0] for each in measure_last(*earlier, far).drifts] == ["median confidence"]


def test_a_rate_may_vary_as_chance_explains() -> None:
    earlier = [make_batch(escalated=2), make_batch(escalated=2)]

    assert measure_last(*earlier, make_batch(escalated=4)).drifts == ()
    assert [each.split(" is ")[0] for each in measure_last(*earlier, make_batch(escalated=6)).drifts] == [
        "escalation rate"
    ]


def test_the_system_is_measured_by_phase_category_and_status() -> None:
    open_ones = [replace(USUAL, is_breakthrough_candidate=place == 0) for place in range(4)]
    others = [
        replace(USUAL, has_veto=True, revised_phases=frozenset({Phase.VALIDATE}), blind_status="KS"),
        replace(USUAL, category=CATEGORIES[1]),
    ]
    system = measure_system([*open_ones, *others])

    assert system.agreement_by_phase["VALIDATE"] == pytest.approx(5 / 6)
    assert system.veto_rate_by_category == {CATEGORIES[0]: 0.2, CATEGORIES[1]: 0.0}
    assert system.blind_accuracy == pytest.approx(1 / 6)
    assert system.breakthrough_rate == 0.25
    assert system.list_red_flags() == ()


def test_a_system_that_never_deceives_or_proposes_is_flagged() -> None:
    system = measure_system([replace(USUAL, blind_status="KS", is_breakthrough_candidate=False)] * 3)

    assert len(system.list_red_flags()) == 2
