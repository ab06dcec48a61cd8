"""Halves of a split scenario: ATHENA designs each for its own reading."""

from __future__ import annotations

from impossible_moments.domain.brief import DisputedReading, GenerationBrief
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, Phase
from support.planted_faults import perform_role

BRIEF = GenerationBrief.model_validate(
    {"category": "The Locked Room", "solution_status": "KS", "difficulty_tier": "FRACTURE", "seed": 1}
)


def _design(reading: str = "") -> SeedDocument:
    taken = DisputedReading(of="IM-0007", text=reading) if reading else None
    brief = BRIEF.model_copy(update={"reading": taken})
    seed = perform_role(Dossier.create_for_brief(brief), ATHENA, Phase.SEED, SeedDocument)
    assert isinstance(seed, SeedDocument)
    return seed


def test_each_half_states_its_reading() -> None:
    assert (
        "IM-0007, with the reading of ATHENA: as handed in"
        in _design("ATHENA: as handed in").revision_notes[0]
    )


def test_the_reading_of_an_objector_changes_what_it_objects_to() -> None:
    plain = _design()
    objected = _design("NEWTON: not `the plan works`: `clock` must be another value.")
    assert objected.mechanics != plain.mechanics
    assert any(note.startswith("NEWTON") for note in objected.revision_notes)


def test_the_words_of_a_reading_choose_the_situation() -> None:
    halibut = _design("ATHENA: a frozen halibut in the cold store of a fish auction breaks the pane")
    assert "halibut" in str(halibut.scenario).lower()
    assert "halibut" not in str(_design().scenario).lower()
