"""A validator that is unsure is discussed: the other validator learns its concerns, and both report again (5.2)."""

from __future__ import annotations

from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import EULER, NEWTON
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
