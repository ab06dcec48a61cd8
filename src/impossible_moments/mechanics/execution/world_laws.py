"""The laws of a world: its rates, never-lines, goal and deadline, compiled once."""

from __future__ import annotations

from functools import cached_property

from impossible_moments.mechanics.execution.condition_watches import ConditionWatch, create_condition_watch
from impossible_moments.mechanics.execution.dynamics import Dynamics
from impossible_moments.mechanics.execution.moves import MoveCondition
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.world_model import ELAPSED


class WorldLaws:
    """The compiled rates, never-lines, goal and deadline of a world."""

    def __init__(self, engine: WorldEngine) -> None:
        self.engine = engine
        self.dynamics = Dynamics(engine)
        world = engine.world
        self.goal = engine.compile_expression(world.goal)
        self.deadline = engine.compile_expression(world.deadline) if world.deadline is not None else None
        self.never_rules = tuple(
            (never.name, engine.compile_expression(never.tree), engine.compile_condition_judge(never.tree))
            for never in world.never_rules
        )
        self.clock = engine.places[ELAPSED] if ELAPSED not in world.rates else None
        """The index of the elapsed time in the values, or None if a rate updates it."""
        self._awaiting: dict[MoveCondition, tuple[Dynamics, ConditionWatch]] = {}

    @cached_property
    def dangers(self) -> tuple[tuple[str, ConditionWatch], ...]:
        """The watches of the never-lines, with their names."""
        engine, changing = self.engine, self.dynamics.changing
        return tuple(
            (never.name, create_condition_watch(engine, never.tree, changing, may_be_undefined=True))
            for never in engine.world.never_rules
        )

    def get_waiting_dynamics_and_watch(self, test: MoveCondition) -> tuple[Dynamics, ConditionWatch]:
        """Return the dynamics to use while a condition is awaited, and the watch of the condition."""
        if test not in self._awaiting:
            reads_clock = self.clock is not None and ELAPSED in self.engine.world.collect_stated_quantities(
                test.tree
            )
            dynamics = Dynamics(self.engine, reads_clock=True) if reads_clock else self.dynamics
            self._awaiting[test] = (
                dynamics,
                create_condition_watch(self.engine, test.tree, dynamics.changing, may_be_undefined=False),
            )
        return self._awaiting[test]
