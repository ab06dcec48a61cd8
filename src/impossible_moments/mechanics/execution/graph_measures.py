"""What a state graph says about a problem: winning orders, wrong turns, and how far chance gets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from impossible_moments.mechanics.execution.state_graph import Numbers
from impossible_moments.mechanics.execution.state_matrix import Mask
from impossible_moments.mechanics.execution.winning_multisets import (
    MOST_COMPARED,
    MOST_MULTISETS,
    Multiset,
    WinningEdges,
    collect_winning_multisets,
    select_smallest_multisets,
)


class MoveGraph(Protocol):
    """States that are connected by moves. Node 0 is the start; see `StateGraph` for the fields."""

    @property
    def node_count(self) -> int:
        """The number of nodes."""

    @property
    def edge_count(self) -> int:
        """The number of edges."""

    @property
    def depths(self) -> NDArray[np.int16]:
        """For each node the fewest calls that lead to it."""

    @property
    def is_goal(self) -> Mask:
        """For each node whether the goal holds."""

    @property
    def sources(self) -> Numbers:
        """For each edge the node that it leaves."""

    @property
    def moves(self) -> NDArray[np.int16]:
        """For each edge the number of its move."""

    @property
    def targets(self) -> Numbers:
        """For each edge the node that it reaches."""

    @property
    def exhausted(self) -> bool:
        """Whether the graph is complete."""


@dataclass(frozen=True, slots=True)
class GraphSummary:
    """The figures of a state graph.

    - `shortest`, `longest`: the fewest and the most calls of a winning order
    - `first_moves`, `winning_first_moves`: moves that are possible at the start, and those after which one can win
    - `chance`: the probability that random possible moves reach the goal
    - `wrong_turns`: moves that lead from where one can win to where one cannot
    - `calls_after_wrong_turn`: how many further calls are possible after a wrong turn, on average over wrong turns
    """

    states: int
    edges: int
    exhausted: bool
    winning_orders: float
    shortest: int
    longest: int
    first_moves: int
    winning_first_moves: int
    chance: float
    wrong_turns: int
    calls_after_wrong_turn: float


class GraphMeasures:
    """Measures of one state graph, each computed once."""

    def __init__(self, graph: MoveGraph) -> None:
        self.graph = graph

    @cached_property
    def can_win(self) -> Mask:
        """For each node whether the goal can be reached from it."""
        return find_ancestors(self.graph, self.graph.is_goal)

    @cached_property
    def winning_edges(self) -> Numbers:
        """The edges that lead to a node from which the goal can be reached."""
        return np.flatnonzero(self.can_win[self.graph.targets])

    @cached_property
    def orders_by_length(self) -> tuple[float, ...]:
        """The number of winning orders of each length."""
        graph, edges = self.graph, self.winning_edges
        sources, targets = graph.sources[edges], graph.targets[edges]
        paths = np.zeros(graph.node_count)
        paths[0] = 1.0
        counts: list[float] = []
        while paths.any():
            counts.append(float(paths[graph.is_goal].sum()))
            following = np.bincount(targets, weights=paths[sources], minlength=graph.node_count)
            paths = following.astype(np.float64)
        return tuple(counts)

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """For each node the probability that random possible moves reach the goal from it."""
        graph, edges = self.graph, self.winning_edges
        sources, targets = graph.sources[edges], graph.targets[edges]
        degrees = np.maximum(np.bincount(graph.sources, minlength=graph.node_count), 1)
        chances = graph.is_goal.astype(float)
        while True:
            sums = np.bincount(sources, weights=chances[targets], minlength=graph.node_count)
            better = np.where(graph.is_goal, 1.0, sums / degrees)
            if np.allclose(better, chances, rtol=1e-9, atol=0):
                return better
            chances = better

    @cached_property
    def longest_continuations(self) -> NDArray[np.int16]:
        """For each node from which one cannot win, the most calls that are still possible."""
        graph = self.graph
        dead = np.flatnonzero(~self.can_win[graph.sources])
        lengths = np.zeros(graph.node_count, dtype=np.int16)
        while True:
            longer = lengths.copy()
            np.maximum.at(longer, graph.sources[dead], lengths[graph.targets[dead]] + 1)
            if np.array_equal(longer, lengths):
                return lengths
            lengths = longer

    def list_first_moves(self) -> tuple[tuple[int, bool], ...]:
        """Return the moves that are possible at the start, each with whether one can win after it."""
        edges = np.flatnonzero(self.graph.sources == 0)
        return tuple(
            (int(self.graph.moves[edge]), bool(self.can_win[self.graph.targets[edge]])) for edge in edges
        )

    def summarize(self) -> GraphSummary:
        """Return the figures of the graph."""
        graph, orders = self.graph, self.orders_by_length
        lengths = [length for length, count in enumerate(orders) if count]
        turns = np.flatnonzero(self.can_win[graph.sources] & ~self.can_win[graph.targets])
        further = self.longest_continuations[graph.targets[turns]]
        first_moves = self.list_first_moves()
        return GraphSummary(
            graph.node_count,
            graph.edge_count,
            graph.exhausted,
            float(sum(orders)),
            min(lengths, default=0),
            max(lengths, default=0),
            len(first_moves),
            sum(wins for _, wins in first_moves),
            float(self.chances[0]),
            len(turns),
            float(further.mean()) if len(turns) else 0.0,
        )

    def list_smallest_multisets(
        self, *, most: int = MOST_MULTISETS, enough: int = MOST_COMPARED
    ) -> tuple[dict[Multiset, tuple[int, ...]], bool]:
        """Return the multisets of calls that win and contain no smaller one, each with an order, and whether these are all.

        At most `most` unfinished multisets are followed at once, and no more than `enough` complete ones are listed.
        """
        graph, edges = self.graph, self.winning_edges
        if not self.can_win[0]:
            return {}, graph.exhausted
        winning = WinningEdges(
            sources=graph.sources[edges],
            moves=graph.moves[edges],
            targets=graph.targets[edges],
            node_count=graph.node_count,
        )
        found, complete = collect_winning_multisets(winning, graph.is_goal, most=most, enough=enough)
        smallest, compared = select_smallest_multisets(found)
        return smallest, complete and compared and graph.exhausted


def find_ancestors(graph: MoveGraph, ends: Mask) -> Mask:
    """Return for each node whether one of some nodes can be reached from it."""
    found = ends.copy()
    while True:
        added = graph.sources[found[graph.targets] & ~found[graph.sources]]
        if not len(added):
            return found
        found[added] = True


def trace_shortest_path(graph: MoveGraph) -> tuple[int, ...] | None:
    """Return the numbers of the moves of a shortest order that reaches the goal, or None."""
    goals = np.flatnonzero(graph.is_goal)
    if not len(goals):
        return None
    return trace_path_to(graph, int(goals[np.argmin(graph.depths[goals])]))


def trace_path_to(graph: MoveGraph, node: int) -> tuple[int, ...]:
    """Return the numbers of the moves of a shortest order that leads to a node."""
    order: list[int] = []
    while node:
        edges = np.flatnonzero(
            (graph.targets == node) & (graph.depths[graph.sources] == graph.depths[node] - 1)
        )
        order.append(int(graph.moves[edges[0]]))
        node = int(graph.sources[edges[0]])
    return tuple(reversed(order))
