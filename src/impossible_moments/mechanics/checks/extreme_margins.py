"""Margins beyond reason: an approach that misses or meets a limit by more than ten times the limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.outcomes import PlanOutcome
from impossible_moments.mechanics.findings.finding import Findings

MOST: Final = 10.0
"""A margin of 1000 %: beyond it the comparison tempts no reader."""


def check_extreme_margins(analysis: WorldAnalysis, findings: Findings) -> None:
    """Report the comparisons of approaches whose margin is beyond -1000 % or +1000 %."""
    for name, outcome in analysis.outcomes.items():
        for comparison, margin in _iterate_margins(outcome):
            if abs(margin) > MOST:
                findings.add(
                    "key.margin",
                    f"/approaches/{name}",
                    f"`{comparison}` has a margin of {margin:.0%} in this approach: it tempts no reader, or a unit is wrong",
                    found=f"{margin:.0%}",
                    expected=f"a margin within {-MOST:.0%} and {MOST:.0%}",
                )


def _iterate_margins(outcome: PlanOutcome) -> Iterator[tuple[str, float]]:
    for step in outcome.steps:
        yield from ((test, margin) for test, margin in step.margins if margin is not None)
    yield from outcome.dangers
    if outcome.failing_margin is not None and outcome.end != "late":  # the deadline is yielded below
        yield outcome.end, outcome.failing_margin
    if outcome.time_margin is not None:
        yield "deadline", outcome.time_margin
