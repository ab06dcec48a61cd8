"""Specification 1.4, level 2: whose assessment prevails, and who may override it."""

from __future__ import annotations

import re

import pytest

from impossible_moments.agents.orchestrator.conflicts.domain_authority import (
    ANYONE,
    AUTHORITY,
    DomainAuthority,
)
from impossible_moments.domain.disputes import EvidenceKind
from impossible_moments.domain.vocabulary import ROLES
from spec.transcribed import table

ROWS = {row["Domain"]: row for row in table("authority")}
OURS = {row.name: row for row in AUTHORITY.values()}

GROUNDS: dict[str, set[EvidenceKind]] = {
    # the words of the override condition, and the evidence that they ask for
    "mathematical proof": {"proof"},
    "physically meaningless": {"physical meaning"},
    "epistemological grounds": {"epistemology"},
    "physical/mathematical grounds": {"proof", "derivation", "calculation"},
    "unfair or untestable": {"unfairness"},
}

each_row = pytest.mark.parametrize("row", OURS.values(), ids=OURS.keys())


def test_the_domains_are_those_of_the_specification() -> None:
    assert list(OURS) == list(ROWS)


@each_row
def test_the_authority_is_the_agent_of_the_specification(row: DomainAuthority) -> None:
    assert row.prevails == ROWS[row.name]["Authority"]


@each_row
def test_those_override_whom_the_specification_names(row: DomainAuthority) -> None:
    condition = ROWS[row.name]["Override Condition"]
    named = tuple(word for word in re.findall(r"[A-Z]{2,}", condition) if word in ROLES)
    assert row.override.agents == (named or (ANYONE,))


@each_row
def test_an_override_takes_the_evidence_of_the_specification(row: DomainAuthority) -> None:
    condition = ROWS[row.name]["Override Condition"]
    (wanted,) = [kinds for words, kinds in GROUNDS.items() if words in condition]
    assert row.override.evidence_kinds == wanted


@each_row
def test_only_a_joint_veto_takes_several(row: DomainAuthority) -> None:
    assert row.override.jointly == ("joint" in ROWS[row.name]["Override Condition"])
