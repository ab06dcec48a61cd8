"""Wrong plans of a composed scenario, found by execution: greedy ones, a nearest miss, another order of the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from impossible_moments.composition.graph_facts import rate_job_costs
from impossible_moments.composition.job_graphs import JobGraph
from impossible_moments.composition.job_worlds import UNLIMITED, JobWorld
from impossible_moments.composition.record_parts import name_danger
from impossible_moments.composition.structures import CLOCK, PlayedJob
from impossible_moments.composition.way_sampling import Way
from impossible_moments.mechanics.execution import GraphMeasures, trace_path_to

MOST_CALLS: Final = 24
FEWEST_CALLS: Final = 2
NEAREST_MISSES: Final = ("nearly_all", "nearly_all_otherwise")
"""The names of plans that nearly work. Each fails at another condition. Where a way works there is one: its other order is the other."""
MOST_NODES_LOOKED_AT: Final = 400
MOST_OF_ONE_JOB: Final = 2


@dataclass(frozen=True, slots=True)
class WrongPlan:
    """A plan that fails, with the job and the condition at which it fails."""

    name: str
    order: tuple[int, ...]
    ends: str
    """The end as a record writes it: `blocked job.condition`, `never danger` or `late`."""
    idea: str
    """Why one would try it, as a clause."""


def list_wrong_plans(world: JobWorld, graph: JobGraph, way: Way | None) -> tuple[WrongPlan, ...]:
    """Return the wrong plans of a world, each with another end or another first difference."""
    found: dict[tuple[int, ...], WrongPlan] = {}
    for plan in _iterate_candidates(world, graph, way):
        if len(plan.order) >= FEWEST_CALLS:
            found.setdefault(plan.order, plan)
    named: dict[str, WrongPlan] = {}
    for plan in found.values():
        named.setdefault(plan.name, plan)
    return tuple(named.values())


def _iterate_candidates(world: JobWorld, graph: JobGraph, way: Way | None) -> Iterator[WrongPlan]:
    takes = [float(step.takes) for step in world.steps]
    quick = follow_stage_choice(world, takes)
    yield from _check("quickest_tools", world, quick, "each part of the work is done with its quickest tool")
    cheap = follow_stage_choice(world, rate_job_costs(world))
    yield from _check(
        "thriftiest_tools", world, cheap, "each part of the work is done with what uses the least"
    )
    names = NEAREST_MISSES if way is None else NEAREST_MISSES[:1]
    ends: set[str] = set()
    for order in list_nearest_misses(world, graph):
        for plan in _check("", world, order, "nearly all of the work is done before anything is missing"):
            if plan.ends not in ends and len(ends) < len(names):
                yield replace(plan, name=names[len(ends)])
                ends.add(plan.ends)
    if way is not None:
        # the latest failing exchange shows least
        for place, (first, second) in reversed(list(enumerate(pairwise(way.order)))):
            swapped = (*way.order[:place], second, first, *way.order[place + 2 :])
            yield from _check(
                "other_order", world, swapped, "the right jobs are done, and their order seems free"
            )


def _check(name: str, world: JobWorld, order: Sequence[int], idea: str) -> Iterator[WrongPlan]:
    """Yield a plan up to the job at which it fails, or nothing if it works or ends without a named condition."""
    end = execute_order(world, order)
    if end is not None:
        length, text = end
        yield WrongPlan(name, tuple(order[:length]), text, idea)


def execute_order(world: JobWorld, order: Sequence[int]) -> tuple[int, str] | None:
    """Execute an order as a record would. Return how many calls it has and how it ends, or None if it works."""
    patient = JobWorld(world.structure, {**world.figures, CLOCK: UNLIMITED})
    state = patient.build_start()
    for length, number in enumerate(order, 1):
        after = patient.take_step(number, state)
        if isinstance(after, str):
            return None if after == "floor" else (length, _format_end(patient, number, after))
        state = after
        if patient.is_done(state):
            return (length, "late") if state[patient.time_column] > world.clock else None
    return None


def _format_end(world: JobWorld, number: int, failure: str) -> str:
    if failure != "danger":
        return f"blocked {world.steps[number].name}.{failure}"
    rising = next(each for each in world.structure.stocks if each.rises is not None)
    return f"never {name_danger(rising)}"


def follow_stage_choice(world: JobWorld, ranks: Sequence[float]) -> tuple[int, ...]:
    """Follow a planner who decides for each stage alone, and fetches what is missing when it is missing."""
    patient = JobWorld(world.structure, {**world.figures, CLOCK: UNLIMITED})
    jobs = world.structure.jobs
    chosen = [
        min(
            (number for number, job in enumerate(jobs) if job.stage is stage),
            key=lambda each: (ranks[each], each),
        )
        for stage in world.structure.stages
    ]
    state, order = patient.build_start(), list[int]()
    while not patient.is_done(state) and len(order) < MOST_CALLS:
        waiting = [number for number in chosen if state[world.steps[number].stage_column]]
        moved = _take_first_possible(patient, state, waiting)
        if moved is None:
            failures = {patient.find_failure(number, state) for number in waiting}
            helpers = [
                number for number, job in enumerate(jobs) if job.stage is None and _serves(job, failures)
            ]
            helpers.sort(key=lambda each: (ranks[each], each))
            moved = _take_first_possible(patient, state, helpers)
        if moved is None:
            order.append(_find_first_ready(patient, state, waiting))
            break
        number, state = moved
        order.append(number)
    return tuple(order)


def _serves(job: PlayedJob, failures: set[str]) -> bool:
    return any(
        (kind == "enough" and name in job.gives)
        or (kind == "room" and (name in job.uses or name == job.clears))
        or (kind == "known" and job.learns is not None)
        for kind, _, name in (failure.partition("_") for failure in failures)
    )


def _take_first_possible(
    world: JobWorld, state: list[int], numbers: Sequence[int]
) -> tuple[int, list[int]] | None:
    for number in numbers:
        after = world.take_step(number, state)
        if not isinstance(after, str):
            return number, after
    return None


def _find_first_ready(world: JobWorld, state: list[int], numbers: Sequence[int]) -> int:
    """Return the first job whose stage may begin, to show what it lacks."""
    ready = [each for each in numbers if not world.find_failure(each, state).startswith(("after_", "left"))]
    return (ready or list(numbers))[0]


def list_nearest_misses(world: JobWorld, graph: JobGraph) -> list[tuple[int, ...]]:
    """Return orders to states with the least work left, each with the stage job that fails there by the least."""
    left = graph.rows[:, list(world.stage_columns)].sum(axis=1)
    lost = ~GraphMeasures(graph).can_win & (left > 0)
    if not lost.any():
        return []
    nearest = np.flatnonzero(lost & (left == left[lost].min()))
    ranked: list[tuple[float, int, int]] = []
    for node in nearest[:MOST_NODES_LOOKED_AT]:
        state = [int(value) for value in graph.rows[node]]
        for number, step in enumerate(world.steps):
            if step.stage_column >= 0 and state[step.stage_column]:
                margin = _measure_failure(world, number, state)
                if margin is not None:
                    ranked.append((margin, int(node), number))
    ranked.sort()
    return [
        (*trace_path_to(graph, node), number) for _, node, number in _select_different_ends(world, ranked)
    ]


def _select_different_ends(
    world: JobWorld, ranked: Sequence[tuple[float, int, int]]
) -> list[tuple[float, int, int]]:
    """Return the two nearest misses of each job, nearest first."""
    kept: list[tuple[float, int, int]] = []
    counts = [0] * len(world.steps)
    for each in ranked:
        counts[each[2]] += 1
        if counts[each[2]] <= MOST_OF_ONE_JOB:
            kept.append(each)
    return kept


def _measure_failure(world: JobWorld, number: int, state: list[int]) -> float | None:
    """Return by which share the first failing condition of a job fails, or None if it has no amount."""
    for name, column, sign, bound in world.steps[number].tests:
        if sign * state[column] > sign * bound:
            measured = name.startswith(("enough_", "room_", "at_"))
            return abs(state[column] - bound) / max(abs(bound), abs(state[column]), 1) if measured else None
    return None
