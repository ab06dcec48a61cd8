"""Analysis of a world: its engine, executor, searcher and prover, each created once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from impossible_moments.mechanics.engine import Engine
from impossible_moments.mechanics.execute import Executor
from impossible_moments.mechanics.impossibility import Prover
from impossible_moments.mechanics.moves import Move
from impossible_moments.mechanics.outcomes import Outcome
from impossible_moments.mechanics.search import Bounds, Searcher
from impossible_moments.mechanics.symbolic import admissible_box
from impossible_moments.mechanics.ways import AllWays, Way, WayFinder
from impossible_moments.mechanics.world import World


class Analysis:
    """Engine, executor, searcher and prover of one world, and the computed outcomes of its approaches."""

    def __init__(self, world: World, bounds: Bounds | None = None) -> None:
        self.world = world
        self.bounds = bounds or Bounds()
        self.engine = Engine(world)
        self.executor = Executor(self.engine)
        self.plans: Mapping[str, tuple[Move, ...]] = {}
        self.outcomes: Mapping[str, Outcome] = {}

    @cached_property
    def searcher(self) -> Searcher:
        """Searcher over the moves of the record and the library."""
        return Searcher(self.executor)

    @cached_property
    def finder(self) -> WayFinder:
        """Finder of all minimal plans."""
        return WayFinder(self.searcher)

    @cached_property
    def found(self) -> AllWays:
        """All minimal plans at stated values."""
        return self.finder.all(self.bounds)

    def prover(self, *, doubled: bool, lifted: frozenset[str] = frozenset()) -> Prover:
        """Return a prover over the admissible box; `doubled` doubles the ranges of estimates."""
        box = admissible_box(self.world.quantities, estimates_doubled=doubled)
        return Prover(self.executor, self.searcher.moves, box, lifted=lifted, stop=self.bounds.stop)

    @cached_property
    def ways_of_approaches(self) -> Mapping[str, Way]:
        """Minimal plans of the approaches that reach the goal, without approaches that make spoken calls."""
        return {
            name: self.finder.way(self.searcher.minimal(self.plans[name]))
            for name, outcome in self.outcomes.items()
            if outcome.reaches_goal and not outcome.said
        }
