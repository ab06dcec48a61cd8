"""Step tables: each step of an executed plan with its time and the cumulative time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.solution_plans import (
    DocumentedPlan,
    select_solving_plans,
)
from impossible_moments.agents.orchestrator.documents.wording.record_wording import (
    RecordWording,
    parse_insight_patterns,
)
from impossible_moments.agents.orchestrator.documents.wording.step_rationale import (
    explain_statement,
    explain_step,
)
from impossible_moments.mechanics.execution import PlanOutcome
from impossible_moments.scenarios import NOTHING, join_paragraphs, render_table

_HEADERS: Final = ("Step", "Action", "Time Cost", "Cumulative", "Rationale")
_UNITS: Final = (
    (31_557_600.0, "years"),
    (86_400.0, "days"),
    (3_600.0, "h"),
    (60.0, "min"),
    (1.0, "s"),
    (1e-3, "ms"),
)
_ENOUGH: Final = 3
"""A time of three units or more is printed in that unit."""
_MOST_DECIMALS: Final = 6
_MOST_AMOUNT: Final = 1000
"""From this number on a time is printed in two units."""
_SHORTEST: Final = 1e-9
_SINGULAR: Final = {"years": "year", "days": "day"}


def render_step_tables(case: FinishedCase) -> str:
    """Render a table for each plan. If no plan solves the scenario, render a sentence that states this."""
    wording, plans = case.wording, select_solving_plans(case)
    if wording is None or not plans:
        return join_paragraphs(
            "No plan reaches the goal; what was tried stands above.", _render_sketched_steps(case)
        )
    return join_paragraphs(*(part for plan in plans for part in _render_plan_table(case, wording, plan)))


def _render_plan_table(case: FinishedCase, wording: RecordWording, plan: DocumentedPlan) -> Iterator[str]:
    yield f"**{plan.title}**" if plan.title else ""
    clock = PlanTimeFormat.from_outcome(plan.outcome)
    rows = list(_iterate_step_rows(case, wording, plan, clock))
    yield render_table(_HEADERS, [row for row, _ in rows])
    yield _format_time_budget(plan.outcome, clock, rows[-1][1] if rows else 0.0)


@dataclass(frozen=True, slots=True)
class PlanTimeFormat:
    """The unit and the decimals in which the times of one plan are printed.

    Equal durations are printed equal, and a cumulative time is the sum of the printed durations. If every time of the
    plan is exact in few digits, each one is printed in the unit that suits it: `5 min` beside `45.75 h`.
    """

    unit: float
    name: str
    decimals: int
    is_exact: bool = False

    @classmethod
    def from_outcome(cls, outcome: PlanOutcome) -> PlanTimeFormat:
        """Choose the unit of the plan's time, and decimals in which its rounded durations add up."""
        exact = (*_iterate_durations(outcome), *accumulate(_iterate_durations(outcome)))
        if all(_format_exact_time(each) for each in exact):
            return cls(1.0, "s", _MOST_DECIMALS, is_exact=True)
        # Use the plan's time and not the deadline: seconds out of an hour are printed in seconds.
        longest = outcome.time or outcome.deadline or 0.0
        unit, name = next((each for each in _UNITS if longest >= _ENOUGH * each[0]), (1.0, "s"))
        amount = outcome.time / unit
        decimals = min(max(2 - math.floor(math.log10(amount)), 1), _MOST_DECIMALS) if amount > 0 else 1
        durations = list(_iterate_durations(outcome))
        while decimals < _MOST_DECIMALS:
            summed = sum(round(each / unit, decimals) for each in durations)
            if round(summed - round(sum(durations) / unit, decimals), decimals) == 0:
                break
            decimals += 1
        return cls(unit, name, decimals)

    def round_to_unit(self, seconds: float) -> float:
        """Convert seconds to the printed unit, rounded as printed."""
        return round(seconds / self.unit, self.decimals)

    def format_time(self, value: float) -> str:
        """Format a number of units with its unit."""
        if not value:
            return f"0 {self.name}"
        exact = _format_exact_time(value * self.unit) if self.is_exact else ""
        if exact:
            return exact
        if self.is_exact:  # such as a deadline with more digits than the steps
            size, name = next((each for each in _UNITS if abs(value) >= _ENOUGH * each[0]), (1.0, "s"))
            return f"{value / size:.4g} {name}"
        return f"{value:.{self.decimals}f} {self.name}"


def _format_exact_time(seconds: float) -> str:
    """Format a time with at most two decimals in the largest unit in which that is exact, or return an empty text."""
    if abs(seconds) < _SHORTEST:
        return "0 s"
    for size, name in _UNITS:
        amount = seconds / size
        shown = round(amount, 2)
        is_whole = amount >= 1 and math.isclose(amount, round(amount), rel_tol=1e-9)
        is_year = size == _UNITS[0][0]
        if amount >= _MOST_AMOUNT and not is_year:
            return _format_in_two_units(seconds)
        if (is_whole or amount >= _ENOUGH) and math.isclose(shown * size, seconds, rel_tol=1e-9):
            digits = f"{shown:,.2f}".rstrip("0").rstrip(".")
            return f"{digits} {_SINGULAR.get(name, name) if shown == 1.0 else name}"
    return ""


def _format_in_two_units(seconds: float) -> str:
    """Format a time as whole large units and an exact rest, such as `45 h 55.75 min`."""
    size, name = next(each for each in _UNITS if seconds >= _ENOUGH * each[0])
    whole = math.floor(seconds / size)
    rest = _format_exact_time(seconds - whole * size)
    return f"{whole:,} {name} {rest}" if rest else ""


def _iterate_durations(outcome: PlanOutcome) -> Iterator[float]:
    """Yield the time that passes until the end of each step, and what is then waited for."""
    before = 0.0
    for step in outcome.steps:
        after = step.started + step.took
        yield after - before
        before = after
    if outcome.time > before:
        yield outcome.time - before


def _iterate_step_rows(
    case: FinishedCase, wording: RecordWording, plan: DocumentedPlan, clock: PlanTimeFormat
) -> Iterator[tuple[tuple[object, ...], float]]:
    """Yield each row of a plan with the cumulative time in the printed unit."""
    insights = parse_insight_patterns(case.report.record.insights if case.report.record is not None else [])
    outcome, total, number = plan.outcome, 0.0, 0
    for statement in outcome.said:
        number += 1
        action, reason = wording.describe_call(statement), explain_statement(statement, insights)
        yield (number, action, clock.format_time(0.0), clock.format_time(0.0), reason), total
    for at, duration in enumerate(_iterate_durations(outcome)):
        number += 1
        cost = clock.round_to_unit(duration)
        total = round(total + cost, clock.decimals)
        if at < len(outcome.steps):
            action = wording.describe_deed(outcome.steps[at].call)
            reason = explain_step(wording, outcome.steps, at, insights)
        else:
            action, reason = "Wait for what is under way", "The goal is reached when it ends."
        yield (number, action, clock.format_time(cost), clock.format_time(total), reason), total


def _format_time_budget(outcome: PlanOutcome, clock: PlanTimeFormat, total: float) -> str:
    if not outcome.deadline:
        return f"Total time: {clock.format_time(total)}. There is no deadline."
    deadline = clock.round_to_unit(outcome.deadline)
    share = outcome.time_margin or 0.0
    return f"Total time: {clock.format_time(total)} of {clock.format_time(deadline)}, which leaves {clock.format_time(deadline - total)} ({share:.0%})."


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
