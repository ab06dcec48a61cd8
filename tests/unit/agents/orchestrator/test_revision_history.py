"""Revisions as the agents see them: answers, changed values with old and new, and all rounds in the trace request."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.revision_history import list_changed_values
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import Correction, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, SOCRATES
from support.dossiers import build_accepted_seed
from support.scripted_runs import (
    ScenarioRun,
    change_deliverables,
    change_fields,
    make_obliging_player,
    run_scenario,
)

WORDING: Any = (Correction(subject="S1", problem="It is vague.", proposal="Name the chair."),)
ANSWER = "EULER on S1: It is vague. Done: Step 1 names the chair."


def _run_with_answered_demand() -> ScenarioRun:
    def write_seed(_reply: SeedDocument, ask: Ask) -> SeedDocument:
        seed = build_accepted_seed()
        if ask.key.endswith("/1"):
            return seed
        return seed.model_copy(
            update={"correct_outcome": "ESCAPE through the window", "revision_notes": (ANSWER,)}
        )

    player = change_deliverables(make_obliging_player(), ATHENA, SeedDocument, write_seed)
    player = change_fields(player, EULER, MathematicsReport, times=1, corrections_needed=WORDING)
    return run_scenario(change_fields(player, NEWTON, ReviewMemo, corrections=WORDING))


@pytest.mark.parametrize(
    ("agent", "kind", "answers"), [(NEWTON, PhysicsReport, []), (EULER, MathematicsReport, [ANSWER])]
)
def test_a_validator_sees_the_changed_values_and_the_answers_to_its_own_demands(
    agent: str, kind: type[PhysicsReport | MathematicsReport], answers: list[str]
) -> None:
    first, second = _run_with_answered_demand().list_asks_to(agent, kind)
    assert "last_revision" not in first.assignment.context
    assert second.assignment.context["last_revision"] == {
        "answers": answers,
        "changes": ["correct_outcome: ESCAPE -> ESCAPE through the window"],
    }


def test_the_trace_request_shows_the_rounds() -> None:
    for ask in (each for each in _run_with_answered_demand().asks if each.returns is AgentTrace):
        assert ask.assignment.context["rounds"] == [
            f"VALIDATE, version 2: {ANSWER}",
            "REFINE, memo 1 of NEWTON wants a change: S1: It is vague. Name the chair.",
        ]


def test_the_blind_reader_learns_nothing_of_revisions() -> None:
    for ask in _run_with_answered_demand().list_asks_to(SOCRATES, ClassificationReport):
        assert {"last_revision", "rounds", "subjects"}.isdisjoint(ask.assignment.context)


def test_changed_values_are_named_by_their_entries_and_texts_by_their_sentences() -> None:
    text = "The door is shut. The clock runs. Nobody comes."
    before = {"claims": [{"claim_id": "C1", "text": "a"}, {"claim_id": "C2", "text": "b"}], "narrative": text}
    after = {"claims": [{"claim_id": "C2", "text": "c"}], "narrative": text.replace("clock", "bomb")}
    changes = list_changed_values(before, after)
    assert changes[0].startswith("claims/C1: {")
    assert changes[0].endswith("-> removed")
    assert changes[1:] == ["claims/C2/text: b -> c", "narrative: The clock runs. -> The bomb runs."]


def test_a_confidence_is_not_among_the_changed_values() -> None:
    assert (
        list_changed_values(
            {"solution_sketch": {"confidence": 0.5}}, {"solution_sketch": {"confidence": 0.9}}
        )
        == []
    )
