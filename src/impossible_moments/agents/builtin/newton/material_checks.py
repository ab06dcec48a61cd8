"""Checks of things against the library: whether mass, size and material agree and are typical."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts
from impossible_moments.library import load_everyday_objects, load_materials
from impossible_moments.mechanics.world import WorldThing

SIZES: Final = ("length", "width", "height")
DENSITY_TOLERANCE: Final = 1.15
"""The factor by which a bounding box may be too small because of rounding."""
HEAVIEST: Final = 12_000.0
"""kg/m³, slightly more than lead."""
LIGHTEST: Final = 2.0
"""kg/m³ over the bounding box, less than an empty carton."""
LIKE_MASS: Final = 1.6
LIKE_SIZE: Final = 2.5
"""The factor by which a thing may differ from the everyday thing it is declared to be like."""
_GENERIC_MATERIALS: Final = {
    "wood": 1_100.0, "timber": 1_100.0, "metal": 9_000.0, "iron": 7_900.0, "plastic": 1_600.0, "glass": 2_800.0, "rubber": 1_600.0,
    "cloth": 1_600.0, "fabric": 1_600.0, "stone": 3_200.0, "rope": 1_500.0, "fibre": 1_700.0, "foam": 250.0, "fish": 1_100.0,
    "fruit": 1_100.0, "food": 1_500.0, "wax": 1_000.0, "ash": 800.0, "elm": 800.0, "walnut": 800.0, "cane": 800.0, "wicker": 800.0,
    "boxwood": 1_100.0, "clay": 2_200.0, "ceramic": 2_800.0, "card": 1_000.0, "polystyrene": 1_100.0, "brass": 8_700.0,
}  # fmt: skip
"""kg/m³, the largest density of materials by common name."""
_WORD: Final = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class MaterialJudgement:
    """The judgement of a thing: whether its properties are plausible, and why."""

    thing: str
    label: str
    holds: bool
    remark: str
    grave: bool = False
    """Whether the thing cannot exist, rather than being unusual."""


def judge_object_properties(facts: SeedFacts) -> tuple[MaterialJudgement, ...]:
    """Judge the properties of every object of the scenario."""
    return tuple(
        _judge_thing(thing, facts) for thing in facts.own_things if thing.kind in {"object", "substance"}
    )


def _judge_thing(thing: WorldThing, facts: SeedFacts) -> MaterialJudgement:
    for problem, is_grave in _find_property_problems(thing, facts):
        return MaterialJudgement(thing.name, thing.label, holds=False, remark=problem, grave=is_grave)
    mass = facts.get_number(f"{thing.name}.mass")
    box = _compute_box_volume(thing, facts)
    if mass is None or box is None:
        return MaterialJudgement(
            thing.name, thing.label, holds=True, remark="nothing stated that mass and size could contradict"
        )
    return MaterialJudgement(
        thing.name,
        thing.label,
        holds=True,
        remark=f"{mass:.3g} kg in a box of {box * 1000:.3g} l, {mass / box:.3g} kg/m³ over the box",
    )


def _find_property_problems(thing: WorldThing, facts: SeedFacts) -> Iterator[tuple[str, bool]]:
    mass, box = facts.get_number(f"{thing.name}.mass"), _compute_box_volume(thing, facts)
    if mass is not None and mass <= 0:
        yield f"the stated mass {mass:g} kg <= 0 kg", True
    for name in SIZES:
        size = facts.get_number(f"{thing.name}.{name}")
        if size is not None and size < 0:
            yield f"the stated {name} {size:g} m < 0 m", True
    if mass and box:
        highest_density, material = _find_densest_material(thing, facts)
        if mass / box > highest_density * DENSITY_TOLERANCE:
            yield (
                f"{mass:.3g} kg / {box:.3g} m³ = {mass / box:.4g} kg/m³ over its whole box, and {material} weighs {highest_density:.4g} kg/m³ at most",
                True,
            )
        if mass / box < LIGHTEST:
            yield (
                f"{mass:.3g} kg / {box:.3g} m³ = {mass / box:.3g} kg/m³: emptier than an empty carton",
                False,
            )
    yield from ((problem, False) for problem in _find_library_differences(thing, facts))


def _compute_box_volume(thing: WorldThing, facts: SeedFacts) -> float | None:
    sizes = [facts.get_number(f"{thing.name}.{size}") for size in SIZES]
    if any(size is None or size <= 0 for size in sizes):
        return None
    length, width, height = (size for size in sizes if size is not None)
    return length * width * height


def _find_densest_material(thing: WorldThing, facts: SeedFacts) -> tuple[float, str]:
    """Return the density of the densest material that the thing is said to be made of, and its name."""
    row = next((row for row in facts.seed.scenario.objects if row.name.lower() == thing.label.lower()), None)
    words = set(_WORD.findall((row.material if row is not None else "").lower()))
    found = {}
    for name, material in load_materials().items():
        if set(name.split("_")) <= words or set(_WORD.findall(material.label.lower())) <= words:
            found[name.replace("_", " ")] = material.density.range[1]
    found |= {word: _GENERIC_MATERIALS[word] for word in words & _GENERIC_MATERIALS.keys()}
    if not found:
        return HEAVIEST, "no everyday stuff"
    heaviest = max(found, key=lambda name: found[name])
    return found[heaviest], heaviest


def _find_library_differences(thing: WorldThing, facts: SeedFacts) -> Iterator[str]:
    """Yield the differences from the everyday thing that it is declared to be like."""
    row = load_everyday_objects().get(facts.find_library_row_declared_alike(thing.name) or "")
    if row is None:
        return
    mass = facts.get_number(f"{thing.name}.mass")
    low, high = row.mass_range
    if mass is not None and not low / LIKE_MASS <= mass <= high * LIKE_MASS:
        yield f"{mass:.3g} kg, and {row.label} weighs {low:g} to {high:g} kg"
    for name, usual in zip(SIZES, row.size, strict=True):
        size = facts.get_number(f"{thing.name}.{name}")
        if size is not None and not usual / LIKE_SIZE <= size <= usual * LIKE_SIZE:
            yield f"{name} {size:.3g} m, and {row.label} has {usual:g} m"
