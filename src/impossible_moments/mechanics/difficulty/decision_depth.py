"""Decisions of records with long plans, counted in their complete state graph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.execution import GraphMeasures, StateGraph, trace_shortest_path


@dataclass(frozen=True, slots=True)
class DecisionDepth:
    """What the state graph of a record shows.

    - `decisions`: steps of a shortest answer at which another possible move makes the goal unreachable
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
    if order is None:
        return DecisionDepth(0, float(measures.longest_continuations[0]))
    return DecisionDepth(
        _count_decisions(graph, measures, order), measures.summarize().calls_after_wrong_turn
    )


def _count_decisions(graph: StateGraph, measures: GraphMeasures, order: tuple[int, ...]) -> int:
    """Return at how many nodes of an order a possible move leads to where the goal cannot be reached."""
    node, found = 0, 0
    for move in order:
        edges = np.flatnonzero(graph.sources == node)
        found += bool((~measures.can_win[graph.targets[edges]]).any())
        node = int(graph.targets[edges[graph.moves[edges] == move][0]])
    return found
