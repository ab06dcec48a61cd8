"""Tests of the wording of a record, resolved against its world."""

from __future__ import annotations

import pytest

from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.checks import build_analysis_without_search
from impossible_moments.mechanics.records import parse_call
from impossible_moments.mechanics.wording import RecordWording
from support.worded_record import WORDING, build_worded_record


def resolve(**changes: object) -> RecordWording:
    analysis = build_analysis_without_search(build_worded_record(**changes), load_everyday_library())
    assert analysis is not None
    return RecordWording(analysis.engine)


def test_a_wording_prints_the_labels_of_the_things() -> None:
    found = resolve().find_wording(parse_call("tie(magnet, lace)"))

    assert found is not None
    assert found.menu == "Tie a fridge magnet to a boot lace"
    assert found.deed == "A fridge magnet is knotted to one end of a boot lace."
    assert found.near_misses == ("hold a fridge magnet over the grate by hand",)


def test_a_slot_in_what_must_be_said_stands_for_every_name_of_the_thing() -> None:
    found = resolve().find_wording(parse_call("tie(magnet, lace)"))

    assert found is not None
    assert {each.name: each.alternatives for each in found.needed} == {
        "magnet": ("fridge magnet", "magnet"),
        "joined": ("tie", "knot", "fasten", "hook"),
        "line": ("boot lace", "shoe lace", "shoestring", "lace"),
    }


def test_the_most_specific_entry_counts() -> None:
    special = {"call": "tie(magnet, lace)", "menu": "Tie it", "deed": "It is tied."}
    wording = resolve(actions=[special, *WORDING["actions"]])
    by_thing = wording.find_wording(parse_call("tie(magnet, lace)"))
    by_pattern = wording.find_wording(parse_call("tie(magnet, umbrella)"))

    assert by_thing is not None
    assert by_pattern is not None
    assert (by_thing.menu, by_pattern.menu) == ("Tie it", "Tie a fridge magnet to a rolled umbrella")


def test_a_call_without_an_entry_has_no_wording() -> None:
    assert resolve(actions=[]).find_wording(parse_call("tie(magnet, lace)")) is None


def test_sentences_print_figures_of_the_record() -> None:
    assert resolve().conditions["tie.l"] == "the line reaches down 1.2 m"


@pytest.mark.parametrize("thing", ["keys", "lace", "umbrella"])
def test_every_thing_has_its_label_as_a_name(thing: str) -> None:
    assert resolve().names[thing][0].split()[-1] in {"keys", "lace", "umbrella"}
