"""Tests of winning multisets: compared with an enumeration of all orders of small random graphs."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from impossible_moments.blueprints import create_random_stream
from impossible_moments.mechanics.execution.winning_multisets import (
    Multiset,
    WinningEdges,
    collect_winning_multisets,
    select_smallest_multisets,
)

Edge = tuple[int, int, int]


def draw_graph(seed: int, nodes: int = 12) -> list[Edge]:
    """Return the edges (source, move, target) of a random graph without cycles in which every node leads on."""
    stream = create_random_stream("multisets", seed)
    edges = {
        (source, stream.randrange(4), stream.randrange(source + 1, nodes))
        for source in range(nodes - 1)
        for _ in range(stream.randint(1, 3))
    }
    # a move leads to one node only
    return sorted({(source, move): (source, move, target) for source, move, target in edges}.values())


def enumerate_multisets(edges: list[Edge], goal: int) -> set[Multiset]:
    found: set[Multiset] = set()

    def follow(node: int, order: tuple[int, ...]) -> None:
        if node == goal:
            found.add(tuple(sorted(Counter(order).items())))
        for source, move, target in edges:
            if source == node:
                follow(target, (*order, move))

    follow(0, ())
    return found


def build_edges(edges: list[Edge], nodes: int) -> WinningEdges:
    sources, moves, targets = (np.array(column) for column in zip(*edges, strict=True))
    return WinningEdges(sources=sources, moves=moves.astype(np.int16), targets=targets, node_count=nodes)


@pytest.mark.parametrize("seed", range(25))
def test_multisets_are_those_of_an_enumeration(seed: int) -> None:
    edges = draw_graph(seed)
    is_goal = np.arange(12) == 11
    found, complete = collect_winning_multisets(build_edges(edges, 12), is_goal)
    assert complete
    assert set(found) == enumerate_multisets(edges, 11)
    steps = {(source, move): target for source, move, target in edges}
    for multiset, order in found.items():
        node = 0
        for move in order:
            node = steps[node, move]
        assert node == 11
        assert tuple(sorted(Counter(order).items())) == multiset


def test_a_search_that_stops_early_says_so() -> None:
    edges = [(0, 0, 1), (0, 1, 2), (0, 2, 3), (1, 3, 11), (2, 3, 11), (3, 3, 4), (4, 0, 11)]
    is_goal = np.arange(12) == 11
    everything, _ = collect_winning_multisets(build_edges(edges, 12), is_goal)
    assert len(everything) == 3
    few, complete = collect_winning_multisets(build_edges(edges, 12), is_goal, enough=1)
    assert not complete
    assert set(few) < set(everything)
    _, complete = collect_winning_multisets(build_edges(edges, 12), is_goal, most=1)
    assert not complete


def test_only_multisets_without_a_smaller_one_are_kept() -> None:
    found: dict[Multiset, tuple[int, ...]] = {
        ((0, 1), (1, 1)): (0, 1),
        ((0, 2), (1, 1)): (0, 0, 1),
        ((2, 1),): (2,),
        ((0, 3),): (0, 0, 0),
    }
    smallest, compared = select_smallest_multisets(found)
    assert compared
    assert set(smallest) == {((0, 1), (1, 1)), ((2, 1),), ((0, 3),)}
    _, compared = select_smallest_multisets(found, most=2)
    assert not compared
