"""Stated values of decisions that offer single values: a value means the nearest one that is offered."""

from __future__ import annotations

from impossible_moments.mechanics.language import Unit
from impossible_moments.mechanics.records import Quantity


def find_nearest_option(number: float, quantity: Quantity, unit: Unit | None, tolerance: float) -> float:
    """Return the offered value that a stated one means, in the unit of the statement.

    It is the nearest one, if it lies within the tolerance. A value that is far from all of them is returned as it is,
    and cannot be chosen. A decision with a range takes every value.
    """
    offered = [
        unit.from_si(float(each)) if unit is not None else float(each)
        for each in quantity.options
        if isinstance(each, int | float) and not isinstance(each, bool)
    ]
    nearest = min(offered, key=lambda each: abs(each - number), default=number)
    return nearest if abs(nearest - number) <= tolerance else number
