"""Sampling of ways: an order of jobs that completes a place, and the tightest limits that still allow it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import Final

from impossible_moments.composition.job_worlds import UNLIMITED, JobWorld
from impossible_moments.composition.structures import CLOCK, Figures, PlaceStructure

TIME_FACTOR: Final = 1.16
"""How much longer the clock runs than the way takes."""
STAGE_WEIGHT: Final = 3
USELESS_SHARE: Final = 0.12
"""How often a job is tried although no stage waits for what it gives."""


@dataclass(frozen=True)
class Way:
    """An order of jobs, by their numbers in the structure."""

    order: tuple[int, ...]

    @property
    def counts(self) -> Mapping[int, int]:
        """How often each job is done."""
        return Counter(self.order)


def draw_base_figures(structure: PlaceStructure, stream: Random) -> dict[str, int]:
    """Draw the figures of jobs, starts and rates. A job that moves something gives no more than it takes."""
    figures = {
        name: stream.randint(figure.low, figure.high) for name, figure in structure.iterate_drawn_figures()
    }
    for job in structure.jobs:
        names = structure.list_carried_stocks(job)
        if not structure.is_balanced(job, figures):
            taken = figures[f"{job.name}_{job.form.carries}"]
            given = sum(figures[f"{job.name}_{name}"] for name in names)
            figures |= {
                f"{job.name}_{name}": max(figures[f"{job.name}_{name}"] * taken // given, 1) for name in names
            }
    return figures


def draw_provisional_limits(
    structure: PlaceStructure, base: Figures, stream: Random, *, room: float = 1.0
) -> dict[str, int]:
    """Draw limits under which ways are sampled, so that hazards and capacities already matter.

    `room` widens the mosts of stocks, for bases in which nothing completes the work.
    """
    limits = {CLOCK: UNLIMITED}
    for stock in structure.stocks:
        gains = [base[f"{job.name}_{stock.name}"] for job in structure.jobs if stock.name in job.gives]
        uses = [base[f"{job.name}_{stock.name}"] for job in structure.jobs if stock.name in job.uses]
        if stock.name not in base:
            limits[stock.name] = UNLIMITED // 2
        if stock.has_most and structure.has_raiser(stock):
            start = base.get(stock.name, 0)
            largest = max((*gains, *uses), default=1)
            share = stream.uniform(1.05, 1.7) * room
            limits[f"{stock.name}_most"] = ceil(max(start + min(gains, default=0), largest) * share) + (
                ceil(stream.uniform(0.6, 1.2) * largest) if stock.rises is not None else 0
            )
    for mark in structure.marks:
        start = base.get(mark.stock, 0)
        share = stream.uniform(0.7, 0.95) if mark.side == "at most" else stream.uniform(1.05, 1.4)
        limits[mark.name] = int(start * share)
    return limits


def sample_way(world: JobWorld, stream: Random, *, most_steps: int) -> Way | None:
    """Play at random, with preference for jobs that a stage waits for. Return the order if it completes the place."""
    state, order = world.build_start(), list[int]()
    while not world.is_done(state):
        if len(order) >= most_steps:
            return None
        choices = _list_weighted_jobs(world, state, stream)
        if not choices:
            return None
        number, after = stream.choices([each[:2] for each in choices], weights=[each[2] for each in choices])[
            0
        ]
        order.append(number)
        state = after
    return Way(tuple(order))


def _list_weighted_jobs(
    world: JobWorld, state: list[int], stream: Random
) -> list[tuple[int, list[int], float]]:
    missing = _collect_missing(world, state)
    found: list[tuple[int, list[int], float]] = []
    for number, step in enumerate(world.steps):
        after = world.take_step(number, state)
        if isinstance(after, str):
            continue
        if step.stage_column >= 0:
            found.append((number, after, STAGE_WEIGHT))
        elif _helps(world, number, missing):
            found.append((number, after, 1.0))
        elif stream.random() < USELESS_SHARE:
            found.append((number, after, 0.5))
    return found


def _collect_missing(world: JobWorld, state: list[int]) -> set[str]:
    """Return what stands in the way of the open stage jobs, by the names of failing conditions."""
    missing = set()
    for number, step in enumerate(world.steps):
        if step.stage_column >= 0 and state[step.stage_column]:
            after = world.take_step(number, state)
            if isinstance(after, str):
                missing.add(after)
    return missing


def _helps(world: JobWorld, number: int, missing: set[str]) -> bool:
    """Return whether a job changes something that a stage waits for."""
    job = world.structure.jobs[number]
    marks = {each.name: each for each in world.structure.marks}
    for failure in missing:
        kind, _, name = failure.partition("_")
        if kind == "enough" and name in job.gives:
            return True
        if kind == "room" and (name in job.uses or name == job.clears):
            return True
        if kind == "at" and marks[name].stock in (*job.uses, job.clears, *job.gives):
            return True
        if failure == "danger" and any(f"{each}_rises" in world.figures for each in job.uses):
            return True
        if failure == "rested" and job.machine is None:
            return True
        if failure == "known" and job.learns is not None:
            return True
        # what a supply itself lacks is one step further away
        if kind == "enough" and any(
            name in other.gives and set(job.gives) & set(other.uses) for other in world.structure.jobs
        ):
            return True
    return False


def compute_tight_limits(
    structure: PlaceStructure, base: Figures, way: Way, *, spares_most: bool = True
) -> dict[str, int] | None:
    """Return the tightest limits that allow a way in its order, or None if nothing allows it.

    Of stocks that the way leaves alone there is enough for one job: the one that changes them most, or else least.
    """
    spare = max if spares_most else min
    loose = {name: value for name, value in base.items() if name not in structure.list_limits()}
    world = JobWorld(structure, loose)
    state, states = world.build_start(), [world.build_start()]
    marks: dict[str, int] = {}
    for number in way.order:
        job = structure.jobs[number]
        for name in job.needs:
            mark = next(each for each in structure.marks if each.name == name)
            value = state[world.columns[mark.stock]]
            pick = max if mark.side == "at most" else min
            marks[name] = pick(marks.get(name, value), value)
        after = world.take_step(number, state)
        if isinstance(after, str):
            return None
        state = after
        states.append(state)
    limits = {name: value for name, value in marks.items() if value > 0}
    if len(limits) < len(structure.marks):
        # a mark that the way never needs is set where it blocks its jobs at the start
        for mark in structure.marks:
            start = base.get(mark.stock, 0)
            limits.setdefault(mark.name, max(start - max(start // 6, 1), 1))
    for stock in structure.stocks:
        values = [each[world.columns[stock.name]] for each in states]
        uses = [base[f"{job.name}_{stock.name}"] for job in structure.jobs if stock.name in job.uses]
        if stock.name not in loose:
            limits[stock.name] = values[0] - min(values) or spare(uses, default=1)
        if f"{stock.name}_most" in structure.list_limits():
            # what a rising hazard reaches during a job counts as well as what it is after it
            peak = max(values) if stock.rises is None else _find_peak(world, way, stock.name) + 1
            if peak == values[0]:
                gains = [
                    base[f"{job.name}_{stock.name}"] for job in structure.jobs if stock.name in job.gives
                ]
                peak += spare(gains, default=0)
            limits[f"{stock.name}_most"] = peak
    limits[CLOCK] = ceil(TIME_FACTOR * state[world.time_column])
    return limits


def _find_peak(world: JobWorld, way: Way, stock: str) -> int:
    column, state = world.columns[stock], world.build_start()
    rate, peak = world.figures[f"{stock}_rises"], state[column]
    for number in way.order:
        after = world.take_step(number, state)
        assert not isinstance(after, str), "the way was followed before"
        took = after[world.time_column] - state[world.time_column]
        peak = max(peak, state[column] + rate * took, after[column])
        state = after
    return peak
