"""Step tables: each step of an executed plan with its time and the cumulative time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.orchestrator.documents.case import Case
from impossible_moments.agents.orchestrator.documents.plans import ShownPlan, shown_plans
from impossible_moments.mechanics.approaches import matches_some_call
from impossible_moments.mechanics.outcomes import Outcome, Step
from impossible_moments.mechanics.record import Record
from impossible_moments.scenarios.markdown import NOTHING, joined, table

_HEADS: Final = ("Step", "Action", "Time Cost", "Cumulative", "Rationale")
_UNITS: Final = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s"))
_SPOKEN: Final = ("challenge(", "claim(", "impossible(")
_ENOUGH: Final = 3
"""A time of three units or more is printed in that unit."""


def step_tables(case: Case) -> str:
    """Render a table for each plan. If no plan solves the scenario, render a sentence that states this."""
    plans = shown_plans(case.report)
    if not plans:
        return joined("No plan reaches the goal; what was tried stands above.", _sketch(case))
    return joined(*(part for plan in plans for part in _shown(case, plan)))


def _shown(case: Case, plan: ShownPlan) -> Iterator[str]:
    yield f"**{plan.title}**" if plan.title else ""
    clock = Clock.of(plan.outcome)
    yield table(_HEADS, _rows(case, plan, clock))
    yield _budget(plan.outcome, clock)


@dataclass(frozen=True, slots=True)
class Clock:
    """The unit and the decimals in which the times of one plan are printed, so that printed times add up."""

    unit: float
    name: str
    decimals: int

    @classmethod
    def of(cls, outcome: Outcome) -> Clock:
        """Choose the unit and the decimals that suit a plan."""
        # Use the plan's time and not the deadline: seconds out of an hour are printed in seconds.
        longest = outcome.time or outcome.deadline or 0.0
        unit, name = next((each for each in _UNITS if longest >= _ENOUGH * each[0]), _UNITS[-1])
        amount = outcome.time / unit
        decimals = min(max(2 - math.floor(math.log10(amount)), 1), 6) if amount > 0 else 1
        return cls(unit, name, decimals)

    def read(self, seconds: float) -> float:
        """Convert seconds to the printed unit, rounded as printed."""
        return round(seconds / self.unit, self.decimals)

    def told(self, value: float) -> str:
        """Format a number of units with its unit."""
        return f"{value:.{self.decimals}f} {self.name}"


def _rows(case: Case, plan: ShownPlan, clock: Clock) -> Iterator[tuple[object, ...]]:
    words = {_bare(step.call): step.action for step in case.seed.solution_sketch.steps if step.call}
    insights = _insights(case.report.record)
    before, number = 0.0, 0
    for said in plan.outcome.said:
        number += 1
        yield number, _action(said, words), clock.told(0.0), clock.told(0.0), _said_why(said, insights)
    for step in plan.outcome.steps:
        number += 1
        after = clock.read(step.started + step.took)
        yield (
            number,
            _action(step.call, words),
            clock.told(after - before),
            clock.told(after),
            _why(step, insights),
        )
        before = after
    end = clock.read(plan.outcome.time)
    if end > before:
        yield number + 1, "Wait for what is under way", clock.told(end - before), clock.told(end), NOTHING


def _budget(outcome: Outcome, clock: Clock) -> str:
    total = clock.read(outcome.time)
    if not outcome.deadline:
        return f"Total time: {clock.told(total)}. There is no deadline."
    deadline = clock.read(outcome.deadline)
    left = deadline - total
    share = outcome.time_margin or 0.0
    return f"Total time: {clock.told(total)} of {clock.told(deadline)}, which leaves {clock.told(left)} ({share:.0%})."


def _action(call: str, words: Mapping[str, str]) -> str:
    action = words.get(_bare(call), "").strip()
    if not action:
        return f"`{call}`"
    return action if _bare(call) in _bare(action) else f"{action} (`{call}`)"


def _bare(call: str) -> str:
    return "".join(call.split()).replace('"', "'")


def _why(step: Step, insights: Mapping[str, str]) -> str:
    for pattern, text in insights.items():
        if not pattern.startswith(_SPOKEN) and matches_some_call(pattern, [step.call]):
            return text
    margins = [(margin, name) for name, margin in step.margins if margin is not None]
    if not margins:
        return "going and fetching" if step.inserted else NOTHING
    margin, name = min(margins)
    return f"`{name}` holds with {margin:.0%} to spare"


def _said_why(call: str, insights: Mapping[str, str]) -> str:
    verb = call.partition("(")[0]
    return next((text for pattern, text in insights.items() if pattern.startswith(f"{verb}(")), NOTHING)


def _insights(record: Record | None) -> dict[str, str]:
    """Return the record's explanations of calls, by call pattern."""
    found: dict[str, str] = {}
    for line in record.insights if record is not None else []:
        pattern, _, text = line.partition("=")
        found[pattern.strip()] = text.strip()
    return found


def _sketch(case: Case) -> str:
    """Render the steps that ATHENA sketched, if nothing was computed."""
    steps = case.seed.solution_sketch.steps
    if case.report.verdict is not None or not steps:
        return ""
    rows = (
        (at, step.action, NOTHING if step.seconds is None else f"{step.seconds:g} s", NOTHING, "as sketched")
        for at, step in enumerate(steps, 1)
    )
    return joined("As it was sketched, not computed:", table(_HEADS, rows))
