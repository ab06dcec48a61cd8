"""Tables say what a record states: under the words of the telling, in units a person would use."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.blueprints.file_models import ScenarioNotes
from impossible_moments.blueprints.scenario_tables import (
    ObjectRowTemplate,
    ScenarioTables,
    add_tables_to_prose,
    build_scenario_tables,
)
from impossible_moments.library.data_tables import load_everyday_objects
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.records.library import EMPTY
from support.small_worlds import build_record, build_thing

WORDS = {
    "flat": "flat on top | no flat top",
    "bears": "bears | bears no weight",
    "stiff": "stiff and springy",
    "colour": "painted",
    "sill": "lower edge",
    "crossing": "way to the wall",
    "you.reach": "reach above the floor",
    "grip": "grips by",
}


def telling(**fields: Any) -> ScenarioNotes:
    return ScenarioNotes.model_validate({"words": WORDS, **fields})


def tables(*things: dict[str, Any], quantities: str = "", **more: Any) -> ScenarioTables:
    return build_scenario_tables(
        build_record(things=list(things), quantities=quantities), telling(**more), load_everyday_library()
    )


def row(*props: str, name: str = "crate", **more: Any) -> ObjectRowTemplate:
    (found,) = tables(build_thing(name, *props), **more).objects
    return found


@pytest.mark.parametrize(
    ("line", "notes"),
    [
        ("flat = true", "flat on top"),
        ("flat = false", "no flat top"),
        ("stiff = true", "stiff and springy"),
        ("stiff = false", ""),
        ("bears = 40[kg]", "bears {crate.bears|kg}"),
        ("bears = 0[kg]", "bears no weight"),
        ("grip = 0[N]", "grips by {crate.grip|N}"),
        ("colour = 'dark_red'", "painted dark red"),
        ("unnamed = 4[kg]", ""),
        ("bears = mass*2", ""),
        ("bears = 4[kg] (0..9) state", ""),
        ("bears = 4[kg] (2..9) assumed @ estimate: wet", "bears {crate.bears|kg}"),
        (
            "bears = 4[kg] (2..9) disputed @ A 2001; B 2002",
            "bears {crate.bears.low|kg} to {crate.bears.high|kg}",
        ),
    ],
)
def test_a_property_is_told_in_the_words_that_name_it(line: str, notes: str) -> None:
    assert row(line).notes == notes


def test_a_things_own_word_goes_before_the_general_one() -> None:
    words = {**WORDS, "crate.bears": "holds"}

    assert row("bears = 4[kg]", words=words).notes == "holds {crate.bears|kg}"
    assert row("bears = 4[kg]", name="stool", words=words).notes == "bears {stool.bears|kg}"


def test_notes_come_after_what_the_properties_tell() -> None:
    found = row("flat = true", "bears = 4[kg]", notes={"crate": "smells of fish"})

    assert found.notes == "flat on top; bears {crate.bears|kg}; smells of fish"


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("length = 3[m]", "{crate.length|m}"),
        ("length = 2.99[m]", "{crate.length|cm}"),
        ("length = 0.1[m]", "{crate.length|cm}"),
        ("length = 0.09[m]", "{crate.length|mm}"),
        ("length = 40[cm]", "{crate.length|cm}"),
        ("length = 4000[mm]", "{crate.length|m}"),
        ("length = 3[km]", "{crate.length|km}"),
        ("depth = 0.5[m]", "{crate.depth|cm}"),
        ("sill = 0.5[m]", ""),
    ],
)
def test_a_size_is_told_in_a_unit_that_a_person_would_use(line: str, size: str) -> None:
    assert row(line).size == size


@pytest.mark.parametrize(
    ("line", "mass"),
    [
        ("mass = 1[kg]", "{crate.mass|kg}"),
        ("mass = 0.99[kg]", "{crate.mass|g}"),
        ("mass = 500[g]", "{crate.mass|g}"),
        ("mass = 2[t]", "{crate.mass|t}"),
    ],
)
def test_a_mass_is_told_in_a_unit_that_a_person_would_use(line: str, mass: str) -> None:
    assert row(line).mass == mass


@pytest.mark.parametrize(
    ("lines", "size"),
    [
        (("length = 4[m]", "width = 0.2[m]"), "{crate.length|m} × {crate.width|m}"),
        (("length = 2[m]", "width = 0.02[m]"), "{crate.length|cm} × {crate.width|cm}"),
        (("length = 4[m]", "width = 0.02[m]"), "{crate.length|m} × {crate.width|cm}"),
        (("length = 4[m]", "width = 0.009[m]"), "{crate.length|m} × {crate.width|mm}"),
        (("length = 4[km]", "width = 200[m]"), "{crate.length|km} × {crate.width|m}"),
    ],
    ids=["metres", "centimetres", "far_apart", "farther_apart", "other_units"],
)
def test_sides_are_told_in_one_unit_unless_they_are_far_apart(lines: tuple[str, ...], size: str) -> None:
    assert row(*lines).size == size


@pytest.mark.parametrize(
    ("line", "notes"), [("luck = 0.3", "percent"), ("luck = 3", "plain"), ("luck = 1", "percent")]
)
def test_a_share_is_told_in_per_cent(line: str, notes: str) -> None:
    assert row(line, words={"luck": "chance of rain"}).notes == f"chance of rain {{crate.luck|{notes}}}"


def test_what_is_called_no_share_is_told_plainly() -> None:
    assert (
        row("luck = 0.3", words={"luck": "slope of the roof"}).notes == "slope of the roof {crate.luck|plain}"
    )


def test_lengths_that_are_no_sizes_keep_their_unit() -> None:
    assert row("sill = 0.5[m]").notes == "lower edge {crate.sill|m}"


def test_a_number_without_a_unit_is_told_plainly() -> None:
    assert row("bears = 3").notes == "bears {crate.bears|plain}"


def test_sizes_stand_in_one_order_and_in_no_other_column() -> None:
    found = row("depth = 2[m]", "height = 3[m]", "length = 4[m]", "mass = 5[kg]")

    assert found == ObjectRowTemplate(
        name="crate",
        label="{thing:crate}",
        mass="{crate.mass|kg}",
        size="{crate.length|m} × {crate.height|m} × {crate.depth|m}",
    )


def test_a_thing_like_a_library_row_has_its_mass_size_and_stuff() -> None:
    like = next(
        name
        for name in sorted(load_everyday_library().rows)
        if {"mass", "length"} <= {line.partition(" ")[0] for line in load_everyday_library().rows[name].props}
        and name in load_everyday_objects()
    )
    (found,) = tables(build_thing("it", like=like)).objects

    assert found.mass.startswith("{it.mass|")
    assert found.size.startswith("{it.length|")
    assert (
        found.material
        == " and ".join(word.replace("_", " ") for word in load_everyday_objects()[like].materials)
        != ""
    )


def test_what_a_thing_says_itself_goes_before_its_library_row() -> None:
    like = next(
        name
        for name, each in load_everyday_library().rows.items()
        if "mass" in {line.partition(" ")[0] for line in each.props}
    )
    (found,) = tables(build_thing("it", "mass = 3[t]", like=like), materials={"it": "cork"}).objects

    assert (found.mass, found.material) == ("{it.mass|t}", "cork")


def test_a_row_that_the_library_does_not_know_tells_nothing() -> None:
    found = build_scenario_tables(build_record(things=[build_thing("it", like="hammer")]), telling(), EMPTY)

    assert found.objects[0].mass == ""


def test_free_quantities_and_what_separates_make_the_place() -> None:
    found = tables(
        build_thing("wall", "sill = 2[m]", kind="boundary"),
        build_thing("crate"),
        quantities="crossing = 4[m]; clock = 9[s]",
        notes={"wall": "damp"},
        environment={"Light": "dim"},
    )

    assert found.environment == (
        ("Way to the wall", "{crossing|m}"),
        ("{thing:wall}", "lower edge {wall.sill|m}; damp"),
        ("Light", "dim"),
    )


def test_what_tells_nothing_of_itself_has_no_row_in_the_place() -> None:
    assert tables(build_thing("wall", kind="boundary"), build_thing("crate")).environment == ()


def test_you_are_told_of_in_the_capabilities_alone() -> None:
    found = tables(
        build_thing("you", "reach = 2[m]", "mass = 70[kg]", kind="person"),
        build_thing("crate"),
        capabilities={"Hands": "two"},
    )

    assert found.capabilities == (("Reach above the floor", "{you.reach|m}"), ("Hands", "two"))
    assert [each.name for each in found.objects] == ["crate"]
    assert found.environment == ()


@pytest.mark.parametrize("kind", ["object", "substance", None])
def test_what_can_be_picked_up_stands_among_the_objects(kind: str | None) -> None:
    found = tables(
        build_thing("wall", "sill = 2[m]", kind="boundary"),
        build_thing("crate", **({"kind": kind} if kind else {})),
    )

    assert [each.name for each in found.objects] == ["crate"]


def test_where_nothing_can_be_picked_up_what_there_is_makes_the_table_of_objects() -> None:
    found = tables(
        build_thing("you", "reach = 2[m]", kind="person"),
        build_thing("wall", "sill = 2[m]", kind="boundary"),
        build_thing("guard", "flat = false", kind="person"),
    )

    assert [(each.name, each.notes) for each in found.objects] == [
        ("wall", "lower edge {wall.sill|m}"),
        ("guard", "no flat top"),
    ]
    assert found.environment == ()


def test_lines_that_cannot_be_read_are_left_to_the_check() -> None:
    assert row("nonsense", "bears = 4[lpm]", "flat = true").notes == "flat on top"


def written(*things: dict[str, Any], **more: Any) -> dict[str, Any]:
    return add_tables_to_prose(build_record(things=list(things)), telling(**more), load_everyday_library())


def test_what_a_table_tells_stands_in_the_prose() -> None:
    prose = written(
        build_thing("you", "reach = 2[m]", kind="person"),
        build_thing("crate", "mass = 5[kg]", "flat = true"),
        build_thing("wall", "sill = 2[m]", kind="boundary"),
    )["prose"]

    assert prose == {
        "narrative": "Nothing is told.",
        "environment": "{thing:wall}: lower edge {wall.sill|m}.",
        "objects": "{thing:crate}: {crate.mass|kg}; flat on top.",
        "capabilities": "Reach above the floor: {you.reach|m}.",
    }


def test_a_table_without_rows_has_no_part_in_the_prose() -> None:
    assert set(written(build_thing("crate"))["prose"]) == {"narrative", "objects"}


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("flat = true", "flat = true @ flat on top"),
        ("flat = false", "flat = false @ no flat top"),
        ("colour = 'dark_red'", "colour = 'dark_red' @ painted dark red"),
        ("bears = 0[kg]", "bears = 0[kg] @ bears no weight"),
        ("bears = 4[kg]", "bears = 4[kg]"),
        ("stiff = false", "stiff = false"),
        ("flat = true @ as flat as a table", "flat = true @ as flat as a table"),
        ("unnamed = true", "unnamed = true"),
    ],
)
def test_the_phrase_that_is_printed_is_the_quote_that_tells_a_truth(line: str, quoted: str) -> None:
    assert written(build_thing("crate", line))["things"][0]["props"] == [quoted]


def test_making_tables_changes_no_record() -> None:
    data = build_record(things=[build_thing("crate", "flat = true")])
    add_tables_to_prose(data, telling(), load_everyday_library())

    assert data == build_record(things=[build_thing("crate", "flat = true")])
