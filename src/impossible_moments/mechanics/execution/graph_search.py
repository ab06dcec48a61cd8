"""Searches for plans in the state graph of a world, for records that state their `longest_plan`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.mechanics.execution.executor import PlanExecutor
from impossible_moments.mechanics.execution.graph_measures import GraphMeasures, trace_shortest_path
from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.execution.search_limits import SearchBounds, SearchSituation
from impossible_moments.mechanics.execution.state_graph import MOST_NODES, StateGraph, build_state_graph
from impossible_moments.mechanics.execution.state_matrix import StateMatrix

MOST_RELAXED_NODES: Final = 10_000
"""The size from which a graph in which only some conditions hold counts as not decided."""
MOST_STORED: Final = 4
"""How many whole graphs are kept for the next question."""


@dataclass
class GraphPlanSearch:
    """Searches in the state graph of one world. Whole graphs are kept, because several questions need the same one."""

    executor: PlanExecutor
    moves: tuple[Move, ...]
    _graphs: dict[object, StateGraph] = field(default_factory=dict, repr=False)

    def build_relaxed_graph(
        self, enforced: frozenset[str] | None, lifted: frozenset[str] = frozenset()
    ) -> StateGraph:
        """Return the graph in which only the `enforced` conditions of the record hold (all if None).

        It ends with the first layer that reaches the goal.
        """
        matrix = StateMatrix(self.executor, self.moves, lifted=lifted, enforced=enforced)
        most_nodes = MOST_NODES if enforced is None else MOST_RELAXED_NODES
        return build_state_graph(matrix, most_nodes=most_nodes, stops_at_goal=True)

    def build_graph(self, situation: SearchSituation | None = None) -> StateGraph:
        """Return the whole graph of a situation."""
        situation = situation or SearchSituation()
        key = (
            tuple(sorted(situation.changes.items())),
            situation.lifted,
            situation.forbidden,
            situation.without_things,
        )
        if key not in self._graphs:
            if len(self._graphs) >= MOST_STORED:
                self._graphs.pop(next(iter(self._graphs)))
            self._graphs[key] = build_state_graph(self._build_matrix(situation))
        return self._graphs[key]

    def find_plan(self, bounds: SearchBounds, situation: SearchSituation) -> tuple[Move, ...] | None:
        """Find a plan with the fewest calls, or None."""
        graph = build_state_graph(self._build_matrix(situation), stops_at_goal=True)
        bounds.exhausted = bounds.exhausted and graph.exhausted
        return trace_plan(graph)

    def list_smallest_plans(
        self, bounds: SearchBounds, situation: SearchSituation
    ) -> tuple[tuple[Move, ...], ...]:
        """Return one order of each multiset of calls that reaches the goal and contains no smaller one."""
        graph = self.build_graph(situation)
        found, complete = GraphMeasures(graph).list_smallest_multisets()
        bounds.exhausted = bounds.exhausted and complete
        return tuple(tuple(graph.matrix.moves[number] for number in order) for order in found.values())

    def _build_matrix(self, situation: SearchSituation) -> StateMatrix:
        moves = tuple(select_allowed_moves(self.moves, situation))
        return StateMatrix(self.executor, moves, changes=situation.changes, lifted=situation.lifted)


def trace_plan(graph: StateGraph) -> tuple[Move, ...] | None:
    """Return the moves of a shortest order that reaches the goal, or None."""
    order = trace_shortest_path(graph)
    return None if order is None else tuple(graph.matrix.moves[number] for number in order)


def select_allowed_moves(moves: Iterable[Move], situation: SearchSituation) -> list[Move]:
    """Return the moves that a situation allows."""
    return [
        move
        for move in moves
        if move.text not in situation.forbidden and not situation.without_things.intersection(move.arguments)
    ]
