"""Formatting of quantity values in the unit in which the author stated the quantity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.mechanics.language.scalar_evaluation import Value
from impossible_moments.mechanics.world.world_model import World

MOST_SHOWN: Final = 4


def format_quantity_value(world: World, name: str, value: Value) -> str:
    """Format a value as `strength = 3.9[kg/cm**2]`. Values of unknown quantities are given in SI units."""
    quantity = world.quantities.get(name)
    if isinstance(value, bool) or not isinstance(value, float):
        return f"{name} = {str(value).lower() if isinstance(value, bool) else value}"
    unit = quantity.display_unit if quantity is not None else None
    if unit is None:
        return f"{name} = {value:.4g}"
    return f"{name} = {unit.from_si(value):.4g}[{unit.text}]"


def format_point_values(world: World, values: Mapping[str, Value]) -> str:
    """Format up to `MOST_SHOWN` values of a point, quantities of the record first."""
    names = sorted(values, key=lambda name: (name not in world.quantities, name))
    return ", ".join(format_quantity_value(world, name, values[name]) for name in names[:MOST_SHOWN])
