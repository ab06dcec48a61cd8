"""A solver answers from the public text: what the text says decides, and what was only imagined does not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from impossible_moments.blueprints.instance_trials import InstanceTrial
from impossible_moments.blueprints.scenario_tables import build_scenario_tables
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.records.lines import split_lines
from impossible_moments.mechanics.records.quantities import Quantity, QuantityKind, parse_quantity
from impossible_moments.solver.public_text import PublicText
from impossible_moments.solver.solver import apply_extracted_values, solve_public_text
from impossible_moments.solver.value_extraction import ExtractedValues, extract_values
from support.small_blueprints import (
    build_garden_offer,
    build_room_situations,
    build_situations,
    draw_room,
    extract_public_text,
    load_room,
)

Data = dict[str, Any]
NAMES = [offer.name.partition("/")[2] for offer in load_room().iterate_offers()]


def one(line: str, **values: float) -> Quantity:
    """A line of a record after a reading."""
    record, _ = apply_extracted_values({"quantities": line}, ExtractedValues(values=values))
    (found,) = record["quantities"]
    return parse_quantity(found)


def numbers(record: Data) -> dict[str, float]:
    """The given numbers of a record, by path."""
    lines = [("", line) for line in split_lines(record["quantities"])]
    lines += [
        (f"{thing['name']}.", line) for thing in record["things"] for line in split_lines(thing.get("props"))
    ]
    found = [(owner, parse_quantity(line)) for owner, line in lines]
    return {
        f"{owner}{quantity.name}": float(quantity.value)
        for owner, quantity in found
        if quantity.kind is QuantityKind.GIVEN
        and quantity.is_number
        and isinstance(quantity.value, int | float)
    }


def read_by(text: PublicText, other: InstanceTrial) -> Data:
    """The record of another draw with what a text says in the place of what was drawn there."""
    record = other.instance.record
    labels = {thing["name"]: thing["label"] for thing in record["things"]}
    tables = build_scenario_tables(record, other.instance.notes, load_everyday_library())
    return apply_extracted_values(record, extract_values(text, record["prose"], tables, labels))[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_text_is_answered_as_its_record_computes(name: str) -> None:
    tried = draw_room(name, seed=1)
    solved = solve_public_text(extract_public_text(tried), build_room_situations())
    verdict = tried.report.verdict
    assert verdict is not None

    assert solved.status == tried.status
    assert set(solved.plans) == {way.calls for way in verdict.ways}
    assert solved.situation is not None
    assert solved.situation.offer.name == tried.instance.offer.name


@settings(max_examples=15, phases=[Phase.generate])  # a seed has no smaller one
@given(first=st.integers(0, 10**6), second=st.integers(0, 10**6), name=st.sampled_from(NAMES))
def test_no_number_of_another_draw_outlives_the_reading(first: int, second: int, name: str) -> None:
    one_draw, other = draw_room(name, first), draw_room(name, second)
    stated = numbers(one_draw.instance.record)

    assert numbers(read_by(extract_public_text(one_draw), other)) == pytest.approx(stated, rel=0.01)


def test_draws_differ_in_more_than_one_number() -> None:
    left, right = (numbers(draw_room(seed=seed).instance.record) for seed in (1, 2))

    assert sum(left[name] != right[name] for name in left) > 5


def test_what_a_solver_imagines_is_none_of_the_draws_it_reads() -> None:
    imagined = [
        numbers(each.record)
        for offer in load_room().iterate_offers()
        for each in build_room_situations().generate_placeholder_instances(offer)
    ]
    drawn = [numbers(draw_room(name, seed).instance.record) for name in NAMES for seed in range(3)]

    assert not any(each in imagined for each in drawn)


@pytest.mark.parametrize(
    ("line", "value", "shown"),
    [
        ("rim = 3.6[m]", 4.0, 4.0),
        ("rim = 360[cm]", 4.0, 4.0),
        ("rim = 3", 4.0, 4.0),
        ("rim = 20[degC]", 300.15, 300.15),
        ("rim = 3.6[m] @ a wall (old)", 4.0, 4.0),
        ("rim = -3.6[m]", -4.0, -4.0),
    ],
)
def test_what_was_read_takes_the_place_of_what_was_imagined(line: str, value: float, shown: float) -> None:
    assert one(line, rim=value).value == pytest.approx(shown)


def test_the_source_of_a_number_stays() -> None:
    assert one("rim = 3.6[m] @ a wall (old)", rim=4.0).source == "a wall (old)"


def test_a_unit_without_brackets_is_no_obstacle() -> None:
    assert one("rim = 3.6 m", rim=4.0).value == 4


def test_a_state_begins_where_the_text_says() -> None:
    found = one("rim = 86[cm] (0..900) state", rim=0.92)

    assert found.value == pytest.approx(0.92)
    assert (found.kind, found.low, found.high) == (QuantityKind.STATE, 0, 9)


def test_how_a_state_begins_need_not_be_told() -> None:
    line = "rim = 86[cm] (0..900) state"
    record, untold = apply_extracted_values({"quantities": line}, ExtractedValues())

    assert (record["quantities"], untold) == ([line], ())


def test_a_disputed_range_is_read() -> None:
    found = one("rim = 3[m] (2..9) disputed @ A 2001; B 2002", **{"rim.low": 1.0, "rim.high": 5.0})

    assert (found.low, found.high) == (1, 5)


@pytest.mark.parametrize(
    "line",
    ["wet = true", "rim = 2*height", "rim = choose 1..3[m]", "rim = 3[m] (2..4) assumed @ estimate: x"],
)
def test_what_is_no_given_number_stays_as_it_is(line: str) -> None:
    record, untold = apply_extracted_values(
        {"quantities": line}, ExtractedValues(values={"rim": 9.0, "wet": 9.0})
    )

    assert (record["quantities"], untold) == ([line], ())


def test_given_numbers_that_the_text_does_not_tell_are_named() -> None:
    record = {"quantities": "rim = 3[m]", "things": [{"name": "rope", "props": "length = 2[m]; wet = true"}]}

    assert apply_extracted_values(record, ExtractedValues())[1] == ("rim", "rope.length")
    assert apply_extracted_values(record, ExtractedValues(values={"rope.length": 3.0}))[1] == ("rim",)


def test_reading_changes_no_record() -> None:
    record = {"quantities": "rim = 3[m]", "things": [{"name": "rope", "props": "length = 2[m]"}]}
    apply_extracted_values(record, ExtractedValues(values={"rim": 1.0, "rope.length": 3.0}))

    assert record == {
        "quantities": "rim = 3[m]",
        "things": [{"name": "rope", "props": "length = 2[m]"}],
    }


def test_what_nobody_knows_is_not_read() -> None:
    solved = solve_public_text(PublicText({"narrative": "Nothing is told."}, ()), build_room_situations())

    assert (solved.status, solved.situation, solved.plans) == ("unread", None, ())
    assert "nothing in the text is like a situation that is known" in solved.reason


def test_a_search_of_few_nodes_is_undecided() -> None:
    solved = solve_public_text(extract_public_text(draw_room()), build_room_situations(), 1)

    assert (solved.status, solved.plans) == ("undecided", ())
    assert 0 < solved.effort < 5


def test_a_search_of_few_calls_finds_no_longer_plan() -> None:
    text = extract_public_text(draw_room())

    assert solve_public_text(text, build_room_situations(), depth=1).plans == ()
    assert solve_public_text(text, build_room_situations(), depth=3).plans != ()


def test_what_is_believed_can_be_changed_before_the_search() -> None:
    def without_step(record: Data) -> Data:
        things = [
            {**thing, "props": [line.replace("flat = true", "flat = false") for line in thing["props"]]}
            for thing in record["things"]
        ]
        return {**record, "things": things}

    assert (
        solve_public_text(extract_public_text(draw_room()), build_room_situations(), edit=without_step).plans
        == ()
    )


def test_the_wording_tells_variants_of_one_skin_apart() -> None:
    found = {
        name: solve_public_text(extract_public_text(draw_room(name)), build_room_situations()).situation
        for name in NAMES
        if name.startswith("organ_loft")
    }

    assert {name: each and each.offer.variant for name, each in found.items()} == {
        name: name.partition("/")[2] for name in found
    }


def test_a_situation_that_cannot_be_built_is_unread_with_its_reason() -> None:
    def broken(record: Data) -> Data:
        return {**record, "goal": "nobody.knows"}

    solved = solve_public_text(extract_public_text(draw_room()), build_room_situations(), edit=broken)

    assert solved.status == "unread"
    assert "nobody" in solved.reason


def test_a_solver_knows_what_it_was_told_of_and_no_more() -> None:
    text = extract_public_text(draw_room())

    assert (
        solve_public_text(text, build_situations(build_garden_offer("Guests keep to the gravel"))).status
        == "unread"
    )
