"""The plans that a document shows, selected by status and executed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from impossible_moments.mechanics.analysis import Analysis
from impossible_moments.mechanics.check import Report
from impossible_moments.mechanics.contested import Crux
from impossible_moments.mechanics.figures import figure
from impossible_moments.mechanics.outcomes import Outcome
from impossible_moments.mechanics.status import Verdict

MOST_WAYS = 3


@dataclass(frozen=True)
class ShownPlan:
    """A plan with its title and its execution outcome."""

    title: str
    calls: tuple[str, ...]
    outcome: Outcome


def shown_plans(report: Report) -> tuple[ShownPlan, ...]:
    """Return the plans that solve a scenario, or none."""
    if report.analysis is None or report.verdict is None:
        return ()
    return tuple(_plans(report.analysis, report.verdict))


def _plans(analysis: Analysis, verdict: Verdict) -> Iterator[ShownPlan]:
    run = analysis.executor.run
    if verdict.crux is not None:
        yield from _contested(analysis, verdict.crux)
    elif verdict.outside is not None:
        outcome = run(verdict.outside.plan, lifted=frozenset(verdict.premises))
        names = ", ".join(f"`{name}`" for name in verdict.premises)
        yield ShownPlan(f"Once the premise {names} is dropped", verdict.outside.calls, outcome)
    else:
        ways = (*verdict.degenerate[:1],) or verdict.ways[:MOST_WAYS]
        for number, way in enumerate(ways, 1):
            yield ShownPlan(f"Way {number}" if len(ways) > 1 else "", way.calls, run(way.plan))


def _contested(analysis: Analysis, crux: Crux) -> Iterator[ShownPlan]:
    quantity = analysis.world.quantities[crux.quantity]
    for value, ways in ((quantity.low, crux.all_low), (quantity.high, crux.all_high)):
        if value is None or not ways:
            continue
        outcome = analysis.executor.run(ways[0].plan, changes={crux.quantity: value})
        yield ShownPlan(f"Best at `{figure(analysis.world, crux.quantity, value)}`", ways[0].calls, outcome)
