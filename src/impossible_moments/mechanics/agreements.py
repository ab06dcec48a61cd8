"""Agreements: numbers that a record states twice, held against each other."""

from __future__ import annotations

from typing import Final

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.dimensions import Dimension
from impossible_moments.mechanics.engine import Engine
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.scalars import UNDEFINED
from impossible_moments.mechanics.world import Condition

ROUNDING: Final = 0.01
"""How far printed numbers may be rounded."""


def check_agreements(engine: Engine, findings: Findings) -> None:
    """Note every agreement that does not hold at stated values."""
    for agreement in engine.world.agrees:
        problem = _problem(engine, agreement)
        if problem:
            findings.add(
                "agreement.fails",
                f"/agrees/{agreement.name}",
                problem,
                found=ex.written(agreement.tree),
                expected="numbers that agree: correct the one that is wrong",
            )


def _problem(engine: Engine, agreement: Condition) -> str:
    tree = agreement.tree
    try:
        if not isinstance(tree, ex.Comparison) or tree.operator != "==":
            return "" if engine.value(tree) else f"`{ex.written(tree)}` does not hold"
        if not isinstance(engine.type_of(tree.left), Dimension):
            return "" if engine.value(tree) else f"`{ex.written(tree)}` does not hold"
        left, right = float(engine.value(tree.left)), float(engine.value(tree.right))
    except UNDEFINED:
        return f"`{ex.written(tree)}` has no value"
    if abs(left - right) <= ROUNDING * max(abs(left), abs(right)):
        return ""
    return (
        f"`{ex.written(tree.left)}` is {left:.4g} and `{ex.written(tree.right)}` is {right:.4g} (SI), {left / right - 1:+.0%} apart"
        if right
        else f"{left:.4g} is not 0"
    )
