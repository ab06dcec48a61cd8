"""Proofs of impossibility by the whole state graph, for worlds in which every quantity is known exactly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from impossible_moments.mechanics.execution.graph_recheck import is_graph_confirmed
from impossible_moments.mechanics.execution.graph_search import GraphPlanSearch, trace_plan
from impossible_moments.mechanics.execution.state_graph import StateGraph
from impossible_moments.mechanics.language.interval_evaluation import Box
from impossible_moments.mechanics.proofs.impossibility_result import ImpossibilityResult


def is_single_point(box: Box) -> bool:
    """Return whether a box has one value for every quantity, so that the stated values are the whole box."""
    return all(
        low_high[0] == low_high[1] if isinstance(low_high, tuple) else not isinstance(low_high, frozenset)
        for low_high in box.values()
    )


def attempt_graph_proof(
    search: GraphPlanSearch, enforced: frozenset[str] | None, lifted: frozenset[str], *, certified: bool
) -> ImpossibilityResult:
    """Try to prove that no plan reaches the goal while the `enforced` conditions hold (all if None).

    With `certified` a sample of the graph is compared with the executor.
    """
    graph = search.build_relaxed_graph(enforced, lifted)
    plan = trace_plan(graph)
    confirmed = not certified or is_graph_confirmed(graph)
    return ImpossibilityResult(
        proved=plan is None and graph.exhausted and confirmed,
        exhausted=graph.exhausted,
        blocking_conditions=tuple(dict.fromkeys(_list_blocking_conditions(search, graph))),
        open_plan=() if plan is None else tuple(move.text for move in plan),
        nodes=graph.node_count,
    )


def _list_blocking_conditions(search: GraphPlanSearch, graph: StateGraph) -> Iterator[str]:
    """Generate the conditions of the record that stop a move in some state of the graph."""
    own = {action.verb for action in search.executor.engine.world.actions.values() if action.own}
    for number, move in enumerate(graph.matrix.moves):
        if move.verb in own:
            yield from graph.matrix.list_failing_tests(number, graph.rows)
    yield from (never.name for never in search.executor.engine.world.never_rules)
    if np.isfinite(graph.matrix.deadline):
        yield "deadline"
