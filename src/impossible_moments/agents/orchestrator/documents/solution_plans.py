"""The plans that a document shows, selected by status and executed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from impossible_moments.mechanics.checks import CheckReport, Crux, StatusVerdict, WorldAnalysis
from impossible_moments.mechanics.execution import PlanOutcome
from impossible_moments.mechanics.world import format_quantity_value

MOST_WAYS = 3


@dataclass(frozen=True)
class DocumentedPlan:
    """A plan with its title and its execution outcome."""

    title: str
    calls: tuple[str, ...]
    outcome: PlanOutcome


def select_solving_plans(report: CheckReport) -> tuple[DocumentedPlan, ...]:
    """Return the plans that solve a scenario, or none."""
    if report.analysis is None or report.verdict is None:
        return ()
    return tuple(_iterate_documented_plans(report.analysis, report.verdict))


def _iterate_documented_plans(analysis: WorldAnalysis, verdict: StatusVerdict) -> Iterator[DocumentedPlan]:
    run = analysis.executor.run_plan
    if verdict.crux is not None:
        yield from _iterate_contested_plans(analysis, verdict.crux)
    elif verdict.outside is not None:
        outcome = run(verdict.outside.plan, lifted=frozenset(verdict.premises))
        names = ", ".join(f"`{name}`" for name in verdict.premises)
        yield DocumentedPlan(f"Once the premise {names} is dropped", verdict.outside.calls, outcome)
    else:
        plans = (*verdict.degenerate[:1],) or verdict.ways[:MOST_WAYS]
        for number, plan in enumerate(plans, 1):
            yield DocumentedPlan(f"Way {number}" if len(plans) > 1 else "", plan.calls, run(plan.plan))


def _iterate_contested_plans(analysis: WorldAnalysis, crux: Crux) -> Iterator[DocumentedPlan]:
    quantity = analysis.world.quantities[crux.quantity]
    for value, plans in ((quantity.low, crux.all_low), (quantity.high, crux.all_high)):
        if value is None or not plans:
            continue
        outcome = analysis.executor.run_plan(plans[0].plan, changes={crux.quantity: value})
        yield DocumentedPlan(
            f"Best at `{format_quantity_value(analysis.world, crux.quantity, value)}`",
            plans[0].calls,
            outcome,
        )
