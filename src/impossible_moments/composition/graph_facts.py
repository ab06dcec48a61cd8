"""Measured facts of a composed scenario: how large it is, how often chance and greed win, where it goes wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impossible_moments.composition.job_graphs import JobGraph
from impossible_moments.composition.job_worlds import JobWorld
from impossible_moments.mechanics.execution import GraphMeasures

LATE_CALLS: Final = 3
"""A dead end is late if this many further jobs are possible after the wrong turn."""


@dataclass(frozen=True, slots=True)
class ComposedFacts:
    """The measured facts of a composed scenario.

    - `states`, `edges`: the size of the complete state graph
    - `winning_orders`, `shortest`, `longest`: how many orders of jobs win, and their lengths
    - `first_moves`, `winning_first_moves`: jobs that are possible at the start, and those after which one can win
    - `random_success`, `greedy_success`: how often random playouts win, and the best of three greedy playouts
    - `wrong_turns`, `late_dead_ends`: jobs after which one cannot win any more, and those after which at least three
      further jobs are possible
    - `calls_after_wrong_turn`: how many jobs are still possible after a wrong turn, on average
    - `binding_limits`: limits that leave less than one further use
    """

    level: int
    place: str
    steps: int
    states: int
    edges: int
    winning_orders: float
    shortest: int
    longest: int
    first_moves: int
    winning_first_moves: int
    random_success: float
    greedy_success: float
    wrong_turns: int
    late_dead_ends: int
    calls_after_wrong_turn: float
    binding_limits: int = 0


def measure_graph(world: JobWorld, graph: JobGraph, *, steps: int, binding_limits: int = 0) -> ComposedFacts:
    """Measure a complete graph."""
    measures = GraphMeasures(graph)
    summary = measures.summarize()
    turns = np.flatnonzero(measures.can_win[graph.sources] & ~measures.can_win[graph.targets])
    late = int((measures.longest_continuations[graph.targets[turns]] >= LATE_CALLS).sum())
    return ComposedFacts(
        world.structure.level,
        world.structure.place.name,
        steps,
        summary.states,
        summary.edges,
        summary.winning_orders,
        summary.shortest,
        summary.longest,
        summary.first_moves,
        summary.winning_first_moves,
        summary.chance,
        measure_greedy_success(world, graph),
        summary.wrong_turns,
        late,
        summary.calls_after_wrong_turn,
        binding_limits,
    )


def measure_greedy_success(world: JobWorld, graph: JobGraph) -> float:
    """Return how often the best of three greedy players wins.

    All advance a stage whenever they can. One chooses at random among such jobs, one takes the quickest, one the
    cheapest. Ties are broken at random.
    """
    if not graph.is_goal.any():
        return 0.0
    is_stage = np.array([step.stage_column >= 0 for step in world.steps])
    takes = np.array([float(step.takes) for step in world.steps])
    costs = np.array(rate_job_costs(world))
    alike = np.zeros(len(world.steps))
    players = [np.where(is_stage, 0.0, 1e6) + each for each in (alike, takes, costs)]
    return max(_follow_preference(graph, each) for each in players)


def rate_job_costs(world: JobWorld) -> list[float]:
    """Return what each job takes from stores, as shares of the largest single use of each stock."""
    structure, figures = world.structure, world.figures
    largest = {
        stock.name: max(
            (figures[f"{job.name}_{stock.name}"] for job in structure.jobs if stock.name in job.uses),
            default=1,
        )
        for stock in structure.stocks
    }
    stores = {stock.name for stock in structure.stocks if stock.kind == "store"}
    return [
        sum(figures[f"{job.name}_{name}"] / largest[name] for name in job.uses if name in stores)
        for job in structure.jobs
    ]


def _follow_preference(graph: JobGraph, preference: NDArray[np.float64]) -> float:
    """Return how often a player wins who always takes one of the most preferred jobs."""
    ranks = preference[graph.moves]
    best = np.full(graph.node_count, np.inf)
    np.minimum.at(best, graph.sources, ranks)
    edges = np.flatnonzero(ranks <= best[graph.sources])
    sources, targets = graph.sources[edges], graph.targets[edges]
    shares = 1.0 / np.maximum(np.bincount(sources, minlength=graph.node_count), 1)
    weights = np.zeros(graph.node_count)
    weights[0], won = 1.0, 0.0
    while weights.any():
        won += float(weights[graph.is_goal].sum())
        flow = weights[sources] * shares[sources]
        weights = np.bincount(targets, weights=flow, minlength=graph.node_count).astype(float)
    return won
