"""The tables: every figure in its range, every source one that exists, mass and volume and density in agreement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from impossible_moments.library.bibliography import load_figure_sources
from impossible_moments.library.data_tables import (
    EverydayObject,
    SourcedFigure,
    load_everyday_objects,
    load_human_capabilities,
    load_materials,
)
from impossible_moments.library.hazards import HAZARD_MEANINGS, load_hazard_tags
from impossible_moments.mechanics.language.units import parse_unit
from support.every_case import find_failures

AGREE: Final = 0.15
NARROWEST_ESTIMATE: Final = 0.15
FOLDED: Final = 1.02


def _figures() -> Iterator[tuple[str, SourcedFigure]]:
    for material in load_materials().values():
        yield from ((f"{material.name}.{name}", figure) for name, figure in material.figures.items())
    yield from ((f"{each.name} ({each.population})", each.figure) for each in load_human_capabilities())


def _measured() -> list[tuple[str, SourcedFigure]]:
    return [(name, figure) for name, figure in _figures() if figure.is_measured]


def test_there_are_enough_materials_capabilities_and_things() -> None:
    assert len(load_materials()) >= 120
    assert len({each.name for each in load_human_capabilities()}) >= 40
    assert len(load_everyday_objects()) >= 250


def test_every_number_lies_inside_its_own_range() -> None:
    outside = [
        name for name, figure in _measured() if not figure.range[0] <= figure.number <= figure.range[1]
    ]
    outside += [
        thing.name
        for thing in load_everyday_objects().values()
        if not thing.mass_range[0] <= thing.mass <= thing.mass_range[1]
    ]
    assert outside == []


def test_every_unit_is_one_that_records_know() -> None:
    for name, figure in _measured():
        assert parse_unit(figure.unit).factor, name


def test_every_figure_names_a_work_that_is_listed_or_is_an_estimate() -> None:
    sources = [(name, figure.source) for name, figure in _figures()]
    sources += [(thing.name, thing.source) for thing in load_everyday_objects().values()]
    unknown = [
        (name, source)
        for name, source in sources
        if source != "estimate" and source.partition(",")[0] not in load_figure_sources()
    ]
    assert unknown == []


def test_a_source_says_where_in_the_work_the_figure_stands() -> None:
    bare = [name for name, figure in _figures() if figure.source != "estimate" and "," not in figure.source]
    assert bare == []


def test_an_estimate_admits_that_it_is_one() -> None:
    narrow = [
        name
        for name, figure in _measured()
        if figure.source == "estimate"
        and figure.unit != "degC"
        and ".hardness" not in name
        and figure.number
        and (figure.range[1] - figure.range[0]) / abs(figure.number) < 2 * NARROWEST_ESTIMATE
    ]
    assert narrow == []


def test_every_material_has_a_name_a_class_a_density_and_says_whether_it_burns() -> None:
    for material in load_materials().values():
        assert {"label", "class", "density", "flammability"} <= material.figures.keys(), material.name


def test_what_dissolves_or_corrodes_a_material_is_a_material() -> None:
    for material in load_materials().values():
        for name in ("dissolves_in", "corroded_by"):
            if name in material.figures:
                assert set(material.figures[name].words) <= load_materials().keys(), (material.name, name)


def check_mass_and_volume(thing: EverydayObject) -> None:
    assert sum(thing.materials.values()) == pytest.approx(1, abs=0.011)
    computed = sum(
        1000 * share * thing.mass / load_materials()[name].density.number
        for name, share in thing.materials.items()
    )
    assert thing.solid == pytest.approx(computed, rel=AGREE)
    length, width, height = thing.size
    assert thing.solid <= length * width * height * 1000 * FOLDED


def test_mass_volume_and_density_agree() -> None:
    assert find_failures(check_mass_and_volume, load_everyday_objects()) == []


def test_no_two_rows_have_one_name() -> None:
    names = [*load_everyday_objects(), *load_materials()]
    assert len(set(names)) == len(names)
    labels = [thing.label for thing in load_everyday_objects().values()]
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize(
    ("denser", "lighter"),
    [
        ("gold", "lead"), ("lead", "steel"), ("steel", "aluminium"), ("aluminium", "concrete"), ("water", "ice"), ("sea_water", "water"),
        ("oak", "pine"), ("pine", "balsa"), ("air", "helium"), ("carbon_dioxide", "air"), ("air", "methane"), ("propane", "air"),
        ("mercury", "steel"), ("hdpe", "ldpe"), ("water", "ethanol"), ("granite", "brick"),
    ],
)  # fmt: skip
def test_what_sinks_in_what_is_as_everybody_knows(denser: str, lighter: str) -> None:
    assert load_materials()[denser].density.number > load_materials()[lighter].density.number


def test_every_hazard_names_something_and_has_a_source() -> None:
    known = {"material": load_materials(), "object": load_everyday_objects()}
    for tag in load_hazard_tags():
        assert tag.hazard in HAZARD_MEANINGS, tag
        assert tag.source == "estimate" or tag.source.partition(",")[0] in load_figure_sources(), tag
        if tag.kind == "pair":
            assert set(tag.name.split()) <= load_materials().keys(), tag
        elif tag.kind in known:
            assert tag.name in known[tag.kind], tag
