"""The comparison with a stated outcome: the same, clearly another, or for review."""

from __future__ import annotations

import pytest

from foreign_documents import OUTCOME, key
from impossible_moments.evaluation.foreign.stating import Found, compared, line_of
from impossible_moments.evaluation.reading.answers import Verdict

RECITED = (
    "solvable - the churn, the broom, the shirt, the cream, the handle, the grille, the bolt, the trap, the ceiling, the hoist, "
    "the chain, the door, the loft, the compressor, the tiles and to climb"
)


def found(line: str, *, status: str = "KS", outcome: str = OUTCOME) -> Found:
    return compared(f"I thought about it.\nANSWER: {line}", key(status=status, outcome=outcome)).found


@pytest.mark.parametrize(
    "line",
    [
        "solvable - draw the bolt of the ceiling trap and climb up the hoist chain",
        "climb the hoist's chain, not the door, through the ceiling trap",
        "solvable - climbing the hoist chain through the trap in the ceiling",
    ],
)
def test_the_outcome_in_much_the_same_words_is_the_same(line: str) -> None:
    assert found(line) is Found.SAME


@pytest.mark.parametrize(
    "line",
    [
        "impossible - nobody gets out of there",
        "it is not possible to leave",
        "solvable - batter the steel door with the churn",
        "solvable - wait for the morning shift",
    ],
)
def test_a_known_wrong_answer_or_the_opposite_verdict_is_another(line: str) -> None:
    assert found(line) is Found.OTHER


@pytest.mark.parametrize(
    "line",
    [
        "solvable - go up by what the hoist hangs on",
        "open - nobody can tell",
        "solvable - do not climb the hoist chain through the ceiling trap",
        "impossible - unbolt the ceiling trap and climb the hoist chain",
        RECITED,
        "solvable - climb " + "the hoist chain ceiling trap unbolt " * 20,
        "solvable",
        "",
    ],
)
def test_what_is_neither_clearly_the_same_nor_another_is_for_review(line: str) -> None:
    assert found(line) is Found.REVIEW


def test_an_answer_without_its_last_line_is_for_review_and_silence_is_another() -> None:
    assert compared(f"ANSWER: {OUTCOME}\n\nAnd now\nto something\nelse.", key()).found is Found.REVIEW
    assert compared("I would climb.", key()).found is Found.REVIEW
    assert compared(" \n", key()).found is Found.OTHER


@pytest.mark.parametrize(
    ("status", "outcome", "line", "expected"),
    [
        ("PX", "SHOW THAT IT IS IMPOSSIBLE", "impossible - energy is conserved", Found.SAME),
        ("PX", "SHOW THAT IT IS IMPOSSIBLE", "solvable - with a better magnet", Found.OTHER),
        ("PX", "SHOW THAT IT IS IMPOSSIBLE", "open - who knows", Found.REVIEW),
        (
            "PX",
            "THE RITE CANNOT BE FINISHED -- ASK THE BISHOP FOR LEAVE",
            "solvable - ask the bishop for leave",
            Found.REVIEW,
        ),
        (
            "PX",
            "INVOKE THE HARBOUR RULE -- PAPERS CANNOT BE HAD",
            "solvable - invoke the harbour rule as papers are out",
            Found.SAME,
        ),
        ("CT", "CONTESTED -- cooks disagree", "contested - salt first or last", Found.SAME),
        ("CT", "CONTESTED -- cooks disagree", "solvable - salt first", Found.REVIEW),
        ("OF", "No tested solution is at hand.", "open - a design that might do", Found.SAME),
        ("OF", "No tested solution is at hand.", "impossible - never", Found.REVIEW),
        ("OF", "In all likelihood impossible.", "solvable - easily", Found.REVIEW),
        ("KS", "7316", "solvable - the code is 7316", Found.SAME),
        ("KS", "7316", "solvable - the code is 7136", Found.REVIEW),
        ("KS", "RETURN", "solvable - return somehow", Found.REVIEW),
    ],
)
def test_statuses_without_a_way_are_compared_by_their_verdict(
    status: str, outcome: str, line: str, expected: Found
) -> None:
    assert found(line, status=status, outcome=outcome) is expected


@pytest.mark.parametrize(
    ("answer", "verdict", "text"),
    [
        ("**ANSWER: solvable** - up the chain", Verdict.SOLVABLE, "up the chain"),
        ("> answer: Impossible. No.", Verdict.IMPOSSIBLE, "No."),
        ("ANSWER: open the trap", Verdict.NONE, "open the trap"),
        ("ANSWER: a\nANSWER: contested; b\n```", Verdict.CONTESTED, "b"),
    ],
)
def test_the_last_line_is_read_through_its_marks(answer: str, verdict: Verdict, text: str) -> None:
    line = line_of(answer)
    assert line is not None
    assert (line.verdict, line.text) == (verdict, text)


def test_a_hostile_answer_is_read_quickly() -> None:
    assert compared("ANSWER: " + "not " * 500_000, key()).found is Found.REVIEW
    assert compared("ANSWER:" + " " * 500_000 + "x\n" * 5, key()).found is Found.REVIEW
