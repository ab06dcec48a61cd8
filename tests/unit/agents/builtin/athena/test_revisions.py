"""Revisions: a demand changes what it is about, everything else stays, and what cannot be met is said."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from impossible_moments.agents.builtin.assignment_view import RevisionDemand
from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.agents.builtin.athena.design_origin import DesignOrigin, format_origin, parse_origin
from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief
from impossible_moments.agents.builtin.athena.revisions import Reviser
from impossible_moments.agents.builtin.athena.scenario_draws import DesignDesk
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.blueprints.draw_changes import DrawChanges, iterate_stated_lines
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.seed import PhysicalClaim, SeedDocument
from impossible_moments.library.everyday_library import load_everyday_library
from support.golden_records import check_record
from support.small_blueprints import load_room

ROOM = "height_and_hammer/ice_house/one_way"


def brief_of(status: str = "KS", tier: str = "FRACTURE") -> GenerationBrief:
    return GenerationBrief.model_validate(
        {"category": "The Locked Room", "solution_status": status, "difficulty_tier": tier, "seed": 0}
    )


@cache
def desk() -> DesignDesk:
    return DesignDesk(load_room(), load_everyday_library())


@cache
def first_seed(offer: str = ROOM) -> SeedDocument:
    draft = desk().draw_origin(brief_of(), DesignOrigin(offer))
    assert draft is not None
    return build_seed_document(desk().complete_proposal(brief_of(), draft, DesignOrigin(offer)))


def revise(seed: SeedDocument, *demands: RevisionDemand) -> SeedDocument:
    return build_seed_document(Reviser(desk(), brief_of()).revise(seed, demands))


def changed_lines(before: SeedDocument, after: SeedDocument) -> dict[str, tuple[str, str]]:
    old, new = (dict(iterate_stated_lines(seed.mechanics)) for seed in (before, after))
    assert old.keys() == new.keys()
    return {path: (old[path], new[path]) for path in old if old[path] != new[path]}


def offer_of(seed: SeedDocument) -> str:
    origin = parse_origin(seed.drawn_as)
    assert origin is not None
    return origin.offer


def time_left(seed: SeedDocument) -> float:
    origin = parse_origin(seed.drawn_as)
    assert origin is not None
    draft = desk().draw_origin(brief_of(), origin)
    assert draft is not None
    declared = DeclaredDesign(draft.design)
    left = declared.estimate_time_left(declared.answering[0])
    assert left is not None
    return left


def test_only_the_draws_behind_the_subject_are_drawn_again() -> None:
    after = revise(first_seed(), RevisionDemand("It strikes too softly.", "NEWTON", "tapper.blow"))
    assert changed_lines(first_seed(), after).keys() == {"tapper.blow"}


def test_what_is_computed_from_the_subject_follows_it() -> None:
    after = revise(first_seed(), RevisionDemand("The pane is not like that.", "NEWTON", "opening.withstands"))
    assert changed_lines(first_seed(), after).keys() == {"opening.withstands", "hammer.blow"}


def test_a_proposed_value_inside_the_range_is_taken() -> None:
    demand = RevisionDemand("Too soft.", "NEWTON", "tapper.blow", proposal="State 20 J.")
    lines = dict(iterate_stated_lines(revise(first_seed(), demand).mechanics))
    assert lines["tapper.blow"].startswith("20[J]")


def test_a_proposed_value_outside_the_range_is_not_taken() -> None:
    demand = RevisionDemand("Too soft.", "NEWTON", "tapper.blow", proposal="State 500 J.")
    lines = dict(iterate_stated_lines(revise(first_seed(), demand).mechanics))
    assert not lines["tapper.blow"].startswith("500")


def test_a_fixed_number_is_set_to_what_is_proposed() -> None:
    demand = RevisionDemand("A tapper is heavier.", "NEWTON", "tapper.mass", proposal="1.2 kg")
    changed = changed_lines(first_seed(), revise(first_seed(), demand))
    assert changed.keys() == {"tapper.mass"}
    assert changed["tapper.mass"][1].startswith("1.2[kg]")


def test_a_mass_is_recomputed_from_the_density_and_volume_of_the_evidence() -> None:
    demand = RevisionDemand(
        "The mass does not fit its size.",
        "NEWTON",
        "tapper",
        evidence="0.002 m³, and wood weighs 700 kg/m³ at most",
    )
    changed = changed_lines(first_seed(), revise(first_seed(), demand))
    assert changed["tapper.mass"][1].startswith("1.4[kg]")


def test_a_late_plan_gets_more_time() -> None:
    after = revise(first_seed(), RevisionDemand("The plan leaves too little time.", "EULER"))
    assert time_left(after) > time_left(first_seed())
    assert offer_of(after) == ROOM


def test_a_demand_on_a_claim_changes_the_numbers_of_that_claim() -> None:
    seed = first_seed()
    claim = next(
        each for each in seed.solution_sketch.claims if each.expression == "hammer.blow >= opening.withstands"
    )
    changed = changed_lines(seed, revise(seed, RevisionDemand("INVALID.", "EULER", claim.claim_id)))
    assert changed.keys() == {"opening.withstands", "hammer.blow"}


def test_the_words_of_a_note_name_the_subject_if_nothing_else_does() -> None:
    seed = first_seed()
    after = revise(seed, RevisionDemand("`swing_at.breaks` at /approaches/x: `tapper.blow` is odd."))
    assert changed_lines(seed, after).keys() == {"tapper.blow"}


def test_a_claim_about_something_that_is_not_there_is_no_obstacle() -> None:
    seed = first_seed()
    claim = PhysicalClaim(claim_id="C9", text="It is high.", expression="ladder.height >= opening.sill")
    sketch = seed.solution_sketch.model_copy(update={"claims": (*seed.solution_sketch.claims, claim)})
    after = revise(
        seed.model_copy(update={"solution_sketch": sketch}), RevisionDemand("INVALID.", "EULER", "C9")
    )
    assert "ladder" not in str(after.solution_sketch.claims)


def test_other_numbers_are_no_answer_to_a_demand_on_the_whole_text() -> None:
    demand = RevisionDemand(
        "The hidden assumption was named without seeing the solution.", "SOCRATES", "text"
    )
    after = revise(first_seed(), demand)
    (note,) = after.revision_notes
    assert "took another" in note
    assert after.scenario.narrative != first_seed().scenario.narrative


def test_demands_and_answers_are_kept_word_for_word() -> None:
    demand = RevisionDemand("It strikes too softly, I think.", "NEWTON", "tapper.blow")
    (note,) = revise(first_seed(), demand).revision_notes
    assert note.startswith(
        "NEWTON on tapper.blow: “It strikes too softly, I think.” Answer: changed tapper.blow from "
    )


def test_a_repeated_demand_leads_to_another_situation_and_is_said() -> None:
    demand = RevisionDemand("It strikes with 18 J, which is too soft.", "NEWTON", "tapper.blow")
    again = RevisionDemand("It strikes with 22 J, which is too soft.", "NEWTON", "tapper.blow")
    second = revise(first_seed(), demand)
    third = revise(second, again)
    assert offer_of(second) == ROOM
    assert offer_of(third) != ROOM
    assert any(again.demand in question for question in third.open_questions)
    assert len(third.revision_notes) == 2


def test_a_situation_that_was_given_up_is_not_taken_again() -> None:
    near = RevisionDemand("The concept is too near to a scenario that exists.")
    seeds = [first_seed()]
    situations = sum(offer.claim.startswith("KS") for offer in load_room().iterate_offers())
    for _ in range(situations - 1):
        seeds.append(revise(seeds[-1], near))
    offers = [offer_of(seed) for seed in seeds]
    assert len(offers) == len(set(offers)) == situations
    with pytest.raises(UnreachableBrief, match="too similar to an existing scenario"):
        revise(seeds[-1], near)


def test_a_redesign_avoids_what_the_reason_objects_to_and_takes_what_it_asks_for() -> None:
    wanted = revise(
        first_seed(), RevisionDemand("Redesign the scenario: use an archive of a printing press instead.")
    )
    other = revise(
        first_seed(), RevisionDemand("Redesign the scenario: the archive and its press are implausible.")
    )
    assert "press_archive" in offer_of(wanted)
    assert "press_archive" not in offer_of(other)


def test_praise_changes_nothing() -> None:
    after = revise(first_seed(), RevisionDemand("WELL_DISGUISED: The trivial solution was not seen."))
    assert after.mechanics == first_seed().mechanics


@pytest.mark.parametrize("subject", ["a tapper", "opening.sill", "step 2", ""])
def test_a_revised_design_still_computes_as_claimed(subject: str) -> None:
    after = revise(first_seed(), RevisionDemand("This cannot be right.", "NEWTON", subject))
    assert after.mechanics != first_seed().mechanics
    report = check_record(after.mechanics)
    assert report.findings.errors == ()
    assert report.verdict is not None
    assert report.verdict.status == after.mechanics["status"]["claim"]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"attempt": 2, "turn": 1},
        {"used": ("a/b/c",)},
        {"changes": DrawChanges({"sill": 2}, {"mass": "70"}, {"x.mass": "1[kg]"})},
    ],
)
def test_an_origin_is_read_as_it_was_written(fields: dict[str, Any]) -> None:
    origin = DesignOrigin(ROOM, **fields)
    assert parse_origin(format_origin(origin)) == origin


@pytest.mark.parametrize("text", ["", "a design of somebody else", "[]", '{"offer": 3}'])
def test_other_texts_are_no_origin(text: str) -> None:
    assert parse_origin(text) is None
