"""Rows of the SEED gate: candidates with constraint sets, and tables that say something."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.agents.orchestrator.quality_gates import build_specified_gates
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, Phase
from support.dossiers import make_full_dossier
from support.gate_faults import build_resources

GATE = build_specified_gates()[Phase.SEED]


def good_seed() -> SeedDocument:
    found = make_full_dossier(Phase.SEED).find_latest_deliverable(SeedDocument)
    assert found is not None
    return found


def notes_on(seed: SeedDocument) -> dict[str, str]:
    dossier = make_full_dossier(Phase.SEED).add_deliverable(Phase.SEED, ATHENA, seed)
    decision = GATE.decide(dossier, 1, resources=build_resources())
    return {each.criterion: each.text for each in decision.deficiencies}


def with_first_object(**cells: str) -> SeedDocument:
    seed = good_seed()
    first, *others = seed.scenario.objects
    rows = (first.model_copy(update=cells), *others)
    return seed.model_copy(update={"scenario": seed.scenario.model_copy(update={"objects": rows})})


@pytest.mark.parametrize("count", [0, 2, 6])
def test_too_few_and_too_many_candidates_are_refused(count: int) -> None:
    first = good_seed().candidates[0]
    each = [first.model_copy(update={"situation": f"Situation {number}."}) for number in range(count)]
    assert (
        f"there are {count}."
        in notes_on(good_seed().model_copy(update={"candidates": tuple(each)}))["Candidates considered"]
    )


def test_the_same_candidate_twice_is_refused() -> None:
    same = (*good_seed().candidates[:2], good_seed().candidates[0])
    assert (
        "two candidates are the same"
        in notes_on(good_seed().model_copy(update={"candidates": same}))["Candidates considered"]
    )


@pytest.mark.parametrize("part", ["looks_impossible", "reconceived", "pruned_by"])
def test_a_candidate_needs_its_whole_constraint_set(part: str) -> None:
    first, *others = good_seed().candidates
    bare: Any = first.model_copy(update={"constraints": first.constraints.model_copy(update={part: "TBD"})})
    seed = good_seed().model_copy(update={"candidates": (bare, *others)})
    assert notes_on(seed)["Candidates considered"].startswith("State for candidate 1:")


@pytest.mark.parametrize("filler", ["none stated", "As told above.", ""])
@pytest.mark.parametrize("cell", ["mass", "material", "notes"])
def test_a_cell_that_says_nothing_is_refused(cell: str, filler: str) -> None:
    assert cell in notes_on(with_first_object(**{cell: filler}))["Object table complete"]


def test_a_place_needs_no_mass() -> None:
    seed = with_first_object(mass="", dimensions="", material="")
    things = [
        {**thing, "kind": "place"}
        if str(thing["label"]).lower() == seed.scenario.objects[0].name.lower()
        else thing
        for thing in seed.mechanics["things"]
    ]
    assert things != seed.mechanics["things"]
    placed = seed.model_copy(update={"mechanics": {**seed.mechanics, "things": things}})
    assert "Object table complete" not in notes_on(placed)


def test_an_ordinary_adult_is_not_a_capability() -> None:
    seed = good_seed()
    row = seed.scenario.capabilities[0].model_copy(update={"parameter": "Body", "value": "an ordinary adult"})
    rows = (*seed.scenario.capabilities, row)
    filled = seed.model_copy(update={"scenario": seed.scenario.model_copy(update={"capabilities": rows})})
    assert "`Body`" in notes_on(filled)["Capability table complete"]


@pytest.mark.parametrize(
    ("narrative", "position", "problem"),
    [
        ("You wake up.", "You lie in bed.", "Tell the narrative in 2 to 4 paragraphs; it has 1."),
        ("\n\n".join(["You wake up."] * 5), "You lie in bed.", "it has 5."),
        ("A man wakes up.\n\nIt is dark.", "He lies in bed.", "Address the solver as `you`"),
    ],
)
def test_a_narrative_has_two_to_four_paragraphs_and_addresses_the_solver(
    narrative: str, position: str, problem: str
) -> None:
    seed = good_seed()
    told = seed.scenario.model_copy(update={"narrative": narrative, "position": position})
    notes = notes_on(seed.model_copy(update={"scenario": told}))
    assert problem in notes["Scenario narrative complete"]


def test_a_record_without_wording_is_refused_and_the_note_names_the_calls() -> None:
    seed = good_seed()
    bare = {name: value for name, value in seed.mechanics.items() if name != "wording"}
    text = notes_on(seed.model_copy(update={"mechanics": bare}))["Wording complete"]

    assert "Wording complete" not in notes_on(seed)
    assert "working plans call `smash(chair, window)`" in text
    assert "Add: menu, deed, needs_said and near_misses for each action of a working plan" in text


def test_a_record_that_leaves_one_call_without_wording_is_refused() -> None:
    seed = good_seed()
    wording = seed.mechanics["wording"]
    others = [each for each in wording["actions"] if each["call"] != "smash"]
    assert len(others) == len(wording["actions"]) - 1
    mechanics = {**seed.mechanics, "wording": {**wording, "actions": others}}
    text = notes_on(seed.model_copy(update={"mechanics": mechanics}))["Wording complete"]

    assert "a working plan calls `smash(chair, window)`, which has no wording" in text
    assert "Add: " in text
