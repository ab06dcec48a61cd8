"""Execution of the sketch step by step, so that conditions can be evaluated in the state in which they matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from impossible_moments.agents.builtin.sketch_plans import SketchPlan
from impossible_moments.mechanics.execution import (
    Move,
    MoveError,
    PlanExecutor,
    PlanOutcome,
    PlanRun,
    RunTermination,
)
from impossible_moments.mechanics.language import UNDEFINED, Value
from impossible_moments.mechanics.records import PlanError, QuantityKind


@dataclass(frozen=True, slots=True)
class SketchMoment:
    """A step of the sketch with the state before and, if it succeeded, after it."""

    move: Move
    before: list[Value]
    after: list[Value] | None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SketchRun:
    """An executed plan of the sketch. `outcome` is None if a call cannot be read."""

    plan: SketchPlan
    outcome: PlanOutcome | None
    moments: tuple[SketchMoment, ...] = ()
    changes: Mapping[str, float] = field(default_factory=dict)
    """The disputed values at which the plan was executed, if it needs other than the stated ones."""
    problem: str = ""

    @property
    def blocked_condition(self) -> str:
        """The name of the condition that stops the plan, or an empty text."""
        if self.outcome is None or not self.outcome.end.startswith("blocked "):
            return ""
        return self.outcome.end.removeprefix("blocked ")


def run_sketch_plan(executor: PlanExecutor, plan: SketchPlan) -> SketchRun:
    """Execute a plan of the sketch, at an end of a disputed range if it does not work at the stated values."""
    try:
        moves = executor.parse_plan(plan.calls)
    except (PlanError, MoveError) as problem:
        return SketchRun(plan, None, problem=str(problem))
    for changes in ({}, *_iterate_disputed_ends(executor)):
        outcome = executor.run_plan(moves, changes=changes)
        if outcome.reaches_goal:
            return SketchRun(plan, outcome, _record_moments(executor, moves, changes), changes)
    return SketchRun(plan, executor.run_plan(moves), _record_moments(executor, moves, {}))


def _iterate_disputed_ends(executor: PlanExecutor) -> Iterator[dict[str, float]]:
    for quantity in executor.engine.world.quantities.values():
        if quantity.kind is QuantityKind.DISPUTED:
            for end in (quantity.low, quantity.high):
                if end is not None:
                    yield {quantity.name: end}


def _record_moments(
    executor: PlanExecutor, moves: tuple[Move, ...], changes: Mapping[str, float]
) -> tuple[SketchMoment, ...]:
    run = PlanRun(executor, executor.engine.build_start_values(changes), frozenset(), measured=True)
    found: list[SketchMoment] = []
    for move in moves:
        before, started = list(run.values), run.time
        try:
            run.execute_move(move)
        except (RunTermination, *UNDEFINED):
            return (*found, SketchMoment(move, before, None))
        found.append(SketchMoment(move, before, list(run.values), run.time - started))
        if run.is_goal_met():
            break
    return tuple(found)
