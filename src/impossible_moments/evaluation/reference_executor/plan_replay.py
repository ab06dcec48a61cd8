"""An independent reference executor of plans, written from the documentation to check the main one.

It shares only the built world with the main executor. Expressions are evaluated by recursion, rates are
integrated in small steps, and moments are found by bisection. It is deliberately simple and slow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from impossible_moments.evaluation.reference_executor.call_parser import parse_world_call
from impossible_moments.evaluation.reference_executor.plan_run import PlanFailure, ReferenceRun
from impossible_moments.mechanics.world import World


@dataclass(frozen=True)
class ReplayOutcome:
    """The end of a replayed plan, named as in the documentation."""

    end: str
    reaches_goal: bool
    time: float
    failed_at: int | None
    """Index of the call that failed, from 0; None for `goal`, `late` and `short`."""


def replay_plan(
    world: World,
    calls: Sequence[str],
    *,
    changes: Mapping[str, float] | None = None,
    lifted: frozenset[str] = frozenset(),
) -> ReplayOutcome:
    """Execute a plan in a world, with some values changed and some never-lines lifted.

    All calls are parsed first; one that is not valid in this world raises `PlanError`.
    """
    read_calls = [parse_world_call(world, call) for call in calls]
    run = ReferenceRun(world, changes, lifted)
    at = 0
    try:
        for at, call in enumerate(read_calls):  # noqa: B007 - the index is read after a failure
            run.execute_call(call)
            if run.is_goal_met:
                break
        else:
            run.wait_for_unattended_work()
    except PlanFailure as over:
        return ReplayOutcome(over.end, reaches_goal=False, time=run.state.now, failed_at=at)
    end = run.end
    return ReplayOutcome(end, reaches_goal=end == "goal", time=run.state.now, failed_at=None)
