"""Corrections of the memos: counted by what they are about, however it is spelt, and answered if they lose."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.agents.orchestrator.phases.memo_corrections import (
    build_majority_demands,
    build_minority_notes,
)
from impossible_moments.domain.refinement import RefinementBallot, ReviewMemo
from impossible_moments.domain.validation import Correction
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES
from support.dossiers import build_accepted_seed
from support.scripted_runs import change_fields, make_obliging_player, revise_every_time, run_scenario

SEED = build_accepted_seed()
CALL = SEED.solution_sketch.steps[1].call


def _memo(subject: str, problem: str) -> ReviewMemo:
    return ReviewMemo(
        text="Seen.", corrections=(Correction(subject=subject, problem=problem),), confidence=0.8
    )


def test_what_a_majority_wants_changed_is_demanded_word_for_word() -> None:
    memos = {
        NEWTON: _memo("plank.mass", "It is too light."),
        EULER: _memo("Plank.mass", "The sum needs 12 kg."),
        GALILEO: _memo("plank.mass", "Nobody would lift it."),
        SOCRATES: _memo("narrative", "Too long."),
        ATHENA: ReviewMemo(text="Fine.", confidence=0.8),
    }
    (note,) = build_majority_demands(memos, SEED)

    assert note.owed
    assert note.demand is not None
    assert note.demand.demanded_by == "NEWTON, EULER, GALILEO"
    assert "EULER: The sum needs 12 kg." in note.demand.demand


def test_the_same_change_under_three_spellings_finds_its_majority() -> None:
    memos = {
        GALILEO: _memo("solution_sketch step 2", "A minute each is too long."),
        EULER: _memo("step 2", "34*70 s > 720 s."),
        SOCRATES: _memo(CALL, "Read literally it fails."),
        NEWTON: _memo("narrative", "Too long."),
        ATHENA: ReviewMemo(text="Fine.", confidence=0.8),
    }
    (note,) = build_majority_demands(memos, SEED)
    assert note.demand is not None
    assert (note.demand.subject, note.demand.demanded_by) == ("S2", "GALILEO, EULER, SOCRATES")
    (lost,) = build_minority_notes(memos, SEED)
    assert lost.addressee == NEWTON
    assert "1 of 5 agents want narrative changed, and 3 are needed" in lost.text


def test_the_same_proposal_of_two_agents_is_written_once() -> None:
    correction = Correction(subject="S1", problem="It is vague.", proposal="Name the chair.")
    memo = ReviewMemo(text="Seen.", corrections=(correction,), confidence=0.8)
    (note,) = build_majority_demands(dict.fromkeys((NEWTON, EULER, GALILEO), memo), SEED)
    assert note.demand is not None
    assert note.demand.proposal == "NEWTON, EULER, GALILEO: Name the chair."


def test_a_correction_without_a_subject_is_reported_as_not_counted() -> None:
    (note,) = build_minority_notes({NEWTON: _memo("", "Something is off."), EULER: _memo("S1", "x")}, SEED)[
        :1
    ]
    assert "names no subject" in note.text


@pytest.mark.parametrize("agent", [NEWTON, GALILEO])
def test_the_ballot_tells_an_author_that_its_correction_found_no_majority(agent: str) -> None:
    wanted: Any = (Correction(subject="step 1", problem="It is vague."),)
    player = change_fields(revise_every_time(make_obliging_player()), agent, ReviewMemo, corrections=wanted)
    story = run_scenario(player)
    (ask,) = story.list_asks_to(agent, RefinementBallot)
    assert ["1 of 5 agents want S1 changed" in note for note in ask.assignment.context["notes"]] == [True]
    assert [each.assignment.context["notes"] for each in story.list_asks_to(EULER, RefinementBallot)] == [[]]


def test_a_memo_is_shown_the_subjects_and_a_blind_report_is_not() -> None:
    story = run_scenario(make_obliging_player())
    shown = {ask.key: ask.assignment.context.get("subjects") for ask in story.asks}
    assert {"S1", "a banana", "narrative", *(c.claim_id for c in SEED.solution_sketch.claims)} <= {
        *(shown["REFINE/SOCRATES/memo/1"] or "").split("; ")
    }
    assert shown["VALIDATE/NEWTON/physics/1"] == shown["REFINE/SOCRATES/memo/1"]
    assert shown["CLASSIFY/SOCRATES/classification/1"] is None
