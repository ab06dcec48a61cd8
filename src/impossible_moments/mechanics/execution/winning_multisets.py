"""The multisets of moves that win in a state graph: which calls, and how often, in whatever order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impossible_moments.mechanics.execution.state_graph import Numbers
from impossible_moments.mechanics.execution.state_matrix import Mask

MOST_MULTISETS: Final = 300_000
"""The most pairs of a node and a multiset that are distinguished in one layer."""
MOST_COMPARED: Final = 2_000
"""The most winning multisets that are compared with each other."""

Multiset: TypeAlias = tuple[tuple[int, int], ...]
"""Numbers of moves with how often each is made."""


def _mix_numbers(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers without a pattern, one for each number: the finalizer of SplitMix64. Sums wrap around."""
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@dataclass(frozen=True, slots=True)
class _Layer:
    """Different multisets of one number of calls: the node that each leads to, its hash, and the entry it came from."""

    nodes: Numbers
    hashes: NDArray[np.uint64]
    parents: Numbers
    moves: NDArray[np.int16]


class WinningEdges:
    """The edges from which the goal can be reached, grouped by the node that they leave."""

    def __init__(
        self, *, sources: Numbers, moves: NDArray[np.int16], targets: Numbers, node_count: int
    ) -> None:
        order = np.argsort(sources, kind="stable")
        self.moves, self.targets = moves[order], targets[order]
        self.firsts = np.searchsorted(sources[order], np.arange(node_count + 1))
        most = int(moves.max(initial=0)) + 1
        self.weights = _mix_numbers(np.arange(1, most + 1, dtype=np.uint64))

    def advance(self, layer: _Layer) -> _Layer:
        """Make every further move of a layer, and keep one entry for each node and multiset."""
        counts = self.firsts[layer.nodes + 1] - self.firsts[layer.nodes]
        parents = np.repeat(np.arange(len(layer.nodes)), counts)
        starts = np.repeat(self.firsts[layer.nodes], counts)
        within = np.arange(len(parents)) - np.repeat(np.cumsum(counts) - counts, counts)
        edges = starts + within
        moves, nodes = self.moves[edges], self.targets[edges]
        hashes = layer.hashes[parents] + self.weights[moves]
        order = np.lexsort((hashes, nodes))
        is_first = np.ones(len(order), dtype=bool)
        is_first[1:] = (nodes[order][1:] != nodes[order][:-1]) | (hashes[order][1:] != hashes[order][:-1])
        # entries keep the order in which they were found, so that equal graphs give equal results
        kept = np.sort(order[is_first])
        return _Layer(nodes[kept], hashes[kept], parents[kept], moves[kept])


def collect_winning_multisets(
    edges: WinningEdges, is_goal: Mask, *, most: int = MOST_MULTISETS, enough: int = MOST_COMPARED
) -> tuple[dict[Multiset, tuple[int, ...]], bool]:
    """Return the multisets of moves that reach the goal, each with an order, and whether these are all.

    Every winning order is followed layer by layer. Orders with the same calls to the same node are followed once; they
    are told apart by a hash of 64 bits, the sum of a random weight for each call. The search ends when `enough` are found.
    """
    layers = [
        _Layer(
            np.zeros(1, dtype=np.int64),
            np.zeros(1, dtype=np.uint64),
            np.zeros(1, dtype=np.int64),
            np.zeros(1, dtype=np.int16),
        )
    ]
    found: dict[Multiset, tuple[int, ...]] = {}
    seen: set[int] = set()
    complete = True
    while len(layers[-1].nodes):
        layer = edges.advance(layers[-1])
        done = is_goal[layer.nodes]
        layers.append(layer)
        for entry in np.flatnonzero(done):
            mark = int(layer.hashes[entry])
            if mark not in seen and len(found) <= enough:
                seen.add(mark)
                order = _trace_order(layers, int(entry))
                found[_count_moves(order)] = order
        if len(found) > enough:
            return found, False
        going = np.flatnonzero(~done)
        if len(going) > most:
            going, complete = going[:most], False
        layers[-1] = _Layer(layer.nodes[going], layer.hashes[going], layer.parents[going], layer.moves[going])
    return found, complete


def _trace_order(layers: list[_Layer], entry: int) -> tuple[int, ...]:
    """Return the moves that led to an entry of the last layer."""
    order: list[int] = []
    for layer in reversed(layers[1:]):
        order.append(int(layer.moves[entry]))
        entry = int(layer.parents[entry])
    return tuple(reversed(order))


def _count_moves(order: tuple[int, ...]) -> Multiset:
    moves, counts = np.unique(np.array(order, dtype=np.int64), return_counts=True)
    return tuple((int(move), int(count)) for move, count in zip(moves, counts, strict=True))


def select_smallest_multisets(
    found: dict[Multiset, tuple[int, ...]], *, most: int = MOST_COMPARED
) -> tuple[dict[Multiset, tuple[int, ...]], bool]:
    """Return the multisets that contain no other one, and whether all were compared. The shortest are compared first."""
    ordered = sorted(found, key=lambda each: (sum(count for _, count in each), each))
    compared = ordered[:most]
    width = 1 + max((move for each in compared for move, _ in each), default=0)
    smallest: list[Multiset] = []
    rows = np.zeros((len(compared), width), dtype=np.int16)
    kept = 0
    for multiset in compared:
        row = np.zeros(width, dtype=np.int16)
        for move, count in multiset:
            row[move] = count
        if not (rows[:kept] <= row).all(axis=1).any():
            rows[kept] = row
            kept += 1
            smallest.append(multiset)
    return {each: found[each] for each in smallest}, len(compared) == len(ordered)
