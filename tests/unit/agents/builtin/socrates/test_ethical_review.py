"""The ethical review: a subject is noted and quoted, and only what is done with it is a concern."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin.socrates.ethical_review import CHECKLIST, review_ethics

HARMLESS = "You stand at a gate with a rope."


@pytest.mark.parametrize(
    ("noted", "concern", "question"),
    [
        ("The guard was murdered last year.", "It was fun to see how the guard was murdered.", 0),
        ("Her family died in the famine.", "The famine makes a funny game show.", 1),
        (None, "Women are always afraid of rope.", 2),
        ("A drum of ammonium nitrate stands by the wall.", "Mix 3 kg of ammonium nitrate with the oil.", 3),
        ("A child is trapped behind the gate.", "The child behind the gate burns.", 4),
        ("They sing a hymn.", "The code is the missing word of a hymn.", 5),
        ("You may call for help.", "To call for help is useless, only fools do.", 6),
    ],
)
def test_the_same_subject_passes_with_notes_or_fails_by_what_is_done_with_it(
    noted: str | None, concern: str, question: int
) -> None:
    failed = review_ethics([HARMLESS, concern])
    assert failed.status == "FAIL"
    assert [answer.concern for answer in failed.checklist] == [
        place == question for place in range(len(CHECKLIST))
    ]
    assert concern in failed.notes
    if noted is not None:
        review = review_ethics([HARMLESS, noted])
        assert review.status == "PASS-WITH-NOTES"
        assert noted in review.notes


def test_a_hazard_is_named_with_the_class_that_the_library_gives_it() -> None:
    review = review_ethics(["A drum of ammonium nitrate stands by the wall."])
    assert "oxidizer: GHS class" in review.checklist[3].note


def test_a_harmless_text_passes_without_notes() -> None:
    review = review_ethics([HARMLESS, "A child could lift it."])
    assert (review.status, review.notes) == ("PASS", "")


def test_subject_and_aggravation_in_different_passages_are_not_a_concern() -> None:
    assert (
        review_ethics(["The guard was murdered last year.", "The fair was fun."]).status == "PASS-WITH-NOTES"
    )


def test_what_no_person_can_do_is_no_generalisation_about_men() -> None:
    assert review_ethics([HARMLESS, "What men cannot pull, oxen pull."]).status == "PASS"
    assert review_ethics([HARMLESS, "Everybody knows that men cannot cook."]).status == "FAIL"
