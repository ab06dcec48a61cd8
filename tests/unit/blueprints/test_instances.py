"""An instance is a blueprint in a skin and a variant with everything drawn."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.blueprints.catalogue import Offer
from impossible_moments.blueprints.instances import (
    BlueprintInstance,
    build_placeholder_instance,
    draw_instance,
)
from impossible_moments.errors import ConfigurationError
from impossible_moments.library.everyday_library import load_everyday_library
from support.small_blueprints import build_small_offer

SEEDS = range(60)


def made(offer: Offer, *names: object, turn: int | None = None) -> BlueprintInstance:
    return draw_instance(offer, load_everyday_library(), *names, turn=turn)


def refusal(offer: Offer) -> str:
    with pytest.raises(ConfigurationError) as caught:
        made(offer, 0)
    return str(caught.value)


def narrative(**paragraphs: object) -> dict[str, Any]:
    return {"prose": {"narrative": paragraphs}}


def things(*names: str) -> list[dict[str, str]]:
    return [{"name": name, "label": f"a {name}"} for name in names]


def names_of(found: BlueprintInstance) -> list[str]:
    return [thing["name"] for thing in found.record["things"]]


def test_a_record_says_what_it_is() -> None:
    record = made(build_small_offer(), 0).record

    assert (record["format"], record["title"], record["category"]) == (
        "im-mechanics/1",
        "Bare",
        "The Locked Room",
    )


@pytest.mark.parametrize(
    ("layers", "goal"),
    [
        ({"blueprint"}, "blueprint"),
        ({"blueprint", "skin"}, "skin"),
        ({"blueprint", "skin", "option"}, "option"),
        ({"blueprint", "skin", "option", "variant"}, "variant"),
        ({"blueprint", "skin", "option", "variant", "told"}, "told"),
    ],
    ids=["blueprint", "skin", "option", "blueprints_variant", "skins_variant"],
)
def test_layers_lie_over_each_other_in_their_order(layers: set[str], goal: str) -> None:
    def layer(name: str) -> dict[str, Any]:
        return {"record": {"goal": name}, "telling": {"concept": name}} if name in layers else {}

    offer = build_small_offer(
        {**layer("blueprint"), "variants": {"only": layer("variant")}},
        titles=["Bare"],
        telling={"concept": "skin"} if "skin" in layers else {},
        record={**narrative(first="x"), **({"goal": "skin"} if "skin" in layers else {})},
        options={"pair": {"of": [layer("option")]}},
        variants={"only": layer("told")},
    )
    found = made(offer, 0)

    assert (found.record["goal"], found.notes.concept) == (goal, goal)


def test_what_is_drawn_stands_in_record_and_telling_alike() -> None:
    offer = build_small_offer(
        {"draws": {"sill": "2.5"}, "record": {"quantities": "sill = $sill[m]", "deep": [{"name": "$sill"}]}},
        telling={"concept": "It is $sill up."},
    )
    found = made(offer, 0)

    assert found.record["quantities"] == "sill = 2.5[m]"
    assert found.record["deep"] == [{"name": "2.5"}]
    assert found.notes.concept == "It is 2.5 up."


def test_a_later_layers_draw_takes_the_earliers_place() -> None:
    offer = build_small_offer({"draws": {"sill": "2"}, "record": {"goal": "$sill"}}, draws={"sill": "3"})

    assert made(offer, 0).record["goal"] == "3"


def test_a_text_stands_for_its_words_with_what_was_drawn() -> None:
    offer = build_small_offer(
        draws={"n": 4}, texts={"rope": "A rope of $n strands."}, record=narrative(first="$rope")
    )

    assert made(offer, 0).record["prose"]["narrative"] == "A rope of 4 strands."


def test_an_unknown_name_in_a_record_is_told() -> None:
    assert "`$sil`, which is not drawn" in refusal(
        build_small_offer(record={**narrative(first="x"), "goal": "$sil"})
    )


def test_a_misspelt_field_of_a_telling_is_told_with_its_place() -> None:
    said = refusal(
        build_small_offer(
            telling={"insights": {"go(*)": {"tipe": "frame", "type": "frame", "domain": "heat"}}}
        )
    )

    assert said.startswith(
        "the section `telling` of the blueprint plain/bare/only is not valid: at /insights/go(*)/tipe, `tipe` is not a field"
    )
    assert said.endswith("Did you mean `type`?")


def test_a_skin_without_prose_says_what_to_write() -> None:
    assert refusal(build_small_offer(record={})) == (
        "the blueprint plain/bare/only has no prose: write `prose: {narrative: ...}` in the skin's record."
    )


def test_a_skin_without_titles_says_what_to_write() -> None:
    assert (
        refusal(build_small_offer(titles=[]))
        == "the blueprint plain/bare/only has no title: write `titles: [...]` in the skin."
    )


def test_paragraphs_are_joined_in_the_order_of_their_keys_in_the_file() -> None:
    found = made(build_small_offer(record=narrative(zeta="First\n  this.", alpha="Then that.")), 0)

    assert found.record["prose"]["narrative"] == "First this.\n\nThen that."


def test_a_variant_replaces_a_paragraph_in_its_place() -> None:
    offer = build_small_offer(
        record=narrative(first="One.", second="Two.", third="Three."),
        variants={"only": {"record": narrative(second="Other.")}},
    )

    assert made(offer, 0).record["prose"]["narrative"] == "One.\n\nOther.\n\nThree."


def test_a_paragraph_set_to_nothing_is_left_out() -> None:
    offer = build_small_offer(
        record=narrative(first="One.", second="Two."), variants={"only": {"record": narrative(second=None)}}
    )

    assert made(offer, 0).record["prose"]["narrative"] == "One."


def test_a_part_of_the_prose_set_to_nothing_is_left_out() -> None:
    offer = build_small_offer(record={"prose": {"narrative": "One.", "threat": None}})

    assert set(made(offer, 0).record["prose"]) == {"narrative"}


@given(take=st.integers(1, 5), seed=st.integers())
def test_exactly_as_many_options_are_taken_as_are_asked_for(take: int, seed: int) -> None:
    of = [{"record": {"things": things(name)}} for name in ("rope", "saw", "file", "lamp", "rag")]
    found = names_of(made(build_small_offer(options={"tools": {"take": take, "of": of}}), seed))

    assert len(found) == len(set(found)) == take


def test_every_option_is_taken_some_time() -> None:
    of = [{"record": {"things": things(name)}} for name in ("rope", "saw", "file")]
    offer = build_small_offer(options={"tools": {"take": 2, "of": of}})

    assert {frozenset(names_of(made(offer, seed))) for seed in SEEDS} == {
        frozenset({"rope", "saw"}),
        frozenset({"rope", "file"}),
        frozenset({"saw", "file"}),
    }


def test_options_come_in_the_order_of_the_file() -> None:
    of = [{"record": {"things": things(name)}} for name in ("rope", "saw", "file")]
    offer = build_small_offer(options={"tools": {"take": 3, "of": of}})

    assert all(names_of(made(offer, seed)) == ["rope", "saw", "file"] for seed in range(10))


def test_more_options_than_there_are_cannot_be_taken() -> None:
    assert (
        refusal(build_small_offer(options={"tools": {"take": 2, "of": [{}]}}))
        == "the blueprint's option group `tools` takes 2 options, but lists only 1."
    )


def test_draws_of_an_option_that_is_not_taken_are_not_made() -> None:
    of = [{"draws": {"n": "= $nowhere"}, "record": {"goal": "bad"}}, {"record": {"goal": "good"}}]
    offer = build_small_offer(options={"tools": {"of": of}})
    goals = set()
    for seed in SEEDS:
        try:
            goals.add(made(offer, seed).record["goal"])
        except ConfigurationError:
            goals.add("refused")

    assert goals == {"good", "refused"}


def test_adding_an_option_group_changes_no_draw_and_no_other_group() -> None:
    tools = {"take": 1, "of": [{"record": {"goal": name}} for name in "abc"]}
    more = {"of": [{"record": {"deadline": name}} for name in "xyz"]}
    plain = build_small_offer(draws={"n": "0..999 by 1"}, options={"tools": tools}, telling={"concept": "$n"})
    richer = build_small_offer(
        draws={"n": "0..999 by 1"}, options={"more": more, "tools": tools}, telling={"concept": "$n"}
    )

    for seed in SEEDS:
        one, other = made(plain, seed), made(richer, seed)
        assert (one.record["goal"], one.notes) == (other.record["goal"], other.notes)


def test_the_same_names_make_the_same_instance() -> None:
    offer = build_small_offer(draws={"n": "0..999 by 1"}, telling={"concept": "$n"}, titles=["A", "B", "C"])

    assert made(offer, 3, 1) == made(offer, 3, 1)


def test_another_attempt_makes_another_instance() -> None:
    offer = build_small_offer(draws={"n": "0..999999 by 100"}, telling={"concept": "$n"})

    assert len({made(offer, 3, attempt).notes.concept for attempt in range(20)}) > 15


def test_offers_of_one_seed_draw_apart() -> None:
    draws = {"n": "0..999999 by 100"}
    one = build_small_offer(draws=draws, telling={"concept": "$n"})
    other = build_small_offer(draws=draws, telling={"concept": "$n"}, name="other")

    assert any(made(one, seed).notes != made(other, seed).notes for seed in range(3))


def test_each_title_is_drawn_some_time() -> None:
    offer = build_small_offer(titles=["A", "B", "C"])

    assert {made(offer, seed).record["title"] for seed in SEEDS} == {"A", "B", "C"}


def test_titles_take_turns_where_their_use_is_counted() -> None:
    offer = build_small_offer(titles=["A", "B", "C"])

    assert [made(offer, 0, turn=turn).record["title"] for turn in range(5)] == ["A", "B", "C", "A", "B"]


def test_a_variants_titles_go_before_the_skins() -> None:
    offer = build_small_offer(titles=["A"], variants={"only": {"titles": ["B"]}})

    assert made(offer, 0).record["title"] == "B"


def test_a_draw_named_title_is_drawn_apart_from_the_title() -> None:
    offer = build_small_offer(titles=["A", "B"], draws={"title": "A | B"}, telling={"concept": "$title"})
    found = [made(offer, seed) for seed in SEEDS]

    assert any(each.record["title"] != each.notes.concept for each in found)


def test_what_is_imagined_has_the_options_that_are_asked_for() -> None:
    of = [{"record": {"things": things(name)}} for name in ("rope", "saw", "file")]
    offer = build_small_offer(options={"tools": {"take": 2, "of": of}})

    assert names_of(build_placeholder_instance(offer, load_everyday_library(), {"tools": (0, 2)})) == [
        "rope",
        "file",
    ]


def test_what_is_imagined_is_no_draw_of_any_seed() -> None:
    offer = build_small_offer(draws={"n": "0..9999 by 1"}, telling={"concept": "$n"})
    dreamt = build_placeholder_instance(offer, load_everyday_library(), {}).notes.concept

    assert dreamt not in {made(offer, seed, 0).notes.concept for seed in SEEDS}
