"""Subjects of corrections: every usual spelling of a part leads to its name."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.revision_subjects import list_revision_subjects, resolve_subject
from support.dossiers import build_accepted_seed

SEED = build_accepted_seed()
CLAIM = SEED.solution_sketch.claims[0].claim_id
CALL = SEED.solution_sketch.steps[1].call


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("S2", "S2"),
        ("step 2", "S2"),
        ("Step 2 of the sketch", "S2"),
        ("solution_sketch step 2", "S2"),
        ("solution_sketch/steps/1", "S2"),
        ("/solution_sketch/steps/1/action", "S2"),
        ("solution_sketch.steps[1]", "S2"),
        (f"`{CALL}`", "S2"),
        (CALL, "S2"),
        (SEED.solution_sketch.steps[1].action, "S2"),
        (CLAIM, CLAIM),
        (f"claim {CLAIM}", CLAIM),
        ("solution_sketch/claims/0", CLAIM),
        ("a banana", "a banana"),
        ("Banana", "a banana"),
        ("distractor_inventory/0/strength", "a banana"),
        ("scenario/narrative", "narrative"),
        ("the text", "narrative"),
        ("scenario/threat", "threat"),
        ("insight 1", "I1"),
        ("insight_chain/0", "I1"),
        ("mechanics/quantities/0", "side"),
        ("mechanics/quantities/fuse", "fuse"),
        ("plank.mass", "plank.mass"),
        ("steps 1 and 2", "steps 1 and 2"),
        ("  ", ""),
    ],
)
def test_a_spelling_leads_to_the_name(spelling: str, name: str) -> None:
    assert resolve_subject(spelling, SEED) == name


def test_every_name_in_the_list_stands_for_itself() -> None:
    names = list_revision_subjects(SEED)
    assert {"S1", "I1", "a banana", "narrative", "environment", CLAIM} <= set(names)
    assert [name for name in names if resolve_subject(name, SEED) != name] == []
