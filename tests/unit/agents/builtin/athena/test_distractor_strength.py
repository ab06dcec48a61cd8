"""Strength of distractors: computed from how near the stated failures come to working."""

from __future__ import annotations

import re
from typing import Any

import pytest

from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.agents.builtin.athena.design_review import review_design
from impossible_moments.agents.builtin.athena.distractor_strength import (
    judge_strength,
    measure_strength,
    measure_trap,
)
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_design import read_record_design
from impossible_moments.mechanics.records.lines import split_lines
from support.planted_faults import build_seed_of_offer
from support.small_blueprints import build_seed, draw_room


def with_blow(joules: float) -> dict[str, Any]:
    """The room with a tapper that strikes this hard; the pane withstands `pane()`."""
    record = dict(draw_room().instance.record)
    record["things"] = [
        {**thing, "props": re.sub(r"blow = [\d.]+", f"blow = {joules:g}", "\n".join(thing["props"]))}
        if thing["name"] == "tapper"
        else thing
        for thing in record["things"]
    ]
    return record


def declared(record: dict[str, Any]) -> DeclaredDesign:
    design, _ = read_record_design(record, load_everyday_library())
    assert design is not None
    return DeclaredDesign(design)


def pane() -> float:
    value = declared(draw_room().instance.record).world.quantities["opening.withstands"].value
    assert isinstance(value, float)
    return value


@pytest.mark.parametrize(
    ("share", "tier", "verdict"),
    [
        (0.8, "RUPTURE", "right"),
        (0.99, "FRACTURE", "too strong"),
        (1.2, "FRACTURE", "enables a solution"),
        (0.01, "RUPTURE", "too weak"),
        (0.01, "SPARK", "right"),
    ],
)
def test_the_verdict_follows_from_how_near_it_comes(share: float, tier: str, verdict: str) -> None:
    assert judge_strength(declared(with_blow(share * pane())), "tapper", tier)[0] == verdict


def test_a_feeble_distractor_is_enough_beside_a_strong_one() -> None:
    design = declared(with_blow(0.01 * pane()))
    assert measure_strength(design, "jump_for_it") == "strong"
    assert judge_strength(design, "tapper", "RUPTURE", ("tapper", "jump_for_it"))[0] == "right"


def test_the_remark_states_the_figure() -> None:
    assert "misses by 20%" in judge_strength(declared(with_blow(0.8 * pane())), "tapper", "RUPTURE")[1]


def test_steps_before_the_stated_failure_are_counted() -> None:
    trap = measure_trap(declared(draw_room().instance.record), "jump_for_it")
    assert trap.steps_done == 1
    assert trap.is_deep


def changed(seed: SeedDocument, **fields: Any) -> SeedDocument:
    return seed.model_copy(update=fields)


def test_a_sound_design_is_not_broken() -> None:
    review = review_design(build_seed(draw_room()), load_everyday_library())
    assert review is not None
    assert review.broken_by == ()


def test_a_trap_that_works_and_a_lost_distractor_break_the_design() -> None:
    seed = changed(build_seed(draw_room()), mechanics=with_blow(2 * pane()), distractor_inventory=())
    review = review_design(seed, load_everyday_library())
    assert review is not None
    assert review.working_traps == ("tap_at_it",)
    assert len(review.broken_by) == 2


def test_an_insight_that_no_step_uses_breaks_the_design() -> None:
    record = dict(draw_room().instance.record)
    record["insights"] = [*split_lines(record["insights"]), "polish(hammer) = It shines."]
    review = review_design(changed(build_seed(draw_room()), mechanics=record), load_everyday_library())
    assert review is not None
    assert review.unneeded_insights == ("It shines.",)


def test_revisions_lower_the_confidence() -> None:
    seed = build_seed(draw_room())
    revised = changed(seed, revision_notes=("one", "two"))
    before, after = (review_design(each, load_everyday_library()) for each in (seed, revised))
    assert before is not None
    assert after is not None
    assert after.derive_confidence()[0] < before.derive_confidence()[0]


def test_a_wrong_idea_is_judged_by_the_approach_that_follows_it() -> None:
    seed = build_seed_of_offer("dose_and_damage", "thirty_milliseconds", "disputed")
    review = review_design(seed, load_everyday_library())
    assert review is not None
    idea = next(each for each in seed.distractor_inventory if each.name == "Fire the argon")
    assert review.find_distractor_name(idea) == "strongest"
    assert "`strongest` survives" in review.judge_distractor(idea)[1]


@pytest.mark.parametrize(("share", "is_far"), [(0.5, False), (0.05, False), (0.005, True)])
def test_a_wrong_answer_that_misses_by_orders_of_magnitude_is_not_strong(
    share: float, *, is_far: bool
) -> None:
    design = declared(with_blow(share * pane()))
    (name,) = [trap for trap in design.traps if "tapper" in str(design.plans[trap])][:1]
    assert measure_trap(design, name).is_far is is_far
    assert not is_far or measure_strength(design, "tapper") != "strong"


@pytest.mark.parametrize(
    ("family", "skin", "variant", "trap"),
    [
        (
            "measure_in_dispute",
            "the_missing_ring",
            "settled",
            "by_the_short_measure",
        ),  # rings of a tree, counted
        ("how_it_is_counted", "hour_at_the_fader", "one_reading", "at_the_limit"),  # decibels, a logarithm
    ],
)
def test_plain_numbers_that_differ_in_their_digits_are_not_decided_by_rounding(
    family: str, skin: str, variant: str, trap: str
) -> None:
    design = declared(build_seed_of_offer(family, skin, variant).mechanics)
    measured = measure_trap(design, trap)
    assert measured.margin is not None
    assert -measured.margin < 0.02
    assert judge_strength(design, trap, "FRACTURE")[0] == "right"
