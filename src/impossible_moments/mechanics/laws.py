"""The laws of a world: its rates, never-lines, goal and deadline, compiled once."""

from __future__ import annotations

from functools import cached_property

from impossible_moments.mechanics.dynamics import Dynamics
from impossible_moments.mechanics.engine import Engine
from impossible_moments.mechanics.moves import Test
from impossible_moments.mechanics.watches import Watch, watch
from impossible_moments.mechanics.world import ELAPSED


class Laws:
    """The compiled rates, never-lines, goal and deadline of a world."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.dynamics = Dynamics(engine)
        world = engine.world
        self.goal = engine.closure(world.goal)
        self.deadline = engine.closure(world.deadline) if world.deadline is not None else None
        self.nevers = tuple(
            (never.name, engine.closure(never.tree), engine.judge(never.tree)) for never in world.nevers
        )
        self.clock = engine.places[ELAPSED] if ELAPSED not in world.rates else None
        """The index of the elapsed time in the values, or None if a rate updates it."""
        self._awaiting: dict[Test, tuple[Dynamics, Watch]] = {}

    @cached_property
    def dangers(self) -> tuple[tuple[str, Watch], ...]:
        """The watches of the never-lines, with their names."""
        engine, changing = self.engine, self.dynamics.changing
        return tuple(
            (never.name, watch(engine, never.tree, changing, unvalued=True)) for never in engine.world.nevers
        )

    def awaiting(self, test: Test) -> tuple[Dynamics, Watch]:
        """Return the dynamics to use while a condition is awaited, and the watch of the condition."""
        if test not in self._awaiting:
            reads_clock = self.clock is not None and ELAPSED in self.engine.world.bases(test.tree)
            dynamics = Dynamics(self.engine, clocked=True) if reads_clock else self.dynamics
            self._awaiting[test] = (
                dynamics,
                watch(self.engine, test.tree, dynamics.changing, unvalued=False),
            )
        return self._awaiting[test]
