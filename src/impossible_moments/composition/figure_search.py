"""The search for figures: a sampled way is made the only one, and the limits are then loosened as far as it stays so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, TypeAlias

from impossible_moments.composition.graph_facts import ComposedFacts, measure_graph, rate_job_costs
from impossible_moments.composition.job_graphs import JobGraph, build_job_graph
from impossible_moments.composition.job_worlds import JobWorld, Rows, Step
from impossible_moments.composition.levels import LevelTarget
from impossible_moments.composition.structures import CLOCK, PlaceStructure
from impossible_moments.composition.way_sampling import (
    Way,
    compute_tight_limits,
    draw_base_figures,
    draw_provisional_limits,
    sample_way,
)
from impossible_moments.mechanics.execution import GraphMeasures

Multiset: TypeAlias = tuple[tuple[int, int], ...]
MOST_BASES: Final = 60
PLAYOUTS: Final = 60
ROOMS: Final = (1.0, 1.3, 1.7, 2.2)
"""By how much the mosts of stocks are widened when no way is sampled."""
MOST_MULTISETS: Final = 20_000
"""The most unfinished ways that are followed at once. With more of them figures have rivals, and only some are listed."""
ENOUGH_WAYS: Final = 300
MOST_UNFINISHED_STATES: Final = 6_000
"""How many states figures of any level may have while their rivals are removed."""
SPARES_MOST: Final = 0.5
"""How often stocks that the way leaves alone have enough for the job that changes them most, and not least."""
MOST_WORSENINGS: Final = 40
WORSENING: Final = 1.12
WORST: Final = 1.6
"""How far a figure may leave its range to the worse."""
FEWEST_FIRST_MOVES: Final = 2
LOOSENINGS: Final = (0.9, 0.45, 0.2)
"""Shares of the smallest use by which a limit is loosened, largest first."""
HOPELESS: Final = 3
"""So many times too often chance wins where other orders of loosening are not tried."""
LOOSENING_TRIALS: Final = 2
"""In how many different orders the limits are loosened before figures are given up."""


@dataclass(frozen=True)
class FoundFigures:
    """Figures that leave one way, with their facts."""

    structure: PlaceStructure
    figures: dict[str, int]
    way: Way
    facts: ComposedFacts
    bases: int
    """How many bases were drawn before these figures were found."""


def search_figures(structure: PlaceStructure, target: LevelTarget, stream: Random) -> FoundFigures | None:
    """Draw bases until one gives figures within the bounds of a level, or return None."""
    for number in range(MOST_BASES):
        found = _try_base(structure, target, stream)
        if found is not None:
            figures, way, facts = found
            return FoundFigures(structure, figures, way, facts, number + 1)
    return None


def _try_base(
    structure: PlaceStructure, target: LevelTarget, stream: Random
) -> tuple[dict[str, int], Way, ComposedFacts] | None:
    base = draw_base_figures(structure, stream)
    way = _sample_fitting_way(structure, base, target, stream)
    unique = None if way is None else _make_unique(structure, base, way, target, stream)
    return None if unique is None else _loosen_and_measure(structure, *unique, target, stream)


def _sample_fitting_way(
    structure: PlaceStructure, base: dict[str, int], target: LevelTarget, stream: Random
) -> Way | None:
    """Sample a way of the length of a level that does not decide each stage alone, with more and more room."""
    for room in ROOMS:
        provisional = JobWorld(
            structure, {**base, **draw_provisional_limits(structure, base, stream, room=room)}
        )
        for _ in range(PLAYOUTS):
            way = sample_way(provisional, stream, most_steps=target.most_steps)
            if way is not None and _fits_length(way.order, target) and not is_locally_best(provisional, way):
                return way
    return None


def _fits_length(order: tuple[int, ...], target: LevelTarget) -> bool:
    return target.fewest_steps <= len(order) <= target.most_steps


def is_locally_best(world: JobWorld, way: Way) -> bool:
    """Return whether a way takes the quickest job, or the cheapest job, at every stage with a choice."""
    costs, jobs = rate_job_costs(world), world.structure.jobs
    for rank in ([step.takes for step in world.steps], costs):
        best: dict[str, float] = {}
        for number, job in enumerate(jobs):
            if job.stage is not None:
                best[job.stage.name] = min(best.get(job.stage.name, rank[number]), rank[number])
        if all(
            rank[number] <= best[stage.name]
            for number in set(way.order)
            if (stage := jobs[number].stage) is not None
        ):
            return True
    return False


def _make_unique(
    structure: PlaceStructure, base: dict[str, int], way: Way, target: LevelTarget, stream: Random
) -> tuple[dict[str, int], Way] | None:
    """Worsen what only rivals use until the way is the only one, or return None."""
    figures, spares_most = dict(base), stream.random() < SPARES_MOST
    for _ in range(MOST_WORSENINGS):
        limits = compute_tight_limits(structure, figures, way, spares_most=spares_most)
        if limits is None:
            return None
        tight = {**figures, **limits}
        graph = build_job_graph(
            JobWorld(structure, tight), most_states=max(target.most_states, MOST_UNFINISHED_STATES)
        )
        if not graph.exhausted:
            return None
        ways, complete = GraphMeasures(graph).list_smallest_multisets(most=MOST_MULTISETS, enough=ENOUGH_WAYS)
        own = tuple(sorted(way.counts.items()))
        if complete and own not in ways:
            # some part of it suffices: that part is the way now
            shorter = [order for order in ways.values() if _fits_length(order, target)]
            if not shorter:
                return None
            way = Way(shorter[stream.randrange(len(shorter))])
            if is_locally_best(JobWorld(structure, tight), way):
                return None
            continue
        rivals = [dict(each) for each in ways if each != own]
        if not rivals:
            return (tight, way) if complete else None
        if not _worsen_rivals(structure, figures, way, rivals, stream):
            return None
    return None


def _worsen_rivals(
    structure: PlaceStructure,
    figures: dict[str, int],
    way: Way,
    rivals: Sequence[Mapping[int, int]],
    stream: Random,
) -> bool:
    """Worsen one figure of a job that rivals do more often. Return whether there was one.

    Jobs that the way does not need come first, and a job of many rivals is chosen more often than one of few.
    """
    shares: Counter[int] = Counter()
    for rival in rivals:
        shares.update(number for number, count in rival.items() if count > way.counts.get(number, 0))
    unused = [number for number in shares if number not in way.counts] or list(shares)
    choices = [
        (each, shares[number])
        for number in sorted(unused)
        for each in _list_worse_figures(structure, figures, number)
    ]
    if not choices:
        return False
    (name, value), _ = stream.choices(choices, weights=[weight for _, weight in choices])[0]
    figures[name] = value
    return True


def _list_worse_figures(
    structure: PlaceStructure, figures: dict[str, int], number: int
) -> Iterator[tuple[str, int]]:
    job = structure.jobs[number]
    hazards = {each.name for each in structure.stocks if each.kind == "hazard"}
    ports = [(name, job.form.uses[name], name not in hazards) for name in job.uses]
    ports += [(name, job.form.gives[name], name in hazards) for name in job.gives]
    for stock, drawn, grows in ports:
        name = f"{job.name}_{stock}"
        value = (
            max(figures[name] + 1, round(figures[name] * WORSENING))
            if grows
            else int(figures[name] / WORSENING)
        )
        is_near = drawn.low / WORST <= value <= drawn.high * WORST and value >= 1
        if is_near and structure.is_balanced(job, {**figures, name: value}):
            yield name, value
    takes = figures[f"{job.name}_takes"] + 1
    if takes <= job.form.takes.high * WORST:
        yield f"{job.name}_takes", takes


def _loosen_and_measure(
    structure: PlaceStructure, tight: dict[str, int], way: Way, target: LevelTarget, stream: Random
) -> tuple[dict[str, int], Way, ComposedFacts] | None:
    """Loosen limits until chance wins as often as a level asks for. Return None if the level's bounds are missed."""
    for _ in range(LOOSENING_TRIALS):
        figures, facts = _loosen_limits(structure, tight, way, target, stream)
        binding = count_binding_limits(structure, figures, way)
        facts = replace(facts, binding_limits=binding)
        if is_at_level(facts, target) and not list_dead_jobs(JobWorld(structure, figures)):
            return figures, way, facts
        if facts.random_success > HOPELESS * target.most_chance:
            return None
    return None


def _loosen_limits(
    structure: PlaceStructure, tight: dict[str, int], way: Way, target: LevelTarget, stream: Random
) -> tuple[dict[str, int], ComposedFacts]:
    """Loosen each limit, in random order, while the way stays the only one and chance does not win too seldom."""
    figures = tight
    loosest = build_job_graph(JobWorld(structure, tight))
    limits = [name for name in structure.list_limits() if name != CLOCK]
    stream.shuffle(limits)
    for limit in limits:
        for share in LOOSENINGS:
            slack = round(share * _find_smallest_change(structure, figures, limit))
            if slack < 1:
                continue
            sign = -1 if _is_lower_mark(structure, limit) else 1
            looser = {**figures, limit: figures[limit] + sign * slack}
            world = JobWorld(structure, looser)
            graph = build_job_graph(world, most_states=target.most_states)
            if not is_only_way(graph, way):
                continue
            if GraphMeasures(graph).chances[0] > target.least_chance:
                figures, loosest = looser, graph
                break
    return figures, measure_graph(JobWorld(structure, figures), loosest, steps=len(way.order))


def list_dead_jobs(world: JobWorld) -> list[str]:
    """Return the jobs that can never be done, even if all stages before theirs were complete.

    Such a job is no choice, and a reader would weigh it for nothing.
    """
    rows = build_job_graph(world).rows
    return [step.name for step in world.steps if not _is_ever_possible(world, step, rows)]


def _is_ever_possible(world: JobWorld, step: Step, rows: Rows) -> bool:
    possible = rows[:, world.time_column] + step.takes <= world.clock
    for name, column, sign, bound in step.tests:
        if name != "left" and not name.startswith("after_"):
            possible &= sign * rows[:, column] <= sign * bound
    return bool(possible.any())


def is_only_way(graph: JobGraph, way: Way) -> bool:
    """Return whether a complete graph has one smallest multiset of jobs, that of the way."""
    ways = list_ways(graph)
    return ways is not None and list(ways) == [tuple(sorted(way.counts.items()))]


def list_ways(graph: JobGraph) -> dict[Multiset, tuple[int, ...]] | None:
    """Return the smallest winning multisets with an order each, or None if they cannot be told apart quickly."""
    if not graph.exhausted:
        return None
    ways, complete = GraphMeasures(graph).list_smallest_multisets(most=MOST_MULTISETS, enough=ENOUGH_WAYS)
    return ways if complete else None


def is_within_bounds(facts: ComposedFacts, target: LevelTarget) -> bool:
    """Return whether random and greedy players win no more often than a level allows, in a graph of its size."""
    return (
        facts.random_success <= target.most_chance
        and facts.greedy_success <= target.most_greedy
        and facts.states <= target.most_states
    )


def is_at_level(facts: ComposedFacts, target: LevelTarget) -> bool:
    """Return whether measured facts lie between all bounds of a level."""
    return (
        is_within_bounds(facts, target)
        and facts.random_success > target.least_chance
        and facts.states >= target.fewest_states
        and facts.binding_limits >= target.fewest_binding
        and facts.first_moves >= FEWEST_FIRST_MOVES
    )


def _is_lower_mark(structure: PlaceStructure, limit: str) -> bool:
    return any(each.name == limit and each.side == "at least" for each in structure.marks)


def _find_smallest_change(structure: PlaceStructure, figures: dict[str, int], limit: str) -> int:
    """Return the smallest amount by which one job changes the stock of a limit."""
    marks = {each.name: each.stock for each in structure.marks}
    stock = marks.get(limit, limit.removesuffix("_most"))
    amounts = [figures[f"{job.name}_{stock}"] for job in structure.jobs if stock in (*job.uses, *job.gives)]
    return min(amounts, default=0)


def count_binding_limits(structure: PlaceStructure, figures: dict[str, int], way: Way) -> int:
    """Return how many limits leave less than one further use or gain."""
    tight = compute_tight_limits(structure, figures, way)
    assert tight is not None, "the way was followed before"
    return sum(
        abs(figures[limit] - tight[limit]) < _find_smallest_change(structure, figures, limit)
        for limit in structure.list_limits()
        if limit != CLOCK
    )
