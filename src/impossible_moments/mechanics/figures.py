"""Figures as their author wrote them: a value of a quantity in the quantity's own unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.mechanics.scalars import Value
from impossible_moments.mechanics.world import World

MOST_SHOWN: Final = 4


def figure(world: World, name: str, value: Value) -> str:
    """`strength = 3.9[kg/cm**2]`; a value of no known quantity is given as it is, in SI."""
    quantity = world.quantities.get(name)
    if isinstance(value, bool) or not isinstance(value, float):
        return f"{name} = {str(value).lower() if isinstance(value, bool) else value}"
    unit = quantity.shown if quantity is not None else None
    if unit is None:
        return f"{name} = {value:.4g}"
    return f"{name} = {unit.from_si(value):.4g}[{unit.text}]"


def point(world: World, values: Mapping[str, Value]) -> str:
    """A few figures of a point, those the record names first."""
    names = sorted(values, key=lambda name: (name not in world.quantities, name))
    return ", ".join(figure(world, name, values[name]) for name in names[:MOST_SHOWN])
