"""The comparison with a stated outcome: the same, clearly another, or for review."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict
from impossible_moments.evaluation.imported_scenarios.outcome_comparison import (
    OutcomeMatch,
    compare_with_stated_outcome,
    parse_answer_line,
)
from support.imported_documents import OUTCOME, build_key

RECITED = (
    "solvable - the churn, the broom, the shirt, the cream, the handle, the grille, the bolt, the trap, the ceiling, the hoist, "
    "the chain, the door, the loft, the compressor, the tiles and to climb"
)


def found(line: str, *, status: str = "KS", outcome: str = OUTCOME) -> OutcomeMatch:
    return compare_with_stated_outcome(
        f"I thought about it.\nANSWER: {line}", build_key(status=status, outcome=outcome)
    ).outcome_match


@pytest.mark.parametrize(
    "line",
    [
        "solvable - draw the bolt of the ceiling trap and climb up the hoist chain",
        "climb the hoist's chain, not the door, through the ceiling trap",
        "solvable - climbing the hoist chain through the trap in the ceiling",
    ],
)
def test_the_outcome_in_much_the_same_words_is_the_same(line: str) -> None:
    assert found(line) is OutcomeMatch.SAME


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
    assert found(line) is OutcomeMatch.OTHER


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
    assert found(line) is OutcomeMatch.REVIEW


def test_an_answer_without_its_last_line_is_for_review_and_silence_is_another() -> None:
    assert (
        compare_with_stated_outcome(
            f"ANSWER: {OUTCOME}\n\nAnd now\nto something\nelse.", build_key()
        ).outcome_match
        is OutcomeMatch.REVIEW
    )
    assert compare_with_stated_outcome("I would climb.", build_key()).outcome_match is OutcomeMatch.REVIEW
    assert compare_with_stated_outcome(" \n", build_key()).outcome_match is OutcomeMatch.OTHER


@pytest.mark.parametrize(
    ("status", "outcome", "line", "expected"),
    [
        ("PX", "SHOW THAT IT IS IMPOSSIBLE", "impossible - energy is conserved", OutcomeMatch.SAME),
        ("PX", "SHOW THAT IT IS IMPOSSIBLE", "solvable - with a better magnet", OutcomeMatch.OTHER),
        ("PX", "SHOW THAT IT IS IMPOSSIBLE", "open - who knows", OutcomeMatch.REVIEW),
        (
            "PX",
            "THE RITE CANNOT BE FINISHED -- ASK THE BISHOP FOR LEAVE",
            "solvable - ask the bishop for leave",
            OutcomeMatch.REVIEW,
        ),
        (
            "PX",
            "INVOKE THE HARBOUR RULE -- PAPERS CANNOT BE HAD",
            "solvable - invoke the harbour rule as papers are out",
            OutcomeMatch.SAME,
        ),
        ("CT", "CONTESTED -- cooks disagree", "contested - salt first or last", OutcomeMatch.SAME),
        ("CT", "CONTESTED -- cooks disagree", "solvable - salt first", OutcomeMatch.REVIEW),
        ("OF", "No tested solution is at hand.", "open - a design that might do", OutcomeMatch.SAME),
        ("OF", "No tested solution is at hand.", "impossible - never", OutcomeMatch.REVIEW),
        ("OF", "In all likelihood impossible.", "solvable - easily", OutcomeMatch.REVIEW),
        ("KS", "7316", "solvable - the code is 7316", OutcomeMatch.SAME),
        ("KS", "7316", "solvable - the code is 7136", OutcomeMatch.REVIEW),
        ("KS", "RETURN", "solvable - return somehow", OutcomeMatch.REVIEW),
    ],
)
def test_statuses_without_a_way_are_compared_by_their_verdict(
    status: str, outcome: str, line: str, expected: OutcomeMatch
) -> None:
    assert found(line, status=status, outcome=outcome) is expected


@pytest.mark.parametrize(
    ("answer", "verdict", "text"),
    [
        ("**ANSWER: solvable** - up the chain", AnswerVerdict.SOLVABLE, "up the chain"),
        ("> answer: Impossible. No.", AnswerVerdict.IMPOSSIBLE, "No."),
        ("ANSWER: open the trap", AnswerVerdict.NONE, "open the trap"),
        ("ANSWER: a\nANSWER: contested; b\n```", AnswerVerdict.CONTESTED, "b"),
    ],
)
def test_the_last_line_is_read_through_its_marks(answer: str, verdict: AnswerVerdict, text: str) -> None:
    line = parse_answer_line(answer)
    assert line is not None
    assert (line.verdict, line.text) == (verdict, text)


def test_a_hostile_answer_is_read_quickly() -> None:
    assert (
        compare_with_stated_outcome("ANSWER: " + "not " * 500_000, build_key()).outcome_match
        is OutcomeMatch.REVIEW
    )
    assert (
        compare_with_stated_outcome("ANSWER:" + " " * 500_000 + "x\n" * 5, build_key()).outcome_match
        is OutcomeMatch.REVIEW
    )
