"""What the solution status changes in the making of a scenario."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from impossible_moments.agents.orchestrator.context.status_policies import BlindFinding, get_status_policy
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.seed import PhysicalClaim, SketchStep, SolutionSketch
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, ROLES, SOCRATES, STATUSES, Status
from support.canaries import CanaryPlanter

STEP = SketchStep(action="push")
CLAIM = PhysicalClaim(claim_id="C1", text="the table slides")


def sketch(**parts: Any) -> SolutionSketch:
    return SolutionSketch(confidence=0.8, **parts)


def report(status: Status, premise_named: str = "") -> ClassificationReport:
    found, _ = CanaryPlanter(Random(5)).plant(ClassificationReport)  # noqa: S311 - the same document each time
    assert isinstance(found, ClassificationReport)
    return found.model_copy(update={"status": status, "premise_named": premise_named})


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_has_a_task_for_every_role(status: Status) -> None:
    assert set(get_status_policy(status).tasks) == set(ROLES)


def test_what_socrates_is_told_does_not_depend_on_the_status() -> None:
    assert len({get_status_policy(status).tasks[SOCRATES] for status in STATUSES}) == 1


@pytest.mark.parametrize("agent", [NEWTON, EULER])
def test_validators_of_an_open_frontier_validate_the_criteria(agent: str) -> None:
    assert get_status_policy("OF").tasks[agent].startswith("Validate the evaluation criteria, not a solution")


def test_euler_validates_a_paradox_proof_independently() -> None:
    assert "impossibility proof independently" in get_status_policy("PX").tasks[EULER]


@pytest.mark.parametrize("status", STATUSES)
def test_an_empty_sketch_lacks_something_whatever_the_status(status: Status) -> None:
    assert get_status_policy(status).list_sketch_deficiencies(sketch())


# fmt: off
COMPLETE: list[tuple[Status, SolutionSketch]] = [
    ("KS", sketch(steps=(STEP,), claims=(CLAIM,))),
    ("CT", sketch(steps=(STEP,), claims=(CLAIM,))),
    ("OF", sketch(evaluation_criteria=("lifts a tonne",))),
    ("PX", sketch(impossibility_proof="x < x", claims=(CLAIM,))),
    ("MT", sketch(steps=(STEP,), claims=(CLAIM,))),
    ("DG", sketch(steps=(STEP,))),
]
# fmt: on


@pytest.mark.parametrize(("status", "complete"), COMPLETE)
def test_a_complete_sketch_lacks_nothing(status: Status, complete: SolutionSketch) -> None:
    assert get_status_policy(status).list_sketch_deficiencies(complete) == ()


def test_a_paradox_with_a_solution_contradicts_itself() -> None:
    (found,) = get_status_policy("PX").list_sketch_deficiencies(
        sketch(impossibility_proof="x < x", steps=(STEP,))
    )
    assert found.startswith("the steps of a solution are given, which contradicts PX")


def test_a_deficiency_tells_athena_what_to_do() -> None:
    (found,) = get_status_policy("OF").list_sketch_deficiencies(sketch())
    assert found == f"evaluation criteria are missing: {get_status_policy('OF').tasks[ATHENA]}"


# fmt: off
FINDINGS: list[tuple[Status, ClassificationReport, BlindFinding | None]] = [
    ("MT", report("MT", "the door must be opened"), BlindFinding.TOO_OBVIOUS),
    ("MT", report("PX"),                            BlindFinding.WELL_HIDDEN),
    ("DG", report("DG"),                            BlindFinding.TOO_TRANSPARENT),
    ("DG", report("CT"),                            BlindFinding.WELL_DISGUISED),
    ("PX", report("KS"),                            BlindFinding.STRONG_MIRAGE),
    ("PX", report("CT"),                            BlindFinding.STRONG_MIRAGE),
    ("PX", report("PX"),                            None),
    ("KS", report("OF"),                            BlindFinding.STRONG_MIRAGE),
    ("KS", report("KS"),                            None),
    ("OF", report("OF"),                            None),
]
# fmt: on


@pytest.mark.parametrize(("status", "blind", "finding"), FINDINGS)
def test_a_blind_classification_tells_how_well_the_design_hides(
    status: Status, blind: ClassificationReport, finding: BlindFinding | None
) -> None:
    assert get_status_policy(status).derive_blind_finding(blind) is finding
