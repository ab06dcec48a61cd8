"""Comparison of a state graph with the executor, on a sample of its nodes."""

from __future__ import annotations

from typing import Final

import numpy as np

from impossible_moments.mechanics.execution.executor import PlanRun
from impossible_moments.mechanics.execution.outcomes import RunTermination
from impossible_moments.mechanics.execution.state_graph import StateGraph
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED

SAMPLED_NODES: Final = 60


def is_graph_confirmed(graph: StateGraph, *, sampled_nodes: int = SAMPLED_NODES) -> bool:
    """Return whether the executor allows exactly the moves of the graph, with the same results, at sampled nodes."""
    open_nodes = np.flatnonzero(~graph.is_goal & (graph.depths < graph.depths.max()))
    if not len(open_nodes):
        return True
    step = max(len(open_nodes) // sampled_nodes, 1)
    return all(_is_node_confirmed(graph, int(node)) for node in open_nodes[::step])


def _is_node_confirmed(graph: StateGraph, node: int) -> bool:
    edges = np.flatnonzero(graph.sources == node)
    expected = {int(graph.moves[edge]): graph.rows[graph.targets[edge]] for edge in edges}
    return all(
        _is_move_confirmed(graph, node, number, expected.get(number))
        for number in range(len(graph.matrix.moves))
    )


def _is_move_confirmed(graph: StateGraph, node: int, number: int, expected: np.ndarray | None) -> bool:
    matrix = graph.matrix
    values = matrix.decode_row(graph.rows[node])
    run = PlanRun(matrix.executor, values, matrix.lifted)
    run.time = float(graph.times[node])
    try:
        run.execute_move(matrix.moves[number])
    except (RunTermination, *UNDEFINED):
        return expected is None
    if run.is_late:
        return expected is None
    reached = matrix.encode_values(run.values)
    if np.allclose(reached, graph.rows[node], rtol=1e-9, atol=0) and expected is None:
        return True
    return expected is not None and bool(np.allclose(reached, expected, rtol=1e-6, atol=1e-9))
