"""Votes and what they decide."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.consensus_engine import (
    ConsensusLevel,
    count_needed_votes,
    tally_readiness_votes,
    tally_votes,
)
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES

# fmt: off
NEEDED = {
    # votes cast:             1  2  3  4  5  6  7
    ConsensusLevel.UNANIMOUS:         (1, 2, 3, 4, 5, 6, 7),
    ConsensusLevel.SUPERMAJORITY:     (1, 2, 3, 4, 4, 5, 6),
    ConsensusLevel.SIMPLE_MAJORITY:   (1, 2, 2, 3, 3, 4, 4),
}
# fmt: on


@pytest.mark.parametrize("level", ConsensusLevel)
def test_a_level_needs_its_share_of_the_votes_cast(level: ConsensusLevel) -> None:
    assert tuple(count_needed_votes(level, cast) for cast in range(1, 8)) == NEEDED[level]


def test_an_abstention_is_no_vote() -> None:
    counted = tally_votes({ATHENA: "A", EULER: "A", NEWTON: "ABSTAIN"}, ConsensusLevel.UNANIMOUS)
    assert (counted.winner, counted.votes_cast) == ("A", 2)


def test_an_abstention_is_recorded() -> None:
    assert tally_votes({ATHENA: "A", NEWTON: "ABSTAIN"}, ConsensusLevel.UNANIMOUS).abstained == (NEWTON,)


def test_nobody_wins_where_all_abstain() -> None:
    assert tally_votes({ATHENA: "ABSTAIN", NEWTON: "ABSTAIN"}, ConsensusLevel.SIMPLE_MAJORITY).winner is None


def test_half_of_the_votes_is_no_majority() -> None:
    assert tally_votes({ATHENA: "A", NEWTON: "B"}, ConsensusLevel.SIMPLE_MAJORITY).winner is None


def test_a_tally_says_what_was_needed() -> None:
    counted = tally_votes({ATHENA: "A", NEWTON: "B", EULER: "A"}, ConsensusLevel.SUPERMAJORITY)
    assert str(counted) == "A 2, B 1; supermajority of 3 needs 3"


def test_voters_who_are_hardly_sure_are_named() -> None:
    votes = {ATHENA: "A", NEWTON: "A"}
    assert tally_votes(votes, ConsensusLevel.UNANIMOUS, confidences={ATHENA: 0.49, NEWTON: 0.5}).unsure == (
        ATHENA,
    )


def test_approval_with_notes_is_approval() -> None:
    counted = tally_readiness_votes(
        {
            ATHENA: "APPROVE",
            EULER: "APPROVE-WITH-NOTES",
            NEWTON: "APPROVE",
            GALILEO: "APPROVE",
            SOCRATES: "REVISE",
        }
    )
    assert counted.winner == "APPROVE"


def test_three_approvals_of_five_do_not_advance_a_scenario() -> None:
    counted = tally_readiness_votes(
        {ATHENA: "APPROVE", EULER: "APPROVE", NEWTON: "APPROVE", GALILEO: "DISCARD", SOCRATES: "REVISE"}
    )
    assert counted.winner is None


@pytest.mark.parametrize(
    ("last_vote", "expected"),
    [("A", False), ("B", True)],  # without ATHENA four of four, or three of four
)
def test_a_winner_that_needs_unsure_votes_is_said_to(last_vote: str, *, expected: bool) -> None:
    votes = {ATHENA: "A", EULER: "A", NEWTON: "A", GALILEO: "A", SOCRATES: last_vote}
    confidences = {**dict.fromkeys(votes, 0.9), ATHENA: 0.4}

    tally = tally_votes(votes, ConsensusLevel.SUPERMAJORITY, confidences=confidences)

    assert (tally.winner, tally.is_decided_by_unsure_votes) == ("A", expected)
