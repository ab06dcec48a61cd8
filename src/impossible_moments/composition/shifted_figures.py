"""Figures with another way: one figure of a solvable draw is changed so that a different multiset of jobs is the only way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from impossible_moments.composition.figure_search import (
    FoundFigures,
    count_binding_limits,
    is_locally_best,
    is_within_bounds,
    list_ways,
)
from impossible_moments.composition.graph_facts import measure_graph
from impossible_moments.composition.job_graphs import build_job_graph
from impossible_moments.composition.job_worlds import JobWorld
from impossible_moments.composition.levels import LevelTarget
from impossible_moments.composition.structures import CLOCK, PlaceStructure
from impossible_moments.composition.way_sampling import Way

CHANGES: Final = (0.05, 0.08, 0.12, 0.18, 0.25, 0.35)
"""Shares by which a figure is changed, in both directions."""
MOST_TRIALS: Final = 300
MOST_OF_CLOCK: Final = 1.12
"""How much longer the clock must run than the way takes. Records demand a tenth of it to be left."""


@dataclass(frozen=True)
class ShiftedFigures:
    """Figures that leave one way, different from that of the draw they come from, and the figure that was changed."""

    found: FoundFigures
    changed: str


def shift_figures(found: FoundFigures, target: LevelTarget, stream: Random) -> ShiftedFigures | None:
    """Change one figure of a solvable draw until another way is the only one, or return None if no figure does it."""
    own = tuple(sorted(found.way.counts.items()))
    candidates = list(_list_changes(found.structure, found.figures))
    stream.shuffle(candidates)
    for name, value in candidates[:MOST_TRIALS]:
        figures = {**found.figures, name: value}
        if not all(found.structure.is_balanced(job, figures) for job in found.structure.jobs):
            continue
        world = JobWorld(found.structure, figures)
        graph = build_job_graph(world, most_states=target.most_states)
        ways = list_ways(graph)
        if ways is None or len(ways) != 1 or own in ways:
            continue
        (order,) = ways.values()
        way = Way(order)
        facts = measure_graph(world, graph, steps=len(order))
        if is_locally_best(world, way) or not is_within_bounds(facts, target) or _is_hurried(world, way):
            continue
        binding = count_binding_limits(found.structure, figures, way)
        facts = replace(facts, binding_limits=binding)
        return ShiftedFigures(replace(found, figures=figures, way=way, facts=facts), name)
    return None


def _list_changes(structure: PlaceStructure, figures: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the other values that are tried for each figure of a job and each start, without repetition."""
    for name, _ in structure.iterate_drawn_figures():
        value = figures[name]
        steps = dict.fromkeys(max(round(value * share), 1) for share in CHANGES)
        yield from ((name, value + sign * step) for step in steps for sign in (1, -1) if value > step)


def _is_hurried(world: JobWorld, way: Way) -> bool:
    """Return whether a way leaves less of the clock than a record must."""
    state = world.build_start()
    for number in way.order:
        after = world.take_step(number, state)
        assert not isinstance(after, str), "the way was found in the graph"
        state = after
    return state[world.time_column] * MOST_OF_CLOCK > world.figures[CLOCK]
