"""A seed document as a model hands it in is completed from its record, and what the floor would refuse goes back."""

import re
from functools import cache
from typing import Any

import pytest

from impossible_moments.agents.adapters.seed_faults import find_seed_faults
from impossible_moments.agents.adapters.seed_review import complete_seed_document
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.seed import ScenarioNarrative, SeedDocument
from impossible_moments.domain.vocabulary import CATEGORIES, Category
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.pipeline.cost_estimate import rehearse_asks

BLANK = ScenarioNarrative(
    name="", narrative="", environment=(), threat="", position="", objects=(), capabilities=()
)


@cache
def seed_of(category: Category) -> SeedDocument:
    """A true seed of a category."""
    brief = GenerationBrief(category=category, difficulty_tier="FRACTURE", solution_status="KS", seed=1)
    _, seed = next(iter(rehearse_asks(brief, load_configuration(), load_everyday_library())))
    assert isinstance(seed, SeedDocument)
    return seed


def faults(seed: SeedDocument, wanted: str = "KS") -> list[str]:
    whole, found = complete_seed_document(seed, load_everyday_library())
    return list(find_seed_faults(whole, found, {"solution_status": wanted}))


def with_record(seed: SeedDocument, **changes: Any) -> SeedDocument:
    return seed.model_copy(update={"mechanics": {**seed.mechanics, **changes}})


@pytest.mark.slow
@pytest.mark.parametrize("category", CATEGORIES)
def test_a_seed_whose_text_was_left_to_its_record_is_whole(category: Category) -> None:
    seed = seed_of(category).model_copy(update={"scenario": BLANK})
    whole, _ = complete_seed_document(seed, load_everyday_library())

    assert faults(seed) == []
    assert whole.scenario.narrative == seed_of(category).scenario.narrative
    assert whole.scenario.objects
    assert whole.mechanics == seed.mechanics


def test_placeholders_are_printed_wherever_they_stand() -> None:
    seed = seed_of("The Locked Room")
    name, unit = re.findall(r"(\w+) = [\d.]+\[(\w+)\]", str(seed.mechanics["quantities"]))[0]
    mirage = seed.impossibility_mirage.model_copy(
        update={"excluded_by_model": f"It is {{{name}|{unit}}} off."}
    )
    whole, _ = complete_seed_document(
        seed.model_copy(update={"impossibility_mirage": mirage}), load_everyday_library()
    )

    assert "{" not in whole.impossibility_mirage.excluded_by_model
    assert f" {unit} off." in whole.impossibility_mirage.excluded_by_model


def test_a_text_with_braces_of_its_own_stays_as_it_is() -> None:
    seed = seed_of("The Locked Room").model_copy(update={"correct_outcome": "a set {1, 2} and {nothing}"})

    assert (
        complete_seed_document(seed, load_everyday_library())[0].correct_outcome
        == "a set {1, 2} and {nothing}"
    )


def test_a_record_that_cannot_be_read_changes_nothing_and_is_handed_back() -> None:
    seed = with_record(seed_of("The Locked Room"), goal="no_such_thing.open")

    assert complete_seed_document(seed, load_everyday_library())[0] == seed
    assert any("no_such_thing" in each for each in faults(seed))


def test_another_status_than_the_brief_s_is_handed_back_with_its_reason() -> None:
    found = faults(seed_of("The Locked Room"), wanted="PX")
    (fault,) = [each for each in found if each.startswith("the record computes as KS")]

    assert "the brief asks for PX" in fault
    assert any(each.startswith("an impossibility proof is missing") for each in found)


@pytest.mark.slow
@pytest.mark.parametrize("category", CATEGORIES)
def test_a_true_seed_publishes_all_of_its_record_s_prose(category: Category) -> None:
    assert faults(seed_of(category)) == []


def test_prose_of_the_record_that_no_solver_would_see_is_handed_back() -> None:
    seed = seed_of("The Locked Room")
    prose = {
        **seed.mechanics["prose"],
        "environment": f"{seed.mechanics['prose']['environment']} The lamp hums.",
    }
    (fault,) = faults(with_record(seed, prose=prose))

    assert fault.startswith(
        "mechanics/prose/environment says `The lamp hums`, but scenario/environment does not"
    )
    assert faults(with_record(seed.model_copy(update={"scenario": BLANK}), prose=prose)) == []


def test_every_sentence_about_objects_is_published() -> None:
    seed = seed_of("The Locked Room").model_copy(update={"scenario": BLANK})
    objects = f"{seed.mechanics['prose']['objects']} A draught moves the dust. Nothing else is loose."
    whole, _ = complete_seed_document(
        with_record(seed, prose={**seed.mechanics["prose"], "objects": objects}), load_everyday_library()
    )
    published = str(whole.scenario.objects)

    assert "A draught moves the dust" in published
    assert "Nothing else is loose" in published


def test_a_number_of_its_own_is_handed_back() -> None:
    seed = seed_of("The Locked Room")
    told = seed.scenario.model_copy(update={"threat": f"{seed.scenario.threat} It is 4711 m deep."})

    assert any("4711" in each for each in faults(seed.model_copy(update={"scenario": told})))
