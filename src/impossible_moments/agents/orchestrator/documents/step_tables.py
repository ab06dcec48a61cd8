"""Step tables: each step of an executed plan with its time and the cumulative time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.solution_plans import (
    DocumentedPlan,
    select_solving_plans,
)
from impossible_moments.mechanics.checks import matches_any_call
from impossible_moments.mechanics.execution import ExecutedStep, PlanOutcome
from impossible_moments.mechanics.records import Record
from impossible_moments.scenarios import NOTHING, join_paragraphs, render_table

_HEADERS: Final = ("Step", "Action", "Time Cost", "Cumulative", "Rationale")
_UNITS: Final = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s"))
_STATEMENT_PREFIXES: Final = ("challenge(", "claim(", "impossible(")
_ENOUGH: Final = 3
"""A time of three units or more is printed in that unit."""


def render_step_tables(case: FinishedCase) -> str:
    """Render a table for each plan. If no plan solves the scenario, render a sentence that states this."""
    plans = select_solving_plans(case.report)
    if not plans:
        return join_paragraphs(
            "No plan reaches the goal; what was tried stands above.", _render_sketched_steps(case)
        )
    return join_paragraphs(*(part for plan in plans for part in _render_plan_table(case, plan)))


def _render_plan_table(case: FinishedCase, plan: DocumentedPlan) -> Iterator[str]:
    yield f"**{plan.title}**" if plan.title else ""
    clock = PlanTimeFormat.from_outcome(plan.outcome)
    yield render_table(_HEADERS, _iterate_step_rows(case, plan, clock))
    yield _format_time_budget(plan.outcome, clock)


@dataclass(frozen=True, slots=True)
class PlanTimeFormat:
    """The unit and the decimals in which the times of one plan are printed, so that printed times add up."""

    unit: float
    name: str
    decimals: int

    @classmethod
    def from_outcome(cls, outcome: PlanOutcome) -> PlanTimeFormat:
        """Choose the unit and the decimals that suit a plan."""
        # Use the plan's time and not the deadline: seconds out of an hour are printed in seconds.
        longest = outcome.time or outcome.deadline or 0.0
        unit, name = next((each for each in _UNITS if longest >= _ENOUGH * each[0]), _UNITS[-1])
        amount = outcome.time / unit
        decimals = min(max(2 - math.floor(math.log10(amount)), 1), 6) if amount > 0 else 1
        return cls(unit, name, decimals)

    def round_to_unit(self, seconds: float) -> float:
        """Convert seconds to the printed unit, rounded as printed."""
        return round(seconds / self.unit, self.decimals)

    def format_time(self, value: float) -> str:
        """Format a number of units with its unit."""
        return f"{value:.{self.decimals}f} {self.name}"


def _iterate_step_rows(
    case: FinishedCase, plan: DocumentedPlan, clock: PlanTimeFormat
) -> Iterator[tuple[object, ...]]:
    words = {_normalize_call(step.call): step.action for step in case.seed.solution_sketch.steps if step.call}
    insights = _parse_insight_patterns(case.report.record)
    before, number = 0.0, 0
    for statement in plan.outcome.said:
        number += 1
        yield (
            number,
            _format_call_with_wording(statement, words),
            clock.format_time(0.0),
            clock.format_time(0.0),
            _explain_statement(statement, insights),
        )
    for step in plan.outcome.steps:
        number += 1
        after = clock.round_to_unit(step.started + step.took)
        yield (
            number,
            _format_call_with_wording(step.call, words),
            clock.format_time(after - before),
            clock.format_time(after),
            _explain_why_step_works(step, insights),
        )
        before = after
    end = clock.round_to_unit(plan.outcome.time)
    if end > before:
        yield (
            number + 1,
            "Wait for what is under way",
            clock.format_time(end - before),
            clock.format_time(end),
            NOTHING,
        )


def _format_time_budget(outcome: PlanOutcome, clock: PlanTimeFormat) -> str:
    total = clock.round_to_unit(outcome.time)
    if not outcome.deadline:
        return f"Total time: {clock.format_time(total)}. There is no deadline."
    deadline = clock.round_to_unit(outcome.deadline)
    left = deadline - total
    share = outcome.time_margin or 0.0
    return f"Total time: {clock.format_time(total)} of {clock.format_time(deadline)}, which leaves {clock.format_time(left)} ({share:.0%})."


def _format_call_with_wording(call: str, words: Mapping[str, str]) -> str:
    action = words.get(_normalize_call(call), "").strip()
    if not action:
        return f"`{call}`"
    return action if _normalize_call(call) in _normalize_call(action) else f"{action} (`{call}`)"


def _normalize_call(call: str) -> str:
    return "".join(call.split()).replace('"', "'")


def _explain_why_step_works(step: ExecutedStep, insights: Mapping[str, str]) -> str:
    for pattern, text in insights.items():
        if not pattern.startswith(_STATEMENT_PREFIXES) and matches_any_call(pattern, [step.call]):
            return text
    margins = [(margin, name) for name, margin in step.margins if margin is not None]
    if not margins:
        return "going and fetching" if step.inserted else NOTHING
    margin, name = min(margins)
    return f"`{name}` holds with {margin:.0%} to spare"


def _explain_statement(call: str, insights: Mapping[str, str]) -> str:
    verb = call.partition("(")[0]
    return next((text for pattern, text in insights.items() if pattern.startswith(f"{verb}(")), NOTHING)


def _parse_insight_patterns(record: Record | None) -> dict[str, str]:
    """Return the record's explanations of calls, by call pattern."""
    found: dict[str, str] = {}
    for line in record.insights if record is not None else []:
        pattern, _, text = line.partition("=")
        found[pattern.strip()] = text.strip()
    return found


def _render_sketched_steps(case: FinishedCase) -> str:
    """Render the steps that ATHENA sketched, if nothing was computed."""
    steps = case.seed.solution_sketch.steps
    if case.report.verdict is not None or not steps:
        return ""
    rows = (
        (at, step.action, NOTHING if step.seconds is None else f"{step.seconds:g} s", NOTHING, "as sketched")
        for at, step in enumerate(steps, 1)
    )
    return join_paragraphs("As it was sketched, not computed:", render_table(_HEADERS, rows))
