"""The plans that a document shows, selected by status and executed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.wording.record_wording import RecordWording
from impossible_moments.mechanics.checks import Crux, StatusVerdict, WorldAnalysis
from impossible_moments.mechanics.execution import PlanOutcome

MOST_WAYS = 3


@dataclass(frozen=True)
class DocumentedPlan:
    """A plan with its title and its execution outcome."""

    title: str
    calls: tuple[str, ...]
    outcome: PlanOutcome


def select_solving_plans(case: FinishedCase) -> tuple[DocumentedPlan, ...]:
    """Return the plans that solve a scenario, or none."""
    report, wording = case.report, case.wording
    if report.analysis is None or report.verdict is None or wording is None:
        return ()
    return tuple(_iterate_documented_plans(report.analysis, report.verdict, wording))


def describe_premises(wording: RecordWording, verdict: StatusVerdict) -> str:
    """Describe the premises of a verdict by the words of the text that suggest them."""
    rules = {rule.name: rule.evidence for rule in wording.world.never_rules}
    return "; ".join(
        f"“{wording.render_text(rules[name])}”" if rules.get(name) else name.replace("_", " ")
        for name in verdict.premises
    )


def _iterate_documented_plans(
    analysis: WorldAnalysis, verdict: StatusVerdict, wording: RecordWording
) -> Iterator[DocumentedPlan]:
    run = analysis.executor.run_plan
    if verdict.crux is not None:
        yield from _iterate_contested_plans(analysis, verdict.crux, wording)
    elif verdict.outside is not None:
        outcome = run(verdict.outside.plan, lifted=frozenset(verdict.premises))
        title = f"Once the premise is dropped: {describe_premises(wording, verdict)}"
        yield DocumentedPlan(title, verdict.outside.calls, outcome)
    else:
        plans = (*verdict.degenerate[:1],) or verdict.ways[:MOST_WAYS]
        for number, plan in enumerate(plans, 1):
            yield DocumentedPlan(f"Way {number}" if len(plans) > 1 else "", plan.calls, run(plan.plan))


def _iterate_contested_plans(
    analysis: WorldAnalysis, crux: Crux, wording: RecordWording
) -> Iterator[DocumentedPlan]:
    quantity = analysis.world.quantities[crux.quantity]
    for value, plans in ((quantity.low, crux.all_low), (quantity.high, crux.all_high)):
        if value is None or not plans:
            continue
        outcome = analysis.executor.run_plan(plans[0].plan, changes={crux.quantity: value})
        title = (
            f"Best at {wording.format_value(crux.quantity, value)} ({wording.name_quantity(crux.quantity)})"
        )
        yield DocumentedPlan(title, plans[0].calls, outcome)
