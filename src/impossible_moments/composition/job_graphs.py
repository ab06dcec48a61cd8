"""The graph of all states of a composed world, built in whole numbers for the search of figures.

The record that is made in the end is followed again by the state graph of `mechanics`, with its own arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impossible_moments.composition.job_worlds import JobWorld, Rows

MOST_STATES: Final = 400_000
MOST_LAYERS: Final = 60
_Edges: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int16], NDArray[np.int64]]
_SALT: Final = 0x9E3779B97F4A7C15


@dataclass(frozen=True)
class JobGraph:
    """All states of a world with their times, and the jobs between them. Node 0 is the start."""

    rows: Rows
    depths: NDArray[np.int16]
    is_goal: NDArray[np.bool_]
    sources: NDArray[np.int64]
    moves: NDArray[np.int16]
    targets: NDArray[np.int64]
    exhausted: bool

    @property
    def node_count(self) -> int:
        """The number of states with their times."""
        return len(self.rows)

    @property
    def edge_count(self) -> int:
        """The number of possible jobs over all states."""
        return len(self.sources)


def build_job_graph(
    world: JobWorld, *, most_states: int = MOST_STATES, stops_at_goal: bool = False
) -> JobGraph:
    """Follow every job from every state. With `stops_at_goal` the graph ends with the first layer that is done."""
    width = world.time_column + 1
    factors = np.array([pow(_SALT | 1, 2 * place + 1, 2**64) for place in range(width)], dtype=np.uint64)
    stages = list(world.stage_columns)
    layer: Rows = np.array([world.build_start()], dtype=np.int32)
    known = _hash_rows(layer, factors)
    owners = np.zeros(1, dtype=np.int64)
    layers, goals, edges = [layer], [_find_done_rows(layer, stages)], list[_Edges]()
    count, first, exhausted = 1, 0, False
    while True:
        if stops_at_goal and goals[-1].any():
            exhausted = True
            break
        if count > most_states or len(layers) > MOST_LAYERS:
            break
        open_rows = np.flatnonzero(~goals[-1])
        sources, moves, after = world.advance(layer[open_rows])
        if not len(after):
            exhausted = True
            break
        hashes = _hash_rows(after, factors)
        unique, firsts, inverse = np.unique(hashes, return_index=True, return_inverse=True)
        places = np.minimum(np.searchsorted(known, unique), len(known) - 1)
        seen = known[places] == unique
        numbers = np.empty(len(unique), dtype=np.int64)
        numbers[seen] = owners[places[seen]]
        order = np.argsort(firsts[~seen], kind="stable")
        fresh = np.empty(len(order), dtype=np.int64)
        fresh[order] = np.arange(count, count + len(order))
        numbers[~seen] = fresh
        inserted = np.searchsorted(known, unique[~seen])
        known, owners = np.insert(known, inserted, unique[~seen]), np.insert(owners, inserted, fresh)
        edges.append((open_rows[sources] + first, moves, numbers[inverse]))
        first, count = first + len(layer), count + len(order)
        layer = after[np.sort(firsts[~seen])]
        if not len(layer):
            exhausted = True
            break
        layers.append(layer)
        goals.append(_find_done_rows(layer, stages))
    return _join_layers(layers, goals, edges, exhausted=exhausted)


def _find_done_rows(rows: Rows, stages: list[int]) -> NDArray[np.bool_]:
    done: NDArray[np.bool_] = np.all(rows[:, stages] == 0, axis=1)
    return done


def _hash_rows(rows: Rows, factors: NDArray[np.uint64]) -> NDArray[np.uint64]:
    mixed = np.zeros(len(rows), dtype=np.uint64)
    for place, factor in enumerate(factors):
        mixed = (mixed ^ rows[:, place].astype(np.uint64)) * factor
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _join_layers(
    layers: list[Rows],
    goals: list[NDArray[np.bool_]],
    edges: list[_Edges],
    *,
    exhausted: bool,
) -> JobGraph:
    depths = np.concatenate([np.full(len(rows), depth, dtype=np.int16) for depth, rows in enumerate(layers)])
    empty = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int16), np.empty(0, dtype=np.int64))
    parts = edges or [empty]
    sources = np.concatenate([each[0] for each in parts])
    moves = np.concatenate([each[1] for each in parts])
    targets = np.concatenate([each[2] for each in parts])
    kept = targets < len(depths)
    return JobGraph(
        np.concatenate(layers),
        depths,
        np.concatenate(goals),
        sources[kept],
        moves[kept],
        targets[kept],
        exhausted,
    )
