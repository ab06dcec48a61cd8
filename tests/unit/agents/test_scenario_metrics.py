"""Metrics of a scenario have the specification's words, and tell healthy from unhealthy at its numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from impossible_moments.agents.scenario_metrics import (
    FEWEST_SCENARIOS,
    METRICS,
    MetricHealth,
    ScenarioMetric,
    is_delta_always_zero,
    measure_scenario,
)
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.disputes import Challenge, Veto
from impossible_moments.domain.dossier import ChallengeCase, Dossier, VetoCase
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import NEWTON, Phase
from spec.transcribed import table
from support.dossiers import PROFILE, change_deliverables, make_full_dossier

CONFIDENT = (PhysicsReport, MathematicsReport, GroundingReport, ClassificationReport, InformedClassification)


def metric(
    dossier: Dossier, name: str, *, minutes: float = 60, median: float | None = None
) -> ScenarioMetric:
    found = measure_scenario(dossier, minutes=minutes, median_minutes=median)
    return next(each for each in found if each.name.startswith(name))


def test_the_rows_are_those_of_the_specification() -> None:
    assert [(row.name, row.healthy, row.red_flag) for row in METRICS] == [
        tuple(row.values()) for row in table("metrics")
    ]


@pytest.mark.parametrize(
    ("minutes", "health"),
    [
        (44, MetricHealth.UNUSUAL),
        (45, MetricHealth.HEALTHY),
        (90, MetricHealth.HEALTHY),
        (91, MetricHealth.UNUSUAL),
        (120, MetricHealth.UNUSUAL),
        (121, MetricHealth.RED_FLAG),
    ],
)
def test_a_run_of_45_to_90_minutes_is_healthy(minutes: float, health: MetricHealth) -> None:
    assert metric(make_full_dossier(Phase.DOCUMENT), "Pipeline", minutes=minutes).health is health


@pytest.mark.parametrize(
    ("minutes", "health"),
    [
        (0.7, MetricHealth.UNUSUAL),
        (1.0, MetricHealth.HEALTHY),
        (1.6, MetricHealth.UNUSUAL),
        (2.1, MetricHealth.RED_FLAG),
    ],
)
def test_a_program_is_measured_by_the_median_of_its_batch(minutes: float, health: MetricHealth) -> None:
    assert metric(make_full_dossier(Phase.DOCUMENT), "Pipeline", minutes=minutes, median=1.0).health is health


def test_the_limits_of_a_program_are_printed_as_they_are_applied() -> None:
    found = metric(make_full_dossier(Phase.DOCUMENT), "Pipeline", minutes=1.0, median=1.0)
    assert found.healthy.startswith("0.75-1.5 min")
    assert found.red_flag.startswith(">2 min")


def test_a_duration_that_nobody_measured_is_not_judged() -> None:
    assert measure_scenario(make_full_dossier(Phase.DOCUMENT))[0].health is MetricHealth.UNKNOWN


@pytest.mark.parametrize(
    ("loops", "health"), [(5, MetricHealth.HEALTHY), (6, MetricHealth.UNUSUAL), (9, MetricHealth.RED_FLAG)]
)
def test_loops_of_all_phases_count_together(loops: int, health: MetricHealth) -> None:
    dossier = replace(make_full_dossier(Phase.DOCUMENT), loops={Phase.SEED: 2, Phase.REFINE: loops - 2})

    assert (metric(dossier, "Revision").value, metric(dossier, "Revision").health) == (loops, health)


@pytest.mark.parametrize(
    ("count", "health"), [(4, MetricHealth.HEALTHY), (5, MetricHealth.UNUSUAL), (7, MetricHealth.RED_FLAG)]
)
def test_more_than_six_challenges_are_a_red_flag(count: int, health: MetricHealth) -> None:
    challenge = Challenge(challenged="ATHENA", claim="c", confidence=0.5)
    case = ChallengeCase(Phase.VALIDATE, NEWTON, challenge, "ACCEPTED", "response")

    assert (
        metric(replace(make_full_dossier(Phase.DOCUMENT), challenges=(case,) * count), "Challenges").health
        is health
    )


@pytest.mark.parametrize(
    ("count", "health"), [(1, MetricHealth.HEALTHY), (2, MetricHealth.UNUSUAL), (3, MetricHealth.RED_FLAG)]
)
def test_more_than_two_vetoes_are_a_red_flag(count: int, health: MetricHealth) -> None:
    case = VetoCase(Phase.VALIDATE, NEWTON, Veto(claim="c", law="l"), "LIFTED")

    assert (
        metric(replace(make_full_dossier(Phase.DOCUMENT), vetoes=(case,) * count), "Vetoes").health is health
    )


@pytest.mark.parametrize(
    ("confidence", "health"),
    [(0.6, MetricHealth.HEALTHY), (0.55, MetricHealth.UNUSUAL), (0.49, MetricHealth.RED_FLAG)],
)
def test_the_least_sure_agent_is_found(confidence: float, health: MetricHealth) -> None:
    dossier = change_deliverables(make_full_dossier(Phase.DOCUMENT), GroundingReport, confidence=confidence)

    assert (metric(dossier, "Minimum").value, metric(dossier, "Minimum").health) == (confidence, health)


def test_athena_may_doubt_an_approach_to_an_open_problem() -> None:
    seed = make_full_dossier(Phase.DOCUMENT).find_latest_deliverable(SeedDocument)
    assert seed is not None
    unsure = change_deliverables(
        make_full_dossier(Phase.DOCUMENT),
        SeedDocument,
        solution_sketch=seed.solution_sketch.model_copy(update={"confidence": 0.2}),
    )
    opened = replace(unsure, brief=unsure.brief.model_copy(update={"solution_status": "OF"}))

    assert (metric(unsure, "Minimum").health, metric(opened, "Minimum").health) == (
        MetricHealth.RED_FLAG,
        MetricHealth.HEALTHY,
    )


def test_one_agent_that_is_sure_is_no_red_flag() -> None:
    assert (
        metric(
            change_deliverables(make_full_dossier(Phase.DOCUMENT), GroundingReport, confidence=1.0), "Maximum"
        ).health
        is MetricHealth.UNUSUAL
    )


def test_all_agents_being_sure_is_a_red_flag() -> None:
    seed = make_full_dossier(Phase.DOCUMENT).find_latest_deliverable(SeedDocument)
    assert seed is not None
    sure = change_deliverables(
        make_full_dossier(Phase.DOCUMENT),
        SeedDocument,
        solution_sketch=seed.solution_sketch.model_copy(update={"confidence": 1.0}),
    )
    for kind in CONFIDENT:
        sure = change_deliverables(sure, kind, confidence=1.0)

    assert metric(sure, "Maximum").health is MetricHealth.RED_FLAG


def test_the_delta_counts_what_socrates_judges_otherwise_after_the_reveal() -> None:
    blind = change_deliverables(
        make_full_dossier(Phase.DOCUMENT),
        ClassificationReport,
        status="OF",
        impossibility_type="II",
        profile=PROFILE.model_copy(update={"I": 5}),
    )

    assert metric(blind, "SOCRATES").value == 3


def test_without_a_reveal_there_is_no_delta() -> None:
    assert metric(make_full_dossier(Phase.CLASSIFY), "SOCRATES").health is MetricHealth.UNKNOWN


def test_a_delta_of_0_is_a_red_flag_only_when_it_is_always_0() -> None:
    assert [
        is_delta_always_zero([0.0] * (FEWEST_SCENARIOS - 1)),
        is_delta_always_zero([0.0] * FEWEST_SCENARIOS),
        is_delta_always_zero([0.0] * FEWEST_SCENARIOS + [1.0]),
    ] == [False, True, False]
