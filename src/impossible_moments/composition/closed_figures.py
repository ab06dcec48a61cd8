"""Figures without a way: one limit of a solvable draw is tightened until nothing completes the work."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from impossible_moments.composition.figure_search import FoundFigures
from impossible_moments.composition.graph_facts import ComposedFacts, measure_graph
from impossible_moments.composition.job_graphs import build_job_graph
from impossible_moments.composition.job_worlds import JobWorld
from impossible_moments.composition.levels import get_level_target
from impossible_moments.composition.record_parts import name_danger
from impossible_moments.composition.structures import CLOCK, PlaceStructure
from impossible_moments.composition.way_sampling import compute_tight_limits

MOST_CHANGE: Final = 0.35
"""The largest share by which the limit may change."""
LEAST_STATES: Final = 0.5
"""The share of the fewest states of the level that must be left."""
MOST_STATES: Final = 10_000
"""The size of a graph with dropped conditions from which it counts as not decided."""


@dataclass(frozen=True)
class ClosedFigures:
    """Figures that leave no way, the limit that was changed, and a smallest set of conditions that forbids the goal."""

    structure: PlaceStructure
    figures: dict[str, int]
    changed: str
    conflict: tuple[str, ...]
    facts: ComposedFacts


def close_figures(found: FoundFigures, stream: Random) -> ClosedFigures | None:
    """Tighten one limit of a solvable draw until there is no way, or return None if no limit does it.

    A limit that leaves only a few states would give the verdict away at the first job, so it is not used.
    """
    structure, steps = found.structure, len(found.way.order)
    fewest = LEAST_STATES * get_level_target(structure.level).fewest_states
    tight = compute_tight_limits(structure, found.figures, found.way)
    assert tight is not None, "the way was followed before"
    limits = [name for name in structure.list_limits() if name != CLOCK]
    stream.shuffle(limits)
    for limit in limits:
        figures = _tighten_until_closed(structure, found.figures, limit, tight[limit])
        if figures is None:
            continue
        world = JobWorld(structure, figures)
        graph = build_job_graph(world)
        if graph.node_count < fewest:
            continue
        conflict = find_smallest_conflict(structure, figures)
        if conflict:
            return ClosedFigures(
                structure, figures, limit, conflict, measure_graph(world, graph, steps=steps)
            )
    return None


def _tighten_until_closed(
    structure: PlaceStructure, figures: dict[str, int], limit: str, tight: int
) -> dict[str, int] | None:
    sign = 1 if any(each.name == limit and each.side == "at least" for each in structure.marks) else -1
    value = tight
    while True:
        value += sign
        if value < 1 or abs(value - figures[limit]) > MOST_CHANGE * figures[limit]:
            return None
        closed = {**figures, limit: value}
        graph = build_job_graph(JobWorld(structure, closed), stops_at_goal=True)
        if not graph.is_goal.any():
            return closed if graph.exhausted and graph.edge_count else None


def find_smallest_conflict(structure: PlaceStructure, figures: dict[str, int]) -> tuple[str, ...]:
    """Return conditions that alone forbid the goal: all on some stocks and stages, of which none can be left out."""
    groups = group_conditions(structure, figures)
    dropped: frozenset[str] = frozenset()
    # what only orders the work is left out first, the clock last
    for name in sorted(
        groups, key=lambda each: (each == "deadline", not each.endswith(("_left", ".hot", ".known")))
    ):
        if _is_closed(structure, figures, dropped | groups[name]):
            dropped |= groups[name]
    return tuple(name for group in groups.values() for name in sorted(group) if name not in dropped)


def group_conditions(structure: PlaceStructure, figures: dict[str, int]) -> dict[str, frozenset[str]]:
    """Return the conditions of a record by the state that they read."""
    world = JobWorld(structure, figures)
    columns = {place: name for name, place in world.columns.items()}
    groups: dict[str, set[str]] = {}
    for step in world.steps:
        for name, column, _, _ in step.tests:
            groups.setdefault(columns[column], set()).add(f"{step.name}.{name}")
    for stock in structure.stocks:
        if stock.rises is not None:
            groups.setdefault(stock.name, set()).add(name_danger(stock))
    return {**{name: frozenset(each) for name, each in groups.items()}, "deadline": frozenset({"deadline"})}


def _is_closed(structure: PlaceStructure, figures: dict[str, int], dropped: frozenset[str]) -> bool:
    """Return whether the goal stays out of reach without some conditions. False if the graph is too large to say."""
    world = JobWorld(structure, figures, dropped=dropped)
    graph = build_job_graph(world, most_states=MOST_STATES, stops_at_goal=True)
    return graph.exhausted and not graph.is_goal.any()
