"""The timing budget: each step of a plan with its duration and the basis of that duration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.euler.record_workings import AnsweringPlan, RecordWorkings
from impossible_moments.domain.validation import TimingRow
from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.language import TIME, UNDEFINED
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import QuantityKind
from impossible_moments.mechanics.world import format_quantity_value

TOLERANCE: Final = 0.02
"""The largest relative difference between a stated and a computed time."""


@dataclass(frozen=True, slots=True)
class SlowestRun:
    """A plan run with every assumed duration at its slow end."""

    seconds: float
    deadline: float

    @property
    def is_late(self) -> bool:
        """Whether the run misses the deadline."""
        return self.seconds > self.deadline


def build_timing_budget(workings: RecordWorkings, plan: AnsweringPlan) -> tuple[TimingRow, ...]:
    """Return a row for each executed step, including going and fetching."""
    assert workings.analysis is not None, "a plan was executed"
    return tuple(
        TimingRow(
            step=step.call,
            seconds=step.took,
            basis=_describe_time_basis(step.call, workings.analysis, inserted=step.inserted),
        )
        for step in plan.outcome.steps
    )


def _describe_time_basis(call: str, analysis: WorldAnalysis, *, inserted: bool) -> str:
    verb = call.partition("(")[0]
    action = analysis.world.actions.get(verb)
    if inserted:
        return "going and fetching, at the pace the library gives"
    if action is None:
        return "no time of its own: it is said, chosen or waited for"
    quantity = analysis.world.quantities.get(f"{verb}.takes")
    if quantity is not None:
        return f"{format_quantity_value(analysis.world, quantity.name, quantity.value or 0.0)}, {quantity.source or 'as stated'}"
    named = [
        analysis.world.quantities[name]
        for name in sorted(ex.collect_paths(action.takes))
        if name in analysis.world.quantities
    ]
    figures = [
        format_quantity_value(analysis.world, each.name, each.value)
        for each in named
        if each.value is not None
    ]
    sources = [each.source for each in named if each.source]
    return "; ".join([ex.format_expression(action.takes), *figures, *sources])


def run_with_slowest_times(workings: RecordWorkings, plan: AnsweringPlan) -> SlowestRun | None:
    """Run the plan with all assumed times at their slow ends.

    Return None if there is no deadline or no assumed time.
    """
    analysis = workings.analysis
    if analysis is None or plan.outcome.deadline is None:
        return None
    slow = {
        quantity.name: quantity.high
        for quantity in analysis.world.quantities.values()
        if quantity.kind is QuantityKind.ASSUMED and quantity.high is not None and _is_duration(quantity.tree)
    }
    if not slow:
        return None
    try:
        outcome = analysis.executor.run_plan(plan.moves, changes={**slow, **plan.changes}, lifted=plan.lifted)
    except UNDEFINED:
        return None
    return SlowestRun(outcome.time, outcome.deadline or plan.outcome.deadline)


def _is_duration(tree: ex.Expression) -> bool:
    return isinstance(tree, ex.Number) and tree.dimension == TIME


def find_misstated_times(workings: RecordWorkings, plan: AnsweringPlan) -> Iterator[tuple[str, float, float]]:
    """Yield the call, stated time and computed time of each step whose times differ."""
    computed_times = {step.call: step.took for step in plan.outcome.steps}
    for step in workings.seed.solution_sketch.steps:
        if step.seconds is None or step.call not in computed_times:
            continue
        if abs(step.seconds - computed_times[step.call]) > TOLERANCE * max(
            step.seconds, computed_times[step.call], 1e-9
        ):
            yield step.call, step.seconds, computed_times[step.call]
