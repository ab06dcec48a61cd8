"""Analysis of a world: its engine, executor, searcher and prover, each created once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from impossible_moments.mechanics.checks.disputed_quantities import Crux, find_crux_that_changes_best_plan
from impossible_moments.mechanics.checks.variants.crux_intervals import CruxInterval, find_crux_intervals
from impossible_moments.mechanics.execution.executor import PlanExecutor
from impossible_moments.mechanics.execution.minimal_plans import (
    MinimalPlan,
    MinimalPlanFinder,
    MinimalPlanSet,
)
from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.execution.outcomes import PlanOutcome
from impossible_moments.mechanics.execution.plan_search import PlanSearcher
from impossible_moments.mechanics.execution.search_limits import SearchBounds
from impossible_moments.mechanics.proofs.admissible_box import build_admissible_box
from impossible_moments.mechanics.proofs.impossibility import GoalImpossibilityProver
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.world_model import World


class WorldAnalysis:
    """Engine, executor, searcher and prover of one world, and the computed outcomes of its approaches."""

    def __init__(self, world: World, bounds: SearchBounds | None = None) -> None:
        self.world = world
        self.bounds = bounds or SearchBounds()
        self.engine = WorldEngine(world)
        self.executor = PlanExecutor(self.engine)
        self.plans: Mapping[str, tuple[Move, ...]] = {}
        self.outcomes: Mapping[str, PlanOutcome] = {}

    @cached_property
    def searcher(self) -> PlanSearcher:
        """Searcher over the moves of the record and the library."""
        return PlanSearcher(self.executor)

    @cached_property
    def plan_finder(self) -> MinimalPlanFinder:
        """Finder of all minimal plans."""
        return MinimalPlanFinder(self.searcher)

    @cached_property
    def minimal_plans(self) -> MinimalPlanSet:
        """All minimal plans at stated values."""
        return self.plan_finder.find_all_minimal_plans(self.bounds)

    @cached_property
    def crux(self) -> Crux | None:
        """The disputed quantity that decides the best plan, if there is one."""
        return find_crux_that_changes_best_plan(self.plan_finder, self.bounds)

    @cached_property
    def crux_intervals(self) -> tuple[CruxInterval, ...]:
        """The intervals of the crux in which one plan is the best, from its low to its high end."""
        return () if self.crux is None else find_crux_intervals(self.plan_finder, self.crux)

    def create_prover(
        self, *, estimates_doubled: bool, lifted: frozenset[str] = frozenset()
    ) -> GoalImpossibilityProver:
        """Return a prover over the admissible box; `estimates_doubled` doubles the ranges of estimates."""
        box = build_admissible_box(self.world.quantities, estimates_doubled=estimates_doubled)
        return GoalImpossibilityProver(
            self.executor,
            self.searcher.moves,
            box,
            lifted=lifted,
            should_stop=self.bounds.stop,
            graph=self.searcher.graph,
        )

    @cached_property
    def minimal_approach_plans(self) -> Mapping[str, MinimalPlan]:
        """Minimal plans of the approaches that reach the goal, without approaches that make spoken calls."""
        return {
            name: self.plan_finder.create_minimal_plan(self.searcher.remove_unneeded_moves(self.plans[name]))
            for name, outcome in self.outcomes.items()
            if outcome.reaches_goal and not outcome.said
        }
