"""A second executor of plans, written from the documentation alone, to hold the first one against.

It shares with the first the built world and nothing of how a plan is carried out: trees are read by recursion, rates are
integrated in small steps, and moments are found by bisection. It is slow, and meant to be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from impossible_moments.evaluation.second.calls import read
from impossible_moments.evaluation.second.run import Over, Run
from impossible_moments.mechanics.world import World


@dataclass(frozen=True)
class Ended:
    """How a plan ended, in the words of the documentation."""

    end: str
    reaches_goal: bool
    time: float
    failed_at: int | None
    """The call, counted from 0, at which it failed; None for `goal`, `late` and `short`."""


def replayed(
    world: World,
    calls: Sequence[str],
    *,
    changes: Mapping[str, float] | None = None,
    lifted: frozenset[str] = frozenset(),
) -> Ended:
    """Carry a plan out in a world, with some values changed and some never-lines lifted.

    A call that cannot be read in this world raises `PlanError`, whatever comes before it.
    """
    read_calls = [read(world, call) for call in calls]
    run = Run(world, changes, lifted)
    at = 0
    try:
        for at, call in enumerate(read_calls):  # noqa: B007 - it is told where the plan failed
            run.carry_out(call)
            if run.goal_met:
                break
        else:
            run.await_the_unattended()
    except Over as over:
        return Ended(over.end, reaches_goal=False, time=run.state.now, failed_at=at)
    end = run.end
    return Ended(end, reaches_goal=end == "goal", time=run.state.now, failed_at=None)
