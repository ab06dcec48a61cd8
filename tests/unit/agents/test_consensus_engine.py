"""Votes and what they decide."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.consensus_engine import Level, needed, readiness, tally
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES

# fmt: off
NEEDED = {
    # votes cast:             1  2  3  4  5  6  7
    Level.UNANIMOUS:         (1, 2, 3, 4, 5, 6, 7),
    Level.SUPERMAJORITY:     (1, 2, 3, 4, 4, 5, 6),
    Level.SIMPLE_MAJORITY:   (1, 2, 2, 3, 3, 4, 4),
}
# fmt: on


@pytest.mark.parametrize("level", Level)
def test_a_level_needs_its_share_of_the_votes_cast(level: Level) -> None:
    assert tuple(needed(level, cast) for cast in range(1, 8)) == NEEDED[level]


def test_an_abstention_is_no_vote() -> None:
    counted = tally({ATHENA: "A", EULER: "A", NEWTON: "ABSTAIN"}, Level.UNANIMOUS)
    assert (counted.winner, counted.cast) == ("A", 2)


def test_an_abstention_is_recorded() -> None:
    assert tally({ATHENA: "A", NEWTON: "ABSTAIN"}, Level.UNANIMOUS).abstained == (NEWTON,)


def test_nobody_wins_where_all_abstain() -> None:
    assert tally({ATHENA: "ABSTAIN", NEWTON: "ABSTAIN"}, Level.SIMPLE_MAJORITY).winner is None


def test_half_of_the_votes_is_no_majority() -> None:
    assert tally({ATHENA: "A", NEWTON: "B"}, Level.SIMPLE_MAJORITY).winner is None


def test_a_tally_says_what_was_needed() -> None:
    counted = tally({ATHENA: "A", NEWTON: "B", EULER: "A"}, Level.SUPERMAJORITY)
    assert str(counted) == "A 2, B 1; supermajority of 3 needs 3"


def test_voters_who_are_hardly_sure_are_named() -> None:
    votes = {ATHENA: "A", NEWTON: "A"}
    assert tally(votes, Level.UNANIMOUS, {ATHENA: 0.49, NEWTON: 0.5}).unsure == (ATHENA,)


def test_approval_with_notes_is_approval() -> None:
    counted = readiness(
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
    counted = readiness(
        {ATHENA: "APPROVE", EULER: "APPROVE", NEWTON: "APPROVE", GALILEO: "DISCARD", SOCRATES: "REVISE"}
    )
    assert counted.winner is None
