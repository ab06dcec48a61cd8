"""Plans that come as near to the goal as any plan does, for records with a state graph in which nothing works."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.execution import StateGraph, trace_path_to


def find_nearest_nodes(graph: StateGraph) -> NDArray[np.bool_] | None:
    """Return the nodes that come as near to the goal as any plan does, or None if no plan comes nearer than the start."""
    distances = graph.matrix.measure_goal_distances(graph.rows)
    if distances is None or distances.min() >= distances[0]:
        return None
    nearest: NDArray[np.bool_] = distances <= distances.min()
    return nearest


def trace_nearest_plan(graph: StateGraph, nearest: NDArray[np.bool_]) -> tuple[int, ...]:
    """Return the numbers of the moves of a shortest plan that leads to one of the nearest nodes."""
    nodes = np.flatnonzero(nearest)
    return trace_path_to(graph, int(nodes[np.argmin(graph.depths[nodes])]))


def list_calls_of_nearest_plan(analysis: WorldAnalysis) -> tuple[str, ...]:
    """Return the calls without which the nearest plan comes less near. Records without a state graph have none."""
    search = analysis.searcher.graph
    if search is None:
        return ()
    graph = search.build_graph()
    nearest = find_nearest_nodes(graph)
    if nearest is None or graph.is_goal.any():
        return ()
    order = trace_nearest_plan(graph, nearest)
    return tuple(
        graph.matrix.moves[move].text
        for move in dict.fromkeys(order)
        if not _comes_as_near(graph, nearest, [each for each in order if each != move])
    )


def _comes_as_near(graph: StateGraph, nearest: NDArray[np.bool_], order: list[int]) -> bool:
    """Return whether every move of an order is possible and the last one leads to one of the nearest nodes."""
    node = 0
    for move in order:
        edges = np.flatnonzero((graph.sources == node) & (graph.moves == move))
        if not len(edges):
            return False
        node = int(graph.targets[edges[0]])
    return bool(nearest[node])
