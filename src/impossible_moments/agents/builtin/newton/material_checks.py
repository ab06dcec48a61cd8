"""Checks of things against the library: whether mass, size, contents and material agree and are typical."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.newton.physical_fault import Gravity, PhysicalFault
from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts
from impossible_moments.agents.builtin.newton.step_forces import GRAVITY
from impossible_moments.library import load_everyday_objects, load_materials
from impossible_moments.mechanics.world import WorldThing

SIZES: Final = ("length", "width", "height")
DENSITY_TOLERANCE: Final = 1.15
"""The factor by which a bounding box may be too small because of rounding."""
HEAVIEST: Final = 12_000.0
"""kg/m³, slightly more than lead."""
LIGHTEST: Final = 2.0
"""kg/m³ over the bounding box, less than an empty carton."""
WATER: Final = 1_000.0
"""kg/m³"""
LIKE_MASS: Final = 1.6
LIKE_SIZE: Final = 2.5
"""The factor by which a thing may differ from the everyday thing it is declared to be like."""
STRONGEST_STRUCTURE: Final = 150.0
"""The load that a hand-made thing carries, as a multiple of its own mass: twice that of a steel ladder."""
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
    """The judgement of a thing: its fault, or the figures that agree."""

    thing: str
    label: str
    remark: str
    fault: PhysicalFault | None = None


def judge_object_properties(facts: SeedFacts) -> tuple[MaterialJudgement, ...]:
    """Judge the properties of every object of the scenario."""
    return tuple(
        _judge_thing(thing, facts) for thing in facts.own_things if thing.kind in {"object", "substance"}
    )


def _judge_thing(thing: WorldThing, facts: SeedFacts) -> MaterialJudgement:
    fault = next(_find_faults(thing, facts), None)
    if fault is not None:
        return MaterialJudgement(thing.name, thing.label, fault.problem, fault)
    mass, box = facts.get_number(f"{thing.name}.mass"), _compute_box_volume(thing, facts)
    if mass is None or box is None:
        missing = [name for name in ("mass", *SIZES) if facts.get_number(f"{thing.name}.{name}") is None]
        remark = f"not computed: no {', '.join(missing)} stated to compare"
        return MaterialJudgement(thing.name, thing.label, remark)
    highest, material = _find_densest_material(thing, facts)
    return MaterialJudgement(
        thing.name,
        thing.label,
        f"{mass:.4g} kg in a box of {box * 1000:.3g} l gives {mass / box:.4g} kg/m³, at most {highest:.4g} kg/m³ for {material}",
    )


def _find_faults(thing: WorldThing, facts: SeedFacts) -> Iterator[PhysicalFault]:
    yield from _find_impossible_figures(thing, facts)
    yield from _find_density_faults(thing, facts)
    yield from _find_balance_faults(thing, facts)
    yield from _find_library_differences(thing, facts)


def _rate(thing: WorldThing, facts: SeedFacts) -> Gravity:
    return Gravity.IMPOSSIBLE if facts.is_used_in_sketch(thing.name) else Gravity.DOUBTFUL


def _find_impossible_figures(thing: WorldThing, facts: SeedFacts) -> Iterator[PhysicalFault]:
    for name in ("mass", *SIZES):
        value = facts.get_number(f"{thing.name}.{name}")
        if value is not None and (value < 0 or (name == "mass" and value == 0)):
            unit = "kg" if name == "mass" else "m"
            yield PhysicalFault(
                f"{thing.name}.{name}",
                f"{thing.label} is as stated.",
                f"a {name} of {value:g} {unit} <= 0 {unit}",
                "the mass of a body is greater than zero, and its sizes are at least zero",
                f"State a {name} above 0 {unit}.",
                _rate(thing, facts),
            )


def _find_density_faults(thing: WorldThing, facts: SeedFacts) -> Iterator[PhysicalFault]:
    mass, box = facts.get_number(f"{thing.name}.mass"), _compute_box_volume(thing, facts)
    if not mass or not box or mass < 0:
        return
    highest, material = _find_densest_material(thing, facts)
    if mass / box > highest * DENSITY_TOLERANCE:
        yield PhysicalFault(
            f"{thing.name}.mass",
            f"{thing.label} is as stated.",
            f"{mass:.4g} kg / {box:.3g} m³ = {mass / box:.4g} kg/m³ over its whole box > {highest:.4g} kg/m³, the most that {material} weighs",
            "mass is density times volume",
            f"State a mass of at most {highest * box:.4g} kg for this size, or another material.",
            _rate(thing, facts),
        )
    if mass / box < LIGHTEST:
        yield PhysicalFault(
            f"{thing.name}.mass",
            f"{thing.label} is as stated.",
            f"{mass:.4g} kg / {box:.3g} m³ = {mass / box:.4g} kg/m³ < {LIGHTEST:g} kg/m³, an empty carton",
            "mass is density times volume",
            f"State a mass of at least {LIGHTEST * box:.4g} kg for this size.",
            Gravity.DOUBTFUL,
        )


def _find_balance_faults(thing: WorldThing, facts: SeedFacts) -> Iterator[PhysicalFault]:
    """Yield contents larger than the thing, lift larger than the water it displaces, and loads beyond its mass."""
    box, mass = _compute_box_volume(thing, facts), facts.get_number(f"{thing.name}.mass")
    volume = facts.get_number(f"{thing.name}.volume")
    if box and volume is not None and volume > box * DENSITY_TOLERANCE:
        yield PhysicalFault(
            f"{thing.name}.volume",
            f"{thing.label} holds {volume * 1000:.3g} l.",
            f"it holds {volume * 1000:.3g} l > {box * 1000:.3g} l, the volume of its box",
            "what is inside a body takes no more room than the body",
            f"State a volume of at most {box * 1000:.3g} l.",
            _rate(thing, facts),
        )
    lift = facts.get_number(f"{thing.name}.buoyancy")
    if box and lift is not None and lift > box * WATER * GRAVITY * DENSITY_TOLERANCE:
        yield PhysicalFault(
            f"{thing.name}.buoyancy",
            f"{thing.label} lifts {lift:.4g} N in water.",
            f"its lift is {lift:.4g} N > {box:.3g} m³ * {WATER:g} kg/m³ * 9.81 m/s² = {box * WATER * GRAVITY:.4g} N",
            "Archimedes: lift is at most the weight of the displaced water",
            f"State a lift of at most {box * WATER * GRAVITY:.4g} N.",
            _rate(thing, facts),
        )
    bears = facts.get_number(f"{thing.name}.bears")
    if mass and mass > 0 and bears is not None and bears > STRONGEST_STRUCTURE * mass:
        yield PhysicalFault(
            f"{thing.name}.bears",
            f"{thing.label} bears {bears:.4g} kg.",
            f"{thing.label} of {mass:.4g} kg is said to bear {bears:.4g} kg, {bears / mass:.3g} times its own mass > {STRONGEST_STRUCTURE:g} times, twice a steel ladder's",
            "strength grows with the material that carries the load",
            f"State a load of at most {STRONGEST_STRUCTURE * mass:.4g} kg.",
            Gravity.DOUBTFUL,
        )


def _compute_box_volume(thing: WorldThing, facts: SeedFacts) -> float | None:
    sizes = [facts.get_number(f"{thing.name}.{size}") for size in SIZES]
    if any(size is None or size <= 0 for size in sizes):
        return None
    length, width, height = (size for size in sizes if size is not None)
    return length * width * height


def _find_densest_material(thing: WorldThing, facts: SeedFacts) -> tuple[float, str]:
    """Return the density of the densest material that the thing is said to be made of, and its name."""
    row = facts.find_object_row(thing)
    words = set(_WORD.findall((row.material if row is not None else "").lower()))
    found = {}
    for name, material in load_materials().items():
        if set(name.split("_")) <= words or set(_WORD.findall(material.label.lower())) <= words:
            found[name.replace("_", " ")] = material.density.range[1]
    found |= {word: _GENERIC_MATERIALS[word] for word in words & _GENERIC_MATERIALS.keys()}
    if not found:
        return HEAVIEST, "any everyday material"
    heaviest = max(sorted(found), key=lambda name: found[name])
    return found[heaviest], heaviest


def _find_library_differences(thing: WorldThing, facts: SeedFacts) -> Iterator[PhysicalFault]:
    """Yield the differences from the everyday thing that it is declared to be like."""
    row = load_everyday_objects().get(facts.find_library_row_declared_alike(thing.name) or "")
    if row is None:
        return
    mass = facts.get_number(f"{thing.name}.mass")
    low, high = row.mass_range
    if mass is not None and not low / LIKE_MASS <= mass <= high * LIKE_MASS:
        yield PhysicalFault(
            f"{thing.name}.mass",
            f"{thing.label} is as stated.",
            f"{mass:.4g} kg, and {row.label} weighs {low:g} to {high:g} kg ({row.source})",
            f"the measured mass of {row.label}",
            f"State a mass from {low:g} to {high:g} kg.",
            Gravity.DOUBTFUL,
        )
    for name, usual in zip(SIZES, row.size, strict=True):
        size = facts.get_number(f"{thing.name}.{name}")
        if size is not None and not usual / LIKE_SIZE <= size <= usual * LIKE_SIZE:
            yield PhysicalFault(
                f"{thing.name}.{name}",
                f"{thing.label} is as stated.",
                f"{name} {size:.3g} m, and {row.label} has {usual:g} m ({row.source})",
                f"the measured size of {row.label}",
                f"State a {name} near {usual:g} m.",
                Gravity.DOUBTFUL,
            )
