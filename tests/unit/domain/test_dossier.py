"""The dossier: what is filed stays, and the last word of each kind is found."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from impossible_moments.domain.additional_agent_reports import (
    FurtherClassification,
    FurtherReport,
    FurtherValidation,
)
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.disputes import VetoReview
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, Phase

EMPTY = Dossier.create_for_brief(
    GenerationBrief(category="The Locked Room", difficulty_tier="SPARK", solution_status="KS")
)


def memo(text: str) -> ReviewMemo:
    return ReviewMemo(text=text, confidence=0.8)


def test_a_new_dossier_holds_its_brief_and_nothing_else() -> None:
    assert Dossier(EMPTY.brief) == EMPTY


def test_filing_leaves_the_dossier_that_was_there_as_it_was() -> None:
    EMPTY.add_deliverable(Phase.REFINE, ATHENA, memo("first"))

    assert EMPTY.entries == ()


def test_what_is_filed_stands_after_what_was_there() -> None:
    dossier = EMPTY.add_deliverable(Phase.REFINE, ATHENA, memo("first")).add_deliverable(
        Phase.REFINE, NEWTON, memo("second")
    )

    assert [entry.author for entry in dossier.entries] == [ATHENA, NEWTON]


def test_a_dossier_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        EMPTY.redesigns = 1  # type: ignore[misc]


def test_an_entry_counts_what_its_author_handed_in_of_its_kind_before() -> None:
    dossier = EMPTY.add_deliverable(Phase.REFINE, ATHENA, memo("first")).add_deliverable(
        Phase.REFINE, ATHENA, memo("second")
    )

    assert [entry.iteration for entry in dossier.entries] == [0, 1]


def test_neither_another_author_nor_another_kind_counts() -> None:
    dossier = EMPTY.add_deliverable(Phase.REFINE, NEWTON, memo("first"))
    dossier = dossier.add_deliverable(Phase.REFINE, ATHENA, VetoReview(satisfied=True, reason="it holds"))

    assert dossier.add_deliverable(Phase.REFINE, ATHENA, memo("mine")).entries[-1].iteration == 0


def test_reports_of_two_phases_are_counted_apart() -> None:
    dossier = EMPTY.add_deliverable(Phase.VALIDATE, "TURING", FurtherValidation(text="one", confidence=0.7))
    dossier = dossier.add_deliverable(
        Phase.CLASSIFY, "TURING", FurtherClassification(text="two", confidence=0.7)
    )

    assert [entry.iteration for entry in dossier.entries] == [0, 0]


def test_the_latest_of_a_kind_is_the_last_that_was_filed() -> None:
    dossier = EMPTY.add_deliverable(Phase.REFINE, ATHENA, memo("first")).add_deliverable(
        Phase.REFINE, NEWTON, memo("second")
    )

    assert dossier.find_latest_deliverable(ReviewMemo) == memo("second")


def test_the_latest_of_an_author_is_its_own() -> None:
    dossier = EMPTY.add_deliverable(Phase.REFINE, ATHENA, memo("first")).add_deliverable(
        Phase.REFINE, NEWTON, memo("second")
    )

    assert dossier.find_latest_deliverable(ReviewMemo, ATHENA) == memo("first")


def test_there_is_no_latest_of_what_nobody_handed_in() -> None:
    assert EMPTY.find_latest_deliverable(ReviewMemo) is None


def test_a_kind_includes_those_derived_from_it() -> None:
    report = FurtherValidation(text="one", confidence=0.7)

    assert (
        EMPTY.add_deliverable(Phase.VALIDATE, "TURING", report).find_latest_deliverable(FurtherReport)
        == report
    )


def test_by_author_gives_the_last_of_each() -> None:
    dossier = EMPTY.add_deliverable(Phase.REFINE, ATHENA, memo("first")).add_deliverable(
        Phase.REFINE, ATHENA, memo("second")
    )

    assert dossier.find_latest_deliverable_by_author(ReviewMemo) == {ATHENA: memo("second")}


def test_by_author_can_be_kept_to_a_phase() -> None:
    dossier = EMPTY.add_deliverable(Phase.REFINE, ATHENA, memo("first")).add_deliverable(
        Phase.DOCUMENT, NEWTON, memo("second")
    )

    assert dossier.find_latest_deliverable_by_author(ReviewMemo, Phase.REFINE) == {ATHENA: memo("first")}


def test_new_notes_replace_the_old_ones() -> None:
    dossier = EMPTY.replace_notes([AgentNote(ATHENA, "old", Phase.SEED)]).replace_notes(
        [AgentNote(EULER, "new", Phase.VALIDATE)]
    )

    assert [note.text for note in dossier.notes] == ["new"]


def test_a_note_is_for_its_addressee_alone() -> None:
    dossier = EMPTY.replace_notes(
        [AgentNote(ATHENA, "yours", Phase.SEED), AgentNote(EULER, "not yours", Phase.SEED)]
    )

    assert [note.text for note in dossier.list_notes_for(ATHENA)] == ["yours"]


def test_loops_are_counted_phase_by_phase() -> None:
    dossier = (
        EMPTY.increment_loop_count(Phase.SEED)
        .increment_loop_count(Phase.REFINE)
        .increment_loop_count(Phase.SEED)
    )

    assert dossier.loops == {Phase.SEED: 2, Phase.REFINE: 1}


def test_counting_a_loop_leaves_the_dossier_that_was_there_as_it_was() -> None:
    first = EMPTY.increment_loop_count(Phase.SEED)
    first.increment_loop_count(Phase.SEED)

    assert first.loops == {Phase.SEED: 1}
