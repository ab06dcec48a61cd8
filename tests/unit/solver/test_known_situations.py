"""A solver knows situations by their things, and none of the numbers of the one it reads."""

from __future__ import annotations

import pytest

from impossible_moments.blueprints.catalogue import Offer
from impossible_moments.blueprints.instance_trials import draw_and_check_instance
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.solver.known_situations import MOST_IMAGINED
from impossible_moments.solver.public_text import PublicText
from support.small_blueprints import (
    build_garden_offer,
    build_room_situations,
    build_situations,
    build_small_offer,
    draw_room,
    extract_prose,
    extract_public_text,
    load_room,
)


def _names(text: PublicText) -> list[str]:
    return [offer.name for offer in build_room_situations().find_matching_offers(text)]


def named(*words: str) -> PublicText:
    return PublicText({"narrative": " ".join(words)}, ())


def with_thing(name: str, label: str) -> dict[str, object]:
    return {"record": {"things": [{"name": name, "label": label}]}}


@pytest.mark.parametrize("skin", ["ice_house", "organ_loft", "press_archive"])
def test_a_situation_is_recognised_by_its_things(skin: str) -> None:
    text = extract_public_text(draw_room(f"{skin}/one_way"))

    assert _names(text)[0].startswith(f"height_and_hammer/{skin}/")


def test_every_variant_of_a_recognised_skin_is_thought_of() -> None:
    found = _names(extract_public_text(draw_room("organ_loft/one_way")))

    assert found[:3] == [
        offer.name for offer in load_room().iterate_offers() if offer.skin.name == "organ_loft"
    ]


def test_a_text_about_nothing_known_is_not_recognised() -> None:
    assert _names(named("Nothing in here is like anything.")) == []


def test_only_the_best_few_are_thought_of() -> None:
    labels = ["a lamp", "a lamp and a rope", "a lamp and a saw", "a lamp and a file"]
    known = build_situations(
        *(
            build_small_offer(name=f"skin{at}", record={"things": [{"name": "it", "label": label}]})
            for at, label in enumerate(labels)
        )
    )

    assert [offer.skin.name for offer in known.find_matching_offers(named("a lamp and a saw"))] == [
        "skin0",
        "skin2",
    ]
    assert len(known.find_matching_offers(named(*labels))) == 3


def test_the_skin_of_whose_things_more_are_named_comes_first() -> None:
    def skin(name: str, *things: str) -> Offer:
        return build_small_offer(
            name=name, record={"things": [{"name": each, "label": f"a {each}"} for each in things]}
        )

    known = build_situations(skin("first", "lamp", "anvil"), skin("second", "lamp", "saw"))

    assert [offer.skin.name for offer in known.find_matching_offers(named("a lamp, a saw"))] == [
        "second",
        "first",
    ]


def test_a_skins_own_name_for_a_thing_goes_before_the_blueprints() -> None:
    known = build_situations(
        build_small_offer(with_thing("it", "a lamp"), record={"things": [{"name": "it", "label": "a buoy"}]})
    )

    assert known.find_matching_offers(named("a lamp")) == ()
    assert known.find_matching_offers(named("a buoy"))


def test_things_of_options_and_variants_are_known() -> None:
    known = build_situations(
        build_small_offer(
            options={"tools": {"of": [with_thing("saw", "a saw")]}},
            variants={"only": with_thing("axe", "an axe")},
        )
    )

    assert known.find_matching_offers(named("the saw"))
    assert known.find_matching_offers(named("that axe"))


def test_each_combination_of_options_is_imagined() -> None:
    of = [with_thing(name, f"a {name}") for name in ("saw", "axe", "rope")]
    offer = build_small_offer(
        options={"tools": {"take": 2, "of": of}, "light": {"of": [with_thing("lamp", "a lamp"), {}]}}
    )
    found = {
        tuple(thing["name"] for thing in each.record["things"])
        for each in build_situations(offer).generate_placeholder_instances(offer)
    }

    assert len(found) == 6
    assert {("saw", "axe", "lamp"), ("axe", "rope")} <= found


def test_no_more_is_imagined_than_can_be_held_against_a_text() -> None:
    of = [with_thing(f"tool{at}", f"a tool{at}") for at in range(12)]
    offer = build_small_offer(options={"tools": {"take": 3, "of": of}})

    assert len(list(build_situations(offer).generate_placeholder_instances(offer))) == MOST_IMAGINED


def test_a_file_that_cannot_be_drawn_from_is_passed_over() -> None:
    offer = build_small_offer(titles=[])

    assert list(build_situations(offer).generate_placeholder_instances(offer)) == []


def test_what_is_imagined_is_the_same_whoever_reads() -> None:
    offer = build_garden_offer("Guests keep to the gravel")
    extract_prose(draw_and_check_instance(offer, load_everyday_library(), 5, 0))

    assert list(build_situations(offer).generate_placeholder_instances(offer)) == list(
        build_situations(offer).generate_placeholder_instances(offer)
    )
