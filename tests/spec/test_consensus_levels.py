"""Specification 1.4: which decision needs which level, and how many votes of five that is."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.consensus_engine import (
    REQUIRED,
    ConsensusDecision,
    ConsensusLevel,
    count_needed_votes,
)
from spec.transcribed import table

ROWS = table("consensus")
ELSEWHERE = {
    ConsensusDecision.CHALLENGE: ConsensusLevel.SIMPLE_MAJORITY,
    ConsensusDecision.READINESS: ConsensusLevel.SUPERMAJORITY,
}
"""Named in 4.1, step 5, and in 5.5 of phase 5."""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["Required For"])
def test_a_decision_needs_the_level_of_the_specification(row: dict[str, str]) -> None:
    assert REQUIRED[ConsensusDecision(row["Required For"])] == row["Level"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["Required For"])
def test_a_level_needs_the_votes_of_five_that_the_specification_names(row: dict[str, str]) -> None:
    assert count_needed_votes(ConsensusLevel(row["Level"]), 5) == int(row["Votes of five"])


@pytest.mark.parametrize(("decision", "level"), ELSEWHERE.items())
def test_decisions_named_elsewhere_need_the_level_named_there(
    decision: ConsensusDecision, level: ConsensusLevel
) -> None:
    assert REQUIRED[decision] == level


def test_no_decision_is_left_without_its_line() -> None:
    assert {row["Required For"] for row in ROWS} | ELSEWHERE.keys() == set(ConsensusDecision)
