"""Decisions of records with long plans, counted in their complete state graph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.difficulty.nearest_plans import find_nearest_nodes, trace_nearest_plan
from impossible_moments.mechanics.execution import (
    GraphMeasures,
    StateGraph,
    find_ancestors,
    trace_shortest_path,
)


@dataclass(frozen=True, slots=True)
class DecisionDepth:
    """What the state graph of a record shows.

    - `decisions`: steps of a shortest answer at which another possible move makes the goal unreachable. Where nothing
      works, the same for a shortest plan that comes as near to the goal as any plan can: whoever proves that nothing
      works has to find that plan as well
    - `calls_after_wrong_turn`: how many further calls are possible after such a move, on average; where nothing works,
      how many calls are possible at all
    """

    decisions: int = 0
    calls_after_wrong_turn: float = 0.0


NO_GRAPH = DecisionDepth()


def measure_decision_depth(analysis: WorldAnalysis) -> DecisionDepth:
    """Measure the decisions of a record that states its longest plan. Other records have no state graph."""
    search = analysis.searcher.graph
    if search is None:
        return NO_GRAPH
    graph = search.build_graph()
    measures = GraphMeasures(graph)
    order = trace_shortest_path(graph)
    if order is not None:
        further = measures.summarize().calls_after_wrong_turn
        return DecisionDepth(_count_decisions(graph, measures.can_win, order), further)
    further = float(measures.longest_continuations[0])
    nearest = find_nearest_nodes(graph)
    if nearest is None:
        return DecisionDepth(0, further)
    order = trace_nearest_plan(graph, nearest)
    return DecisionDepth(_count_decisions(graph, find_ancestors(graph, nearest), order), further)


def _count_decisions(graph: StateGraph, can_succeed: NDArray[np.bool_], order: tuple[int, ...]) -> int:
    """Return at how many nodes of an order a possible move leads to where success is out of reach."""
    node, found = 0, 0
    for move in order:
        edges = np.flatnonzero(graph.sources == node)
        found += bool((~can_succeed[graph.targets[edges]]).any())
        node = int(graph.targets[edges[graph.moves[edges] == move][0]])
    return found
