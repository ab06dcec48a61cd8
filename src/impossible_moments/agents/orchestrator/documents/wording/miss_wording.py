"""By how much a failing plan misses, in words that fit the direction of the comparison that it fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.execution import Move, PlanOutcome
from impossible_moments.mechanics.language import expressions as ex

_UPPER: Final = frozenset({"<", "<="})
_LOWER: Final = frozenset({">", ">="})
_TWICE: Final = 2


def describe_miss(analysis: WorldAnalysis, plan: tuple[Move, ...], outcome: PlanOutcome) -> str:
    """Return a sentence on by how much a plan misses, or an empty text if that is not a matter of degree."""
    margin = outcome.failing_margin
    if margin is None or margin >= 0:
        return ""
    if outcome.end == "late":
        ratio = 1 - margin  # the margin of a time is relative to the time there is
        if ratio < _TWICE:
            return f"It takes {ratio - 1:.0%} more time than there is."
        return f"It takes {ratio:.3g} times the time there is."
    if margin <= -1:
        return ""
    operators = frozenset(_iterate_operators(analysis, plan, outcome.end))
    if operators and operators <= _UPPER:
        ratio = 1 / (1 + margin)  # the margin of a condition is relative to its larger side
        if ratio < _TWICE:
            return f"The limit is exceeded by {ratio - 1:.0%}."
        return f"The limit is exceeded by a factor of {ratio:.3g}."
    if operators and operators <= _LOWER:
        return f"It falls short by {-margin:.0%}."
    return ""


def _iterate_operators(analysis: WorldAnalysis, plan: tuple[Move, ...], end: str) -> Iterator[str]:
    """Yield the operators of the comparisons in the condition at which a plan is blocked."""
    kind, _, name = end.partition(" ")
    if kind != "blocked":
        return
    moves = (*plan, *analysis.executor.logistics)
    trees = [test.tree for move in moves for test in move.tests if test.name == name]
    for node in ex.walk_nodes(trees[0]) if trees else ():
        if isinstance(node, ex.Comparison):
            yield node.operator
