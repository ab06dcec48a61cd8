"""Planted faults in whole runs: the validators send a faulty document back, and the run recovers."""

from __future__ import annotations

import pytest

from impossible_moments.domain.vocabulary import EULER, GALILEO, NEWTON, Phase
from support.planted_faults import FAULTS, build_healthy_seed
from support.planted_runs import run_with_fault


@pytest.mark.parametrize(
    ("name", "agent", "means"),
    [
        ("a hand's load of lead as heavy as a man", NEWTON, "veto"),
        ("a beech mallet of six kilograms", NEWTON, "challenge"),
        ("a sketch that leaves a step out", EULER, "veto"),
        ("a step that takes longer than stated", EULER, "challenge"),
        ("a claim about a thing that is not there", EULER, "INVALID"),
        ("a deadline before the plan is done", EULER, "veto"),
    ],
)
def test_a_faulty_document_is_sent_back_by_the_validator_and_repaired(
    name: str, agent: str, means: str
) -> None:
    (fault,) = [each for each in FAULTS if each.name == name]
    run = run_with_fault(fault)
    assert agent in run.caught_by
    assert run.phase == Phase.VALIDATE
    assert means in run.means
    assert run.is_repaired


@pytest.mark.parametrize("name", ["a habit left blank", "one insight told twice"])
def test_an_error_of_the_insight_chain_is_challenged_and_restored(name: str) -> None:
    (fault,) = [each for each in FAULTS if each.name == name]
    run = run_with_fault(fault)
    assert (run.caught_by, run.phase, run.means) == ((GALILEO,), Phase.GROUND, ("challenge",))
    assert run.is_repaired
    assert run.faulty.documents[-1].insight_chain == build_healthy_seed(fault.seed).insight_chain
    assert "to what the design states" in run.faulty.documents[-1].revision_notes[-1]


def test_a_recommendation_is_settled_by_an_open_point_that_is_adopted() -> None:
    (fault,) = [each for each in FAULTS if each.name == "a single wrong answer"]
    run = run_with_fault(fault)
    (point,) = run.settled_points
    assert (point.author, point.end) == (GALILEO, "adopted")
    assert len(run.faulty.documents[-1].wrong_answers) > 1
