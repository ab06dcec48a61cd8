"""Masses from density and volume, for things whose stated mass does not fit their size."""

from __future__ import annotations

import math
import re

from impossible_moments.blueprints import ScenarioDraft
from impossible_moments.library import load_everyday_objects, load_materials

_VOLUME = re.compile(r"([\d.]+(?:e[-+]?\d+)?)\s*m(?:³|\*\*3)", re.IGNORECASE)
_DENSITY = re.compile(r"weighs\s+([\d.]+(?:e[-+]?\d+)?)\s*kg/m(?:³|\*\*3)", re.IGNORECASE)
_BOX_SIDES = (("length",), ("width", "across"), ("height", "thickness", "depth"))


def estimate_mass(draft: ScenarioDraft, thing: str) -> float | None:
    """Return density times volume of a thing in kilograms, or None if its material or its size is not stated."""
    volume, density = _compute_volume(draft, thing), _find_density(draft, thing)
    return None if volume is None or density is None else volume * density


def read_mass_from_evidence(text: str) -> float | None:
    """Return density times volume in kilograms if the evidence of a demand states both, else None."""
    volume, density = _VOLUME.search(text), _DENSITY.search(text)
    return None if volume is None or density is None else float(volume[1]) * float(density[1])


def _compute_volume(draft: ScenarioDraft, thing: str) -> float | None:
    diameter, length = _find_size(draft, thing, ("diameter",)), _find_size(draft, thing, ("length", "height"))
    if diameter is not None and length is not None:
        return math.pi / 4 * diameter**2 * length
    sides = [_find_size(draft, thing, names) for names in _BOX_SIDES]
    found = [side for side in sides if side is not None]
    return math.prod(found) if len(found) == len(sides) else None


def _find_size(draft: ScenarioDraft, thing: str, names: tuple[str, ...]) -> float | None:
    for name in names:
        quantity = draft.design.world.quantities.get(f"{thing}.{name}")
        if quantity is not None and isinstance(quantity.value, float) and quantity.value > 0:
            return quantity.value
    return None


def _find_density(draft: ScenarioDraft, thing: str) -> float | None:
    """Return the density of the only material of a thing in kilograms per cubic metre."""
    row = draft.design.world.things[thing].like if thing in draft.design.world.things else None
    stated = draft.instance.notes.materials.get(thing, "")
    known = load_everyday_objects().get(row or "")
    parts = known.materials if known is not None and not stated else ()
    materials = load_materials()
    names = {stated, stated.replace(" ", "_"), *parts}
    found = [each for each in materials.values() if each.name in names or each.label == stated]
    return float(found[0].density.value) if len(found) == 1 else None
