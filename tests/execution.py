"""What execution finds for a tree at a point: the measure of everything that reads trees another way."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.scalars import UNDEFINED, compiled


def executed(tree: Expression, point: Mapping[str, float | bool]) -> Any:
    """What execution finds at a point, or None where it finds no value."""
    names = list(point)
    try:
        return compiled(tree, names.index)([point[name] for name in names])
    except UNDEFINED:
        return None


def overflows(tree: Expression, point: Mapping[str, float | bool]) -> bool:
    """Whether execution leaves the range of floats on the way."""
    found = (executed(node, point) for node in ex.walk(tree))
    return any(isinstance(value, float) and not math.isfinite(value) for value in found)
