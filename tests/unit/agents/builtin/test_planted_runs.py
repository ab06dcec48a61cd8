"""Planted faults in whole runs: the validators send a faulty document back, and the run recovers."""

from __future__ import annotations

import pytest

from impossible_moments.domain.vocabulary import EULER, NEWTON, Phase
from support.planted_faults import FAULTS
from support.planted_runs import run_with_fault


@pytest.mark.parametrize(
    ("name", "agent", "means"),
    [
        ("a hand's load of lead as heavy as a man", NEWTON, "veto"),
        ("a beech mallet of six kilograms", NEWTON, "challenge"),
        ("a sketch that leaves a step out", EULER, "veto"),
        ("a step that takes longer than stated", EULER, "challenge"),
        ("a claim about a thing that is not there", EULER, "INVALID"),
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
