"""Check of agreements: numbers that a record states twice must be equal."""

from __future__ import annotations

from typing import Final

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import Dimension
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.world_model import NamedCondition

ROUNDING: Final = 0.01
"""Relative difference that is allowed for the rounding of printed numbers."""


def check_agreements(engine: WorldEngine, findings: Findings) -> None:
    """Report every agreement of a record that does not hold at stated values."""
    for agreement in engine.world.agrees:
        problem = _explain_disagreement(engine, agreement)
        if problem:
            findings.add(
                "agreement.fails",
                f"/agrees/{agreement.name}",
                problem,
                found=ex.format_expression(agreement.tree),
                expected="equal numbers; correct the wrong one",
            )


def _explain_disagreement(engine: WorldEngine, agreement: NamedCondition) -> str:
    """Return why an agreement does not hold, or an empty string if it holds."""
    tree = agreement.tree
    try:
        if not isinstance(tree, ex.Comparison) or tree.operator != "==":
            return (
                ""
                if engine.evaluate_expression(tree)
                else f"the agreement `{ex.format_expression(tree)}` does not hold"
            )
        if not isinstance(engine.infer_expression_type(tree.left), Dimension):
            return (
                ""
                if engine.evaluate_expression(tree)
                else f"the agreement `{ex.format_expression(tree)}` does not hold"
            )
        left, right = (
            float(engine.evaluate_expression(tree.left)),
            float(engine.evaluate_expression(tree.right)),
        )
    except UNDEFINED:
        return f"the agreement `{ex.format_expression(tree)}` has no value"
    if abs(left - right) <= ROUNDING * max(abs(left), abs(right)):
        return ""
    return (
        f"the two sides of an agreement differ: `{ex.format_expression(tree.left)}` is {left:.4g} and "
        f"`{ex.format_expression(tree.right)}` is {right:.4g} (SI), {left / right - 1:+.0%} apart"
        if right
        else f"the two sides of an agreement differ: {left:.4g} is not 0"
    )
