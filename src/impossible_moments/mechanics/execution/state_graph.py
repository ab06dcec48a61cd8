"""The graph of all states that a world can reach, built once and answered from many times.

A node is a state together with its time, so that nothing is lost by merging. A node in which the goal holds has no
successors. The graph is complete unless it outgrows its limits; then `exhausted` is false.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impossible_moments.mechanics.execution.state_matrix import Mask, Rows, StateMatrix

MOST_NODES: Final = 3_000_000
MOST_LAYERS: Final = 60
_SALTS: Final = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)
_TIME_GRAIN: Final = 1e-6

Numbers = NDArray[np.int64]
Hashes = NDArray[np.uint64]


class HashCollisionError(Exception):
    """Two different states with the same hash."""


@dataclass
class StateGraph:
    """All reachable states of a world, and the moves between them.

    - `rows`, `times`, `depths`: for each node its state, its time and the fewest calls that lead to it
    - `is_goal`: for each node whether the goal holds
    - `sources`, `moves`, `targets`: for each edge the node it leaves, the number of the move and the node it reaches
    """

    matrix: StateMatrix
    rows: Rows
    times: Rows
    depths: NDArray[np.int16]
    is_goal: Mask
    sources: Numbers = field(repr=False)
    moves: NDArray[np.int16] = field(repr=False)
    targets: Numbers = field(repr=False)
    exhausted: bool = True

    @property
    def node_count(self) -> int:
        """The number of states with their times."""
        return len(self.times)

    @property
    def edge_count(self) -> int:
        """The number of possible moves over all nodes."""
        return len(self.sources)


def build_state_graph(
    matrix: StateMatrix, *, most_nodes: int = MOST_NODES, stops_at_goal: bool = False
) -> StateGraph:
    """Build the graph. With `stops_at_goal` it ends with the first layer that reaches the goal."""
    for salt in _SALTS:
        try:
            return _GraphBuilder(matrix, salt, most_nodes=most_nodes, stops_at_goal=stops_at_goal).build()
        except HashCollisionError:
            continue
    raise HashCollisionError("every hash maps two different states to one number")


class _GraphBuilder:
    """Builds a graph layer by layer. A layer holds the nodes that need the same number of calls."""

    def __init__(self, matrix: StateMatrix, salt: int, *, most_nodes: int, stops_at_goal: bool) -> None:
        self.matrix = matrix
        self.most_nodes = most_nodes
        self.stops_at_goal = stops_at_goal
        width = len(matrix.columns) + 1
        # odd factors, so that a multiplication loses nothing
        self._factors = [np.uint64(pow(salt | 1, 2 * place + 1, 2**64)) for place in range(width)]
        self._hashes: Hashes = np.empty(0, dtype=np.uint64)
        self._owners: Numbers = np.empty(0, dtype=np.int64)
        self._layers: list[tuple[Rows, Rows, Mask]] = []
        self._edges: list[tuple[Numbers, NDArray[np.int16], Numbers]] = []
        self._count = 0

    def build(self) -> StateGraph:
        rows, times = self.matrix.build_start_row(), np.zeros(1)
        self._register(rows, times)
        first, exhausted = 0, False
        while len(rows):
            goal = self.matrix.is_goal(rows)
            self._layers.append((rows, times, goal))
            if self.stops_at_goal and goal.any():
                exhausted = True
                break
            if self._count > self.most_nodes or len(self._layers) > MOST_LAYERS:
                break
            start, first = first, first + len(rows)
            rows, times = self._expand(rows, times, goal, start)
        else:
            exhausted = True
        return self._join(exhausted=exhausted)

    def _expand(self, rows: Rows, times: Rows, goal: Mask, start: int) -> tuple[Rows, Rows]:
        """Take every step from a layer, record the edges, and return the new nodes."""
        open_nodes = np.flatnonzero(~goal)
        steps = [
            (number, self.matrix.take_step(number, rows[open_nodes], times[open_nodes]))
            for number in range(len(self.matrix.moves))
        ]
        steps = [(number, step) for number, step in steps if len(step.rows)]
        if not steps:
            return rows[:0], times[:0]
        after = np.concatenate([step.rows for _, step in steps])
        later = np.concatenate([step.times for _, step in steps])
        sources = np.concatenate([open_nodes[step.sources] + start for _, step in steps])
        moves = np.concatenate([np.full(len(step.rows), number, dtype=np.int16) for number, step in steps])
        targets, fresh = self._register(after, later)
        self._edges.append((sources, moves, targets))
        return after[fresh], later[fresh]

    def _register(self, rows: Rows, times: Rows) -> tuple[Numbers, Numbers]:
        """Give each new state a number. Return the number of each row, and which rows are new."""
        grains = np.column_stack([self.matrix.count_grains(rows), np.rint(times / _TIME_GRAIN)]).astype(
            np.int64
        )
        hashes = self._hash(grains)
        unique, firsts, inverse = np.unique(hashes, return_index=True, return_inverse=True)
        if np.any(grains != grains[firsts][inverse]):
            raise HashCollisionError
        places = np.searchsorted(self._hashes, unique)
        known = np.zeros(len(unique), dtype=bool)
        inside = places < len(self._hashes)
        known[inside] = self._hashes[places[inside]] == unique[inside]
        owners = np.empty(len(unique), dtype=np.int64)
        owners[known] = self._owners[places[known]]
        self._check_known_states(grains, firsts[known], owners[known])
        # new states are numbered in the order of the rows, so that the numbering does not depend on hashes
        order = np.argsort(firsts[~known], kind="stable")
        numbers = np.empty(len(order), dtype=np.int64)
        numbers[order] = np.arange(self._count, self._count + len(order))
        owners[~known] = numbers
        self._merge(unique[~known], numbers)
        self._count += len(order)
        return owners[inverse], np.sort(firsts[~known])

    def _check_known_states(self, grains: Numbers, firsts: Numbers, owners: Numbers) -> None:
        if not len(owners):
            return
        starts = np.cumsum([0, *(len(rows) for rows, _, _ in self._layers)])
        layers = np.searchsorted(starts, owners, side="right") - 1
        for number, (rows, times, _) in enumerate(self._layers):
            here = layers == number
            if not here.any():
                continue
            inside = owners[here] - starts[number]
            stored = np.column_stack(
                [self.matrix.count_grains(rows[inside]), np.rint(times[inside] / _TIME_GRAIN)]
            ).astype(np.int64)
            if np.any(stored != grains[firsts[here]]):
                raise HashCollisionError

    def _hash(self, grains: Numbers) -> Hashes:
        mixed = np.zeros(len(grains), dtype=np.uint64)
        for place, factor in enumerate(self._factors):
            mixed = (mixed ^ grains[:, place].astype(np.uint64)) * factor
            mixed ^= mixed >> np.uint64(29)
        return mixed

    def _merge(self, hashes: Hashes, owners: Numbers) -> None:
        places = np.searchsorted(self._hashes, hashes)
        self._hashes = np.insert(self._hashes, places, hashes)
        self._owners = np.insert(self._owners, places, owners)

    def _join(self, *, exhausted: bool) -> StateGraph:
        empty = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int16), np.empty(0, dtype=np.int64))
        edges = [np.concatenate(parts) for parts in zip(*(self._edges or [empty]), strict=True)]
        sources, moves, targets = edges
        depths = [
            np.full(len(rows), depth, dtype=np.int16) for depth, (rows, _, _) in enumerate(self._layers)
        ]
        kept = targets < sum(map(len, depths))
        return StateGraph(
            self.matrix,
            np.concatenate([rows for rows, _, _ in self._layers]),
            np.concatenate([times for _, times, _ in self._layers]),
            np.concatenate(depths),
            np.concatenate([goal for _, _, goal in self._layers]),
            sources[kept],
            moves[kept],
            targets[kept],
            exhausted,
        )
