"""The library is a reference book: rows with values, ranges, units and sources, and near names where there is no row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from impossible_moments.agents.tools.argument_checks import ToolRefusal
from impossible_moments.agents.tools.call_guard import Call
from impossible_moments.domain.vocabulary import NEWTON
from impossible_moments.library.data_tables import (
    load_everyday_objects,
    load_human_capabilities,
    load_materials,
)


@pytest.fixture
def look_up(box: Callable[..., Mapping[str, Call]]) -> Call:
    return box(NEWTON)["look_up"]


def test_a_material_has_its_figures_with_range_unit_and_source(look_up: Call) -> None:
    found: Any = look_up(kind="material", name="The Steel")
    figure = load_materials()["steel"].density
    density = found["values"]["density"]
    assert (density["value"], density["unit"]) == (figure.number, figure.unit)
    assert (density["low"], density["high"]) == figure.range
    assert figure.source.split(",")[0] in found["sources"]


def test_an_object_has_its_properties_and_what_it_can_serve_as(look_up: Call) -> None:
    found: Any = look_up(kind="object", name="wooden chair")
    assert found["values"]["mass"].startswith(f"{load_everyday_objects()['wooden_chair'].mass:g}[kg]")
    assert "beech" in found["made_of"]
    assert "platform" in found["can_serve_as"]


def test_people_are_found_by_what_they_can_do_by_whom_and_by_both(look_up: Call) -> None:
    rows = [each for each in load_human_capabilities() if each.name == "stature"]
    everybody: Any = look_up(kind="person", name="stature")
    assert [each["population"] for each in everybody["values"]] == [each.population for each in rows]
    one: Any = look_up(kind="person", name="stature, woman")
    assert [(each["population"], each["unit"]) for each in one["values"]] == [("woman", "m")]


def test_all_of_a_population_is_told_in_short(look_up: Call) -> None:
    found: Any = look_up(kind="person", name="trained")
    assert list(found["values"]) == [
        each.name for each in load_human_capabilities() if each.population == "trained"
    ]
    grip = next(each.figure for each in load_human_capabilities() if each.population == "trained")
    assert next(iter(found["values"].values())) == f"{grip.value} ({grip.low}..{grip.high}) {grip.unit}"
    assert "left_out" not in found


def test_near_names_stand_in_the_refusal(look_up: Call) -> None:
    with pytest.raises(ToolRefusal, match="similar names: stature"):
        look_up(kind="person", name="statur")
    with pytest.raises(ToolRefusal, match="wooden_chair"):
        look_up(kind="object", name="chair")


def test_a_name_of_another_kind_is_pointed_to(look_up: Call) -> None:
    with pytest.raises(ToolRefusal, match="exists as kind material"):
        look_up(kind="object", name="steel")


def test_an_unknown_kind_is_refused_with_the_kinds(look_up: Call) -> None:
    with pytest.raises(ToolRefusal, match=r"one of material, person, object \(did you mean `material`\?\)"):
        look_up(kind="materials", name="steel")


@pytest.mark.parametrize("kind", ["material", "object"])
def test_every_row_can_be_looked_up(look_up: Call, kind: str) -> None:
    for name in load_materials() if kind == "material" else load_everyday_objects():
        assert look_up(kind=kind, name=name)["name"] == name
