"""Specification 4.2: the vetoes it calls valid pass, and those it calls invalid do not."""

from __future__ import annotations

import re

import pytest

from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import EvidenceEvaluator
from impossible_moments.agents.orchestrator.protocols.veto_validity import (
    RaisedVeto,
    find_veto_defect,
    names_law,
)
from impossible_moments.domain.vocabulary import EULER, NEWTON, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from spec.transcribed import table
from support.dispute_cases import build_evidence, build_veto

ROWS = table("vetoes")
VETOERS = frozenset({NEWTON, EULER})
WORK = "the required 900 N > the available 300 N"


def fault(text: str) -> str | None:
    """What is wrong with a veto that says nothing but a text; brackets are filled with work."""
    shown = re.sub(r"\[.*?\]", WORK, text.strip('"'))
    veto = build_veto(proof=(build_evidence(shown),))
    return find_veto_defect(
        RaisedVeto(Phase.VALIDATE, NEWTON, veto), EvidenceEvaluator(None, load_everyday_library()), VETOERS
    )


@pytest.mark.parametrize("text", [row["Valid Veto"] for row in ROWS])
def test_what_the_specification_calls_a_valid_veto_is_one(text: str) -> None:
    assert fault(text) is None


@pytest.mark.parametrize("text", [row["Invalid Veto"] for row in ROWS])
def test_what_the_specification_calls_an_invalid_veto_brings_no_proof(text: str) -> None:
    assert fault(text) == "it brings no proof that stands"


@pytest.mark.parametrize("text", ["physics", "common sense", "I doubt the law applies", "the glass"])
def test_a_field_a_thing_or_an_opinion_is_no_law(text: str) -> None:
    assert not names_law(text)


@pytest.mark.parametrize("text", [row["Invalid Veto"] for row in ROWS])
def test_what_the_specification_calls_an_invalid_veto_names_no_law(text: str) -> None:
    assert not names_law(text)


# fmt: off
LAWS = (
    # what the valid vetoes of the specification violate
    "conservation of energy",
    "the sum of the step times is at most the deadline",
    "fracture threshold of tempered glass",
    "hydrostatics: suction lift is bounded by atmospheric pressure",
    "the pressure of the air carries the weight of the water",
    "thermal expansion: length change = coefficient times length times temperature change",
)
# fmt: on


@pytest.mark.parametrize("law", LAWS)
def test_the_laws_behind_the_valid_vetoes_are_laws(law: str) -> None:
    assert names_law(law)
