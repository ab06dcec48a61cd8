"""EULER's own timing: each duration as an interval over the stated ranges, summed without the executor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.euler.record_workings import AnsweringPlan, RecordWorkings
from impossible_moments.agents.builtin.quantity_wording import (
    describe_expression,
    describe_sources,
    format_quantity,
    list_sources,
)
from impossible_moments.domain.validation import TimingRow
from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.execution import Move
from impossible_moments.mechanics.language import UNDEFINED, IntervalEvaluator
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import QuantityKind
from impossible_moments.mechanics.world import World

DISAGREEMENT: Final = 0.02
"""The largest relative difference between two times that count as the same."""


@dataclass(frozen=True, slots=True)
class TimedStep:
    """A step with its computed time and the range of that time over all stated ranges."""

    call: str
    seconds: float
    shortest: float
    longest: float
    basis: str


@dataclass(frozen=True, slots=True)
class TimingSum:
    """The times of a plan, summed independently of its execution, against the deadline."""

    steps: tuple[TimedStep, ...]
    executed_seconds: float
    deadline: float | None
    earliest_deadline: float | None

    @property
    def seconds(self) -> float:
        """The sum at stated values."""
        return sum(step.seconds for step in self.steps)

    @property
    def longest(self) -> float:
        """The sum with every assumed quantity at its slow end."""
        return sum(step.longest for step in self.steps)

    @property
    def worst_margin(self) -> float | None:
        """The share of the deadline that is left in the worst case, negative if it is missed."""
        if not self.earliest_deadline:
            return None
        return (self.earliest_deadline - self.longest) / self.earliest_deadline

    @property
    def disagrees_with_execution(self) -> bool:
        """Whether the sum differs from the time that the execution took."""
        return abs(self.seconds - self.executed_seconds) > DISAGREEMENT * max(
            self.seconds, self.executed_seconds, 1e-9
        )


def sum_times(workings: RecordWorkings, plan: AnsweringPlan) -> TimingSum:
    """Sum the durations of the executed steps from their expressions and the ranges of the quantities."""
    analysis = workings.analysis
    assert analysis is not None, "a plan was executed"
    box = _build_box(analysis.world, plan)
    moves = {move.text: move for move in (*plan.moves, *analysis.executor.logistics)}
    steps = tuple(
        _time_step(analysis, moves.get(step.call), step.call, step.took, box, inserted=step.inserted)
        for step in plan.outcome.steps
    )
    deadline = plan.outcome.deadline
    earliest = deadline
    if analysis.world.deadline is not None and deadline is not None:
        low, _ = IntervalEvaluator(box).compute_interval(
            analysis.world.expand_derived_quantities(analysis.world.deadline)
        )
        earliest = low if 0 < low <= deadline else deadline
    return TimingSum(steps, plan.outcome.time, deadline, earliest)


def build_timing_rows(timing: TimingSum) -> tuple[TimingRow, ...]:
    """Return a row for each step, including going and fetching."""
    return tuple(
        TimingRow(
            step=step.call,
            seconds=step.seconds,
            basis=step.basis
            + (
                f"; {step.shortest:.4g} to {step.longest:.4g} s over the stated ranges"
                if step.longest - step.shortest > DISAGREEMENT * step.longest
                else ""
            ),
        )
        for step in timing.steps
    )


def _build_box(world: World, plan: AnsweringPlan) -> dict[str, tuple[float, float]]:
    box: dict[str, tuple[float, float]] = {}
    for name, quantity in world.quantities.items():
        value = plan.changes.get(name, quantity.value)
        if not isinstance(value, float):
            continue
        ranged = (
            quantity.kind is QuantityKind.ASSUMED and quantity.low is not None and quantity.high is not None
        )
        box[name] = (
            (quantity.low, quantity.high)
            if ranged and quantity.low is not None and quantity.high is not None
            else (value, value)
        )
    return box


def _time_step(
    analysis: WorldAnalysis,
    move: Move | None,
    call: str,
    executed: float,
    box: dict[str, tuple[float, float]],
    *,
    inserted: bool,
) -> TimedStep:
    world = analysis.world
    if move is None or move.unattended or move.takes is None:
        basis = (
            "under way while other steps are done"
            if move is not None and move.unattended
            else "no time of its own: it is said, chosen or waited for"
        )
        return TimedStep(call, executed, executed, executed, basis)
    bases = world.collect_stated_quantities(move.takes_tree)
    decided = any(world.quantities[name].kind is QuantityKind.DECISION for name in bases)
    if bases & world.mutable or decided:
        basis = f"{describe_expression(world, move.takes_tree)}, executed, since it reads what earlier steps change"
        return TimedStep(call, executed, executed, executed, basis)
    try:
        low, high = IntervalEvaluator(box).compute_interval(world.expand_derived_quantities(move.takes_tree))
        nominal = float(
            analysis.engine.evaluate_expression(
                move.takes_tree, analysis.engine.build_start_values(dict(_only_stated(box, world)))
            )
        )
    except UNDEFINED:
        return TimedStep(
            call, executed, executed, executed, "executed: its expression has no value at the stated numbers"
        )
    return TimedStep(call, nominal, max(low, 0.0), high, _describe_basis(world, move, inserted=inserted))


def _only_stated(box: dict[str, tuple[float, float]], world: World) -> dict[str, float]:
    """Return the values of the box that are exact and differ from the stated ones."""
    return {
        name: low for name, (low, high) in box.items() if low == high and world.quantities[name].value != low
    }


def _describe_basis(world: World, move: Move, *, inserted: bool) -> str:
    figures = [
        f"{name} = {format_quantity(world, name, value)}"
        for name in sorted(world.collect_stated_quantities(move.takes_tree))
        if isinstance(value := world.quantities[name].value, float)
    ]
    parts = [
        "going and fetching" if inserted else "",
        ""
        if isinstance(move.takes_tree, ex.Name | ex.Property | ex.Number)
        else describe_expression(world, move.takes_tree),
        ", ".join(figures) or f"{ex.format_expression(move.takes_tree)}, a number of the record",
        describe_sources(list_sources(world, move.takes_tree)),
    ]
    return "; ".join(filter(None, parts))
