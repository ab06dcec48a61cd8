"""Perturbed variants of fragile scenarios, on which a plan is executed again."""

from __future__ import annotations

from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation.plan_execution import ExecutedInterpretation

_QUARTERS: Final = (0.25, 0.75)
"""Positions of the variants within the range of a fragile quantity."""


def list_variant_flags(executed: ExecutedInterpretation, key: AnswerKey) -> list[str]:
    """Return the flag `steady` or `fragile` if the plan works on all or on no variants, else none."""
    results = []
    for name in key.block.fragile_in:
        quantity = key.analysis.world.quantities[name]
        if quantity.low is None or quantity.high is None:
            continue
        for share in _QUARTERS:
            value = quantity.low + share * (quantity.high - quantity.low)
            outcome = key.analysis.executor.run_plan(executed.moves, changes={name: value})
            results.append(outcome.reaches_goal)
    if not results or (any(results) and not all(results)):
        return []
    return ["steady"] if all(results) else ["fragile"]
