"""The plans that answer a record, with the situation in which each is executed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from impossible_moments.mechanics.checks import StatusVerdict, WorldAnalysis
from impossible_moments.mechanics.execution import Move, PlanOutcome


@dataclass(frozen=True, slots=True)
class AnsweringPlan:
    """A plan that reaches the goal at the changed values and without the lifted premises."""

    moves: tuple[Move, ...]
    changes: Mapping[str, float] = field(default_factory=dict)
    lifted: frozenset[str] = frozenset()

    @property
    def calls(self) -> tuple[str, ...]:
        """The calls of the plan as text."""
        return tuple(move.text for move in self.moves)

    def run(self, analysis: WorldAnalysis, moves: tuple[Move, ...] | None = None) -> PlanOutcome:
        """Execute the plan, or other moves in the same situation."""
        return analysis.executor.run_plan(
            self.moves if moves is None else moves, changes=dict(self.changes), lifted=self.lifted
        )


def list_answering_plan_groups(
    analysis: WorldAnalysis, verdict: StatusVerdict
) -> tuple[tuple[AnsweringPlan, ...], ...]:
    """Return groups of plans. A full answer needs one plan of each group.

    A contested record has a group for each end of the disputed range. Without any working plan there is no group.
    """
    if verdict.crux is not None:
        quantity = analysis.world.quantities[verdict.crux.quantity]
        ends = ((quantity.low, verdict.crux.all_low), (quantity.high, verdict.crux.all_high))
        groups = (
            tuple(AnsweringPlan(way.plan, {} if end is None else {quantity.name: end}) for way in ways)
            for end, ways in ends
        )
        return tuple(group for group in groups if group)
    if verdict.outside is not None:
        return ((AnsweringPlan(verdict.outside.plan, lifted=frozenset(verdict.premises)),),)
    return (tuple(AnsweringPlan(way.plan) for way in verdict.ways),) if verdict.ways else ()
