"""Crossing: the story of one variant with the figures and the ending of another."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.blueprints.exchanged_things import (
    PROPERTIES,
    MergedLayers,
    UncrossableVariants,
    find_changed_draws_and_dependents,
)
from impossible_moments.blueprints.variant_crossing import QUANTITIES, combine_story_with_variant_ending

WAY = {"name": "way", "plan": "do(it)", "ends": "goal", "why": "it works"}
TRAP = {"name": "trap", "plan": "do(that)", "ends": "late", "why": "it is near"}


def solvable(**telling: Any) -> MergedLayers:
    record = {
        "quantities": ["span = 3[m]", "rope = 5[m]"],
        "things": [{"name": "it", "label": "the rope", "props": ["reach = 5[m]"]}],
        "approaches": [WAY, TRAP],
        "insights": ["do(it) = it reaches"],
        "status": {"claim": "KS-Singular", "ways": ["way"], "traps": ["trap"]},
        "prose": {"narrative": "The first story."},
    }
    return MergedLayers(record, {"correct_outcome": "Use the rope.", **telling})


def impossible(**telling: Any) -> MergedLayers:
    record = {
        "quantities": ["span = 9[m]", "extra = 1[m]"],
        "things": [{"name": "it", "label": "the rope", "props": ["reach = 2[m]", "colour = 'red'"]}],
        "approaches": [
            {**WAY, "ends": "blocked do.reaches"},
            TRAP,
            {"name": "plead", "plan": "ask(them)", "ends": "blocked ask.heard", "why": "one asks"},
        ],
        "insights": ["impossible(do.reaches) = too short"],
        "status": {"claim": "PX", "conflict": ["do.reaches"], "chains": ["way"]},
        "prose": {"narrative": "The second story."},
        "cover": ["wall.break = @ massive"],
    }
    return MergedLayers(record, {"correct_outcome": "It cannot be done.", "proof": "Too short.", **telling})


def test_the_story_and_what_closes_it_are_kept() -> None:
    record = combine_story_with_variant_ending(solvable(), impossible(), 0).record

    assert record["prose"] == {"narrative": "The second story."}
    assert record["cover"] == ["wall.break = @ massive"]


def test_the_ending_is_the_variants_own() -> None:
    found = combine_story_with_variant_ending(solvable(), impossible(), 0)

    assert found.record["insights"] == ["do(it) = it reaches"]
    assert found.notes["correct_outcome"] == "Use the rope."
    assert "proof" not in found.notes


def test_every_approach_of_the_story_ends_as_with_the_own_figures_and_is_a_way_or_a_trap() -> None:
    record = combine_story_with_variant_ending(solvable(), impossible(), 0).record

    assert {each["name"]: each["ends"] for each in record["approaches"]} == {
        "way": "goal",
        "trap": "late",
        "plead": "blocked ask.heard",
    }
    assert record["status"] == {"claim": "KS-Singular", "ways": ["way"], "traps": ["trap", "plead"]}


def test_the_other_way_round_nothing_is_spoken_of_that_the_story_does_not_have() -> None:
    record = combine_story_with_variant_ending(impossible(), solvable(), 0).record

    assert [each["name"] for each in record["approaches"]] == ["way", "trap"]
    assert record["status"] == {"claim": "PX", "conflict": ["do.reaches"], "chains": ["way"]}


def test_quantities_and_properties_are_taken_over_only_if_asked_for() -> None:
    plain, more, most = (
        combine_story_with_variant_ending(solvable(), impossible(), depth).record
        for depth in (0, QUANTITIES, PROPERTIES)
    )

    assert plain["quantities"] == ["span = 9[m]", "extra = 1[m]"]
    assert more["quantities"] == ["span = 3[m]", "extra = 1[m]"]
    assert more["things"][0]["props"] == ["reach = 2[m]", "colour = 'red'"]
    assert most["things"][0]["props"] == ["reach = 5[m]", "colour = 'red'"]


def test_a_wrong_answer_is_told_by_the_story_unless_it_fails_for_another_reason() -> None:
    mine = {"trap": "own words", "way": "own reason"}
    theirs = {"trap": "words of the story", "way": "another reason", "plead": "nobody hears"}

    found = combine_story_with_variant_ending(solvable(wrong=mine), impossible(wrong=theirs), 0).notes[
        "wrong"
    ]

    assert found == {"trap": "words of the story", "way": "own reason", "plead": "nobody hears"}


def test_nothing_is_said_of_what_is_not_there() -> None:
    found = combine_story_with_variant_ending(
        impossible(notes={"ghost": "gone"}, wrong={"plead": "no"}), solvable(), 0
    ).notes

    assert found["notes"] == {}
    assert found["wrong"] == {}


def test_neither_of_the_two_is_changed() -> None:
    own, story = solvable(), impossible()
    combine_story_with_variant_ending(own, story, PROPERTIES)

    assert (own, story) == (solvable(), impossible())


# another thing in the place of one


def renamed(laid: MergedLayers, label: str, **fields: Any) -> MergedLayers:
    """The same with its one thing called otherwise."""
    thing = {**laid.record["things"][0], "label": label, **fields}
    return MergedLayers({**laid.record, "things": [thing]}, laid.notes)


def test_a_thing_whose_figures_change_must_be_the_same_thing() -> None:
    story = renamed(impossible(), "the rope of straw", props=["reach = $long[m]"])

    with pytest.raises(UncrossableVariants, match="different things in the place of it"):
        combine_story_with_variant_ending(solvable(), story, 0, {"long"})
    assert (
        combine_story_with_variant_ending(solvable(), story, 0, {"wide"}).record["things"]
        == story.record["things"]
    )


def test_figures_that_reach_a_thing_through_quantities_count() -> None:
    story = renamed(impossible(), "the rope of straw", props=["reach = half"])
    story.record["quantities"] = ["whole = $long[m]", "half = whole/2"]

    with pytest.raises(UncrossableVariants):
        combine_story_with_variant_ending(solvable(), story, 0, {"long"})


def test_properties_are_not_handed_to_another_thing() -> None:
    with pytest.raises(UncrossableVariants):
        combine_story_with_variant_ending(solvable(), renamed(impossible(), "the rope of straw"), PROPERTIES)


def test_an_ending_must_not_speak_of_a_thing_that_is_not_there() -> None:
    with pytest.raises(UncrossableVariants):
        combine_story_with_variant_ending(solvable(), renamed(impossible(), "the ladder"), 0)


def test_a_bystander_may_have_another_name() -> None:
    own = renamed(solvable(), "the basket")

    assert (
        combine_story_with_variant_ending(own, renamed(impossible(), "the ladder"), 0).record["things"][0][
            "label"
        ]
        == "the ladder"
    )


def test_the_figures_of_a_course_may_have_any_name() -> None:
    own = renamed(solvable(), "some other way")
    story = renamed(impossible(), "the long way", kind="place", props=["lasts = $long[s]"])

    assert (
        combine_story_with_variant_ending(own, story, 0, {"long"}).record["things"] == story.record["things"]
    )


def test_what_is_computed_from_a_changed_draw_changes_too() -> None:
    before = {"base": "1..3 by 1", "twice": "= 2*$base", "more": "= $twice+1", "other": "4"}

    assert find_changed_draws_and_dependents(before, {**before, "base": "7..9 by 1"}) == {
        "base",
        "twice",
        "more",
    }
    assert find_changed_draws_and_dependents(before, before) == frozenset()
