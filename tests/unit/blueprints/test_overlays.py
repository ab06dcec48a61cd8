"""What an overlay names it replaces, what it does not name stays, and nothing is changed in place."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.blueprints.overlays import merge_overlays
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records.lines import split_lines

Data = dict[str, Any]
THINGS: Data = {"things": [{"name": "rope", "label": "a rope", "props": "length = 9[m]"}, {"name": "crate"}]}
NONE: frozenset[str] = frozenset()


def refusal(base: Data, *overlays: Data) -> str:
    with pytest.raises(ConfigurationError) as caught:
        merge_overlays(base, *overlays)
    return str(caught.value)


def test_what_is_named_is_replaced_and_the_rest_stays() -> None:
    assert merge_overlays({"goal": "a", "deadline": "b"}, {"goal": "c"}) == {"goal": "c", "deadline": "b"}


def test_later_overlays_lie_over_earlier_ones() -> None:
    assert merge_overlays({"goal": "a"}, {"goal": "b"}, {"goal": "c"}) == {"goal": "c"}


@pytest.mark.parametrize("section", ["quantities", "roles", "insights", "never", "rates", "cover"])
def test_lines_go_by_the_name_before_their_sign(section: str) -> None:
    laid = merge_overlays({section: "one = 1; two = 2"}, {section: "two = 3; three = 4"})

    assert laid == {section: ["one = 1", "two = 3", "three = 4"]}


@pytest.mark.parametrize("written", ["two = 3", ["two = 3"], {"two": 3}], ids=["text", "list", "map"])
def test_lines_may_be_written_in_each_of_their_ways(written: object) -> None:
    assert merge_overlays({"quantities": "one = 1; two = 2"}, {"quantities": written}) == {
        "quantities": ["one = 1", "two = 3"]
    }


def test_a_line_is_found_by_a_call_as_its_name() -> None:
    base = {"insights": "swing(rope, *) = A rope is a radius."}

    assert merge_overlays(base, {"insights": "swing(rope, *) = Ropes swing."}) == {
        "insights": ["swing(rope, *) = Ropes swing."]
    }


def test_a_line_that_cannot_be_read_is_told_with_its_section() -> None:
    said = refusal({"quantities": "one = 1"}, {"quantities": "two"})

    assert (
        said
        == "a line of the blueprint section `quantities` cannot be parsed: a line must be `name = value`, as in `rim = 3.6[m]`."
    )


@pytest.mark.parametrize("section", ["things", "approaches", "puzzles"])
def test_items_go_by_their_name(section: str) -> None:
    laid = merge_overlays(
        {section: [{"name": "one", "label": "a"}, {"name": "two", "label": "b"}]},
        {section: [{"name": "two", "why": "c"}, {"name": "three"}]},
    )

    assert laid == {
        section: [{"name": "one", "label": "a"}, {"name": "two", "label": "b", "why": "c"}, {"name": "three"}]
    }


def test_the_properties_of_a_thing_go_by_their_name() -> None:
    laid = merge_overlays(THINGS, {"things": [{"name": "rope", "props": "length = 5[m]; wet = true"}]})

    assert laid["things"][0] == {"name": "rope", "label": "a rope", "props": ["length = 5[m]", "wet = true"]}


def test_actions_go_by_their_verb() -> None:
    base = {"actions": [{"do": "swing(r: rope)", "takes": "work"}, {"do": "swing_at (h: object)"}]}

    assert merge_overlays(base, {"actions": [{"do": "swing(r: object)"}, {"do": "swing_at(o: crate)"}]}) == {
        "actions": [{"do": "swing(r: object)", "takes": "work"}, {"do": "swing_at(o: crate)"}]
    }


def test_paragraphs_go_by_their_key() -> None:
    base = {"prose": {"narrative": {"arrival": "You come.", "room": "It is dark."}, "threat": "Water."}}

    assert merge_overlays(base, {"prose": {"narrative": {"room": "It is light."}}}) == {
        "prose": {"narrative": {"arrival": "You come.", "room": "It is light."}, "threat": "Water."}
    }


@pytest.mark.parametrize("key", ["order", "claims", "known", "when"])
def test_a_paragraph_may_bear_the_name_of_a_section_of_lines(key: str) -> None:
    base = {"prose": {"narrative": {key: "First this."}}}

    assert merge_overlays(base, {"prose": {"narrative": {key: "First that."}}}) == {
        "prose": {"narrative": {key: "First that."}}
    }


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("status", {"claim": "PX", "conflict": ["a"]}, {"claim": "KS-Singular", "ways": ["b"]}),
        ("plan", ["a(b)", "c(d)"], ["e(f)"]),
    ],
)
def test_a_block_that_belongs_together_is_replaced_whole(name: str, old: object, new: object) -> None:
    assert merge_overlays({name: old}, {name: new}) == {name: new}


def test_other_maps_are_laid_entry_by_entry() -> None:
    assert merge_overlays({"frontier": {"near": "x = 1", "field": "a"}}, {"frontier": {"near": "y = 2"}}) == {
        "frontier": {"near": ["x = 1", "y = 2"], "field": "a"}
    }


def test_a_list_of_words_is_replaced() -> None:
    assert merge_overlays({"criteria": ["one", "two"]}, {"criteria": ["three"]}) == {"criteria": ["three"]}


def test_what_is_set_to_nothing_is_nothing() -> None:
    assert merge_overlays({"deadline": "clock"}, {"deadline": None}) == {"deadline": None}


def test_in_a_telling_lines_are_no_lines() -> None:
    base = {"insights": {"swing(*)": {"type": "frame", "domain": "motion"}}}

    assert merge_overlays(base, {"insights": {"swing(*)": {"domain": "heat"}}}, lines=NONE) == {
        "insights": {"swing(*)": {"type": "frame", "domain": "heat"}}
    }


@pytest.mark.parametrize(
    ("base", "drop", "left"),
    [
        (THINGS, {"things": ["rope"]}, {"things": [{"name": "crate"}]}),
        (THINGS, {"things": "rope"}, {"things": [{"name": "crate"}]}),
        (
            {"approaches": [{"name": "swing"}, {"name": "jump"}]},
            {"approaches": ["swing"]},
            {"approaches": [{"name": "jump"}]},
        ),
        (
            {"actions": [{"do": "swing(r: rope)"}, {"do": "jump()"}]},
            {"actions": ["swing"]},
            {"actions": [{"do": "jump()"}]},
        ),
        (
            {"insights": "swing(rope, *) = A.; jump(*) = B."},
            {"insights": ["swing(rope, *)"]},
            {"insights": ["jump(*) = B."]},
        ),
        ({"quantities": "a = 1; b = 2"}, {"quantities": ["a", "b"]}, {"quantities": []}),
        ({"words": {"a": "x", "b": "y"}}, {"words": ["a"]}, {"words": {"b": "y"}}),
    ],
    ids=["thing", "one_word", "approach", "action", "line", "all_lines", "entry"],
)
def test_drop_takes_out_what_an_earlier_layer_brought(base: Data, drop: Data, left: Data) -> None:
    assert merge_overlays(base, {"drop": drop}) == left


def test_drop_works_inside_a_thing() -> None:
    base = {"things": [{"name": "rope", "props": "length = 9[m]; wet = true"}]}

    assert merge_overlays(base, {"things": [{"name": "rope", "drop": {"props": ["wet"]}}]}) == {
        "things": [{"name": "rope", "props": ["length = 9[m]"]}]
    }


def test_what_is_dropped_can_be_brought_anew() -> None:
    laid = merge_overlays(
        THINGS, {"drop": {"things": ["rope"]}, "things": [{"name": "rope", "label": "new"}]}
    )

    assert laid["things"] == [{"name": "crate"}, {"name": "rope", "label": "new"}]


@pytest.mark.parametrize(
    ("base", "section"),
    [
        (THINGS, "things"),
        ({}, "things"),
        ({"quantities": "a = 1"}, "quantities"),
        ({"words": {"a": "x"}}, "words"),
        ({}, "insights"),
    ],
    ids=["thing", "no_things", "line", "entry", "no_lines"],
)
def test_what_is_not_there_cannot_be_dropped(base: Data, section: str) -> None:
    said = refusal(base, {"drop": {section: ["ladder"]}})

    assert said == (
        f"the blueprint section `drop` removes `ladder` from the section {section}, but there is no such entry."
    )


def test_drop_must_say_whereof() -> None:
    assert refusal(THINGS, {"drop": ["rope"]}).startswith(
        "the blueprint section `drop` must map sections to names"
    )


def test_a_word_is_dropped_from_a_list_of_words() -> None:
    assert merge_overlays({"inside": ["swing", "jump"]}, {"drop": {"inside": ["swing"]}}) == {
        "inside": ["jump"]
    }


def test_a_word_that_is_not_in_the_list_cannot_be_dropped() -> None:
    said = refusal({"inside": ["swing"]}, {"drop": {"inside": ["jump"]}})

    assert said == (
        "the blueprint section `drop` removes `jump` from the section inside, but there is no such entry."
    )


def test_a_word_cannot_be_dropped_from_a_text() -> None:
    assert "which is a single text" in refusal({"goal": "jump == swing"}, {"drop": {"goal": ["jump"]}})


def test_a_letter_cannot_be_dropped_from_a_text() -> None:
    refusal({"goal": "a == b"}, {"drop": {"goal": ["a"]}})


def test_dropping_nothing_is_no_accident() -> None:
    merge_overlays(THINGS, {"drop": {"things": None}})


def test_what_a_new_thing_never_had_cannot_be_dropped() -> None:
    refusal({}, {"things": [{"name": "rope", "drop": {"props": ["wet"]}}]})


# Layers as people write them: lines, things with properties, paragraphs, a status and single fields.


def _lines(heads: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    return st.dictionaries(heads, st.integers(0, 9), min_size=1, max_size=3).map(
        lambda found: [f"{head} = {value}" for head, value in found.items()]
    )


def layers(prefix: str = "") -> st.SearchStrategy[Data]:
    """Layers without `drop`; those of different prefixes name different things."""
    names = st.sampled_from([f"{prefix}a", f"{prefix}b", f"{prefix}c"])
    things = st.lists(
        st.fixed_dictionaries(
            {"name": names}, optional={"label": st.text(max_size=3), "props": _lines(names)}
        ),
        min_size=1,
        max_size=3,
        unique_by=lambda thing: thing["name"],
    )
    sections: dict[str, st.SearchStrategy[Any]] = {
        "quantities": _lines(names),
        "things": things,
        "actions": st.lists(
            names.map(lambda verb: {"do": f"{verb}(o: object)", "takes": verb}),
            min_size=1,
            unique_by=lambda action: action["do"],
        ),
        "prose": st.fixed_dictionaries(
            {"narrative": st.dictionaries(names, st.text(max_size=5), min_size=1, max_size=3)}
        ),
    }
    if not prefix:
        sections |= {
            "status": st.fixed_dictionaries(
                {"claim": st.sampled_from(["PX", "OF"])}, optional={"x": st.text()}
            ),
            "goal": st.text(max_size=3),
        }
    return st.fixed_dictionaries({}, optional=sections)


def told(laid: Data) -> Data:
    """A laid document by what it says: the same whatever order it says it in, lines as lines."""
    things = {
        each["name"]: {**each, "props": sorted(split_lines(each.get("props")))}
        for each in laid.get("things", [])
    }
    actions = {each["do"]: each for each in laid.get("actions", [])}
    return {**laid, "things": things, "actions": actions, "quantities": sorted(laid.get("quantities", []))}


@given(base=layers(), first=layers(), second=layers())
def test_layers_can_be_laid_together_first(base: Data, first: Data, second: Data) -> None:
    assert merge_overlays(base, first, second) == merge_overlays(base, merge_overlays(first, second))


@given(base=layers(), first=layers("x"), second=layers("y"))
def test_layers_that_name_different_things_can_be_laid_in_any_order(
    base: Data, first: Data, second: Data
) -> None:
    assert told(merge_overlays(base, first, second)) == told(merge_overlays(base, second, first))


@given(base=layers(), layer=layers())
def test_laying_a_layer_twice_is_laying_it_once(base: Data, layer: Data) -> None:
    assert merge_overlays(base, layer, layer) == merge_overlays(base, layer)


@given(base=layers())
def test_an_empty_layer_changes_nothing(base: Data) -> None:
    assert merge_overlays(base, {}) == base == merge_overlays({}, base)


@given(base=layers("x"), layer=layers())
def test_what_was_brought_and_dropped_again_was_never_there(base: Data, layer: Data) -> None:
    brought = [thing["name"] for thing in layer.get("things", [])]
    drop = {"drop": {"things": brought}} if brought else {}

    assert told(merge_overlays(base, layer, drop)) == told(
        merge_overlays(base, {name: value for name, value in layer.items() if name != "things"})
    )


@given(base=layers(), first=layers(), second=layers())
def test_nothing_is_changed_in_place(base: Data, first: Data, second: Data) -> None:
    dropped = {"drop": {"things": [thing["name"] for thing in base.get("things", [])]}}
    before = deepcopy((base, first, second, dropped))
    merge_overlays(base, first, second, dropped)

    assert (base, first, second, dropped) == before
