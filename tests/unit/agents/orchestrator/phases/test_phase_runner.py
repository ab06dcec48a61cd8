"""A validator that is unsure is discussed: the other validator learns its concerns, and both report again (5.2)."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.phases.phase_runner import has_new_situation
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, Phase
from support.planted_faults import build_dossier, build_healthy_seed, replace_words
from support.scripted_runs import change_fields, make_obliging_player, run_scenario


def test_a_low_confidence_is_discussed_with_the_other_validator() -> None:
    player = change_fields(
        make_obliging_player(),
        NEWTON,
        PhysicsReport,
        times=1,
        confidence=0.65,
        concerns=("The pane may hold.",),
    )
    story = run_scenario(player)

    notes = {
        ask.agent: " ".join(ask.assignment.context["notes"])
        for ask in story.asks
        if ask.key in {"VALIDATE/NEWTON/physics/2", "VALIDATE/EULER/mathematics/2"}
    }
    assert "NEWTON is unsure: The pane may hold. Say what your own work shows about it." in notes[EULER]
    assert "0.65" not in notes[EULER]
    assert notes[NEWTON]
    (entry,) = [each for each in story.end.dossier.disagreements if each.kind == "confidence"]
    assert (entry.agents, entry.method) == ((NEWTON,), "structured discussion")
    assert story.end.is_accepted


@pytest.mark.parametrize(("name", "is_new"), [("loft", True), ("cellar", False)])
def test_only_a_document_with_other_objects_is_another_situation(name: str, *, is_new: bool) -> None:
    earlier: Dossier = build_dossier(build_healthy_seed("cellar"))
    after: SeedDocument = (
        replace_words("lead", "tin")(build_healthy_seed(name)) if not is_new else build_healthy_seed(name)
    )
    assert has_new_situation(earlier, earlier.add_deliverable(Phase.REFINE, ATHENA, after)) is is_new
