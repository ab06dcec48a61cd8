"""Tests of composed draws: accepted records, determinism, near twins and the facts of levels."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from impossible_moments.blueprints import create_random_stream
from impossible_moments.composition import (
    LEVEL_TARGETS,
    ComposedDraw,
    ComposedOptions,
    draw_composed,
    get_level_target,
    get_place,
    list_known_places,
)
from impossible_moments.composition.composed_draws import find_figures
from impossible_moments.composition.figure_search import (
    FoundFigures,
    is_locally_best,
    is_only_way,
    list_dead_jobs,
)
from impossible_moments.composition.job_graphs import build_job_graph
from impossible_moments.composition.job_worlds import JobWorld
from impossible_moments.composition.structures import PlaceStructure
from impossible_moments.composition.way_sampling import compute_tight_limits, draw_base_figures
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.difficulty.decision_depth import measure_decision_depth
from impossible_moments.mechanics.difficulty.nearest_plans import (
    find_nearest_nodes,
    list_calls_of_nearest_plan,
    trace_nearest_plan,
)

PLACE = "mine_pump_room"
CLOSED = ComposedOptions("PX")
OTHER_WAY = ComposedOptions(other_way=True)


def find(level: int, seed: int = 0) -> FoundFigures:
    found = find_figures(get_place(PLACE).model_dump_json(by_alias=True), level, seed, 0)
    assert found is not None
    return found


@pytest.mark.parametrize("level", [1, 3, 5, 7])
def test_draw_is_accepted_and_keeps_the_bounds_of_its_level(level: int) -> None:
    draw = draw_composed(level, 1, PLACE)
    target = get_level_target(level)
    assert draw.trial.status == "KS-Singular"
    assert not draw.trial.reasons
    assert target.fewest_steps <= draw.facts.steps <= target.most_steps
    assert draw.facts.random_success <= target.most_chance
    assert draw.facts.greedy_success <= target.most_greedy
    assert sum(len(text.split()) for text in draw.texts.values()) <= 930


def test_same_seed_gives_the_same_record_and_another_seed_another() -> None:
    first = find(4)
    find_figures.cache_clear()
    assert find(4).figures == first.figures
    assert find(4, 1).figures != first.figures


@pytest.mark.parametrize("level", [2, 6])
def test_way_is_the_only_multiset_and_not_locally_best(level: int) -> None:
    found = find(level)
    world = JobWorld(found.structure, found.figures)
    assert is_only_way(build_job_graph(world), found.way)
    assert not is_locally_best(world, found.way)


def test_bounds_of_levels_fall_and_grow_from_level_to_level() -> None:
    targets = [LEVEL_TARGETS[level] for level in sorted(LEVEL_TARGETS)]
    for easier, harder in pairwise(targets):
        assert harder.least_chance < easier.least_chance
        assert harder.most_chance < easier.most_chance
        assert harder.most_greedy < easier.most_greedy
        assert harder.fewest_states > easier.fewest_states
        assert harder.fewest_steps > easier.fewest_steps
        assert harder.most_steps > easier.most_steps


@pytest.mark.parametrize("level", [3, 6])
def test_every_job_can_be_done_and_a_dear_one_cannot(level: int) -> None:
    found = find(level)
    assert not list_dead_jobs(JobWorld(found.structure, found.figures))
    dear = {**found.figures, "saw_clamp_charge": found.figures["charge_most"] + 1}
    assert list_dead_jobs(JobWorld(found.structure, dear)) == ["saw_clamp"]


@pytest.mark.parametrize("seed", range(3))
def test_jobs_that_move_water_give_no_more_than_they_take(seed: int) -> None:
    place = get_place("canal_lock_flight")
    found = find_figures(place.model_dump_json(by_alias=True), 3, seed, 1)
    structure = PlaceStructure(place, 3)
    base = draw_base_figures(structure, create_random_stream("balance", seed))
    movers = [job for job in structure.jobs if structure.list_carried_stocks(job)]
    assert movers
    for figures in [base, *([found.figures] if found is not None else [])]:
        assert all(structure.is_balanced(job, figures) for job in movers)
    short = {**base, f"{movers[0].name}_{movers[0].form.carries}": 1}
    assert not structure.is_balanced(movers[0], short)


def test_looser_limits_give_another_way() -> None:
    found = find(6)
    loose = {
        name: value * 3 for name, value in found.figures.items() if name in found.structure.list_limits()
    }
    graph = build_job_graph(JobWorld(found.structure, {**found.figures, **loose}), most_states=20_000)
    assert not is_only_way(graph, found.way)


def test_tight_limits_allow_the_way_and_one_less_diesel_does_not() -> None:
    found = find(5)
    limits = compute_tight_limits(found.structure, found.figures, found.way)
    assert limits is not None
    for change, works in ((0, True), (-1, False)):
        figures = {**found.figures, **limits, "diesel": limits["diesel"] + change}
        world = JobWorld(found.structure, figures)
        state: list[int] | str = world.build_start()
        for number in found.way.order:
            state = world.take_step(number, state) if isinstance(state, list) else state
        assert isinstance(state, list) is works


def test_rows_and_single_states_take_the_same_steps() -> None:
    found = find(7)
    world = JobWorld(found.structure, found.figures)
    graph = build_job_graph(world)
    expected = Counter(zip(graph.sources.tolist(), graph.moves.tolist(), strict=True))
    for node in range(0, graph.node_count, max(graph.node_count // 40, 1)):
        if graph.is_goal[node]:
            continue
        state = [int(value) for value in graph.rows[node]]
        for number in range(len(world.steps)):
            possible = isinstance(world.take_step(number, state), list)
            assert possible is ((node, number) in expected)


@pytest.mark.parametrize("level", [1, 4])
def test_closed_draw_is_a_near_twin(level: int) -> None:
    closed = draw_composed(level, 2, PLACE, CLOSED)
    solvable = draw_composed(level, 2, PLACE, ComposedOptions(attempt=closed.attempt))
    assert closed.trial.status == "PX"
    assert not closed.trial.reasons
    different = {name for name in solvable.figures if solvable.figures[name] != closed.figures[name]}
    assert different == {closed.changed}
    assert closed.facts.winning_orders == 0


def test_a_scenario_without_a_way_has_the_evidence_of_its_nearest_plan() -> None:
    closed = draw_composed(5, 2, PLACE, CLOSED).trial
    analysis = closed.report.analysis
    assert analysis is not None
    depth = measure_decision_depth(analysis)
    calls = list_calls_of_nearest_plan(analysis)
    assert depth.decisions > 0
    assert calls
    search = analysis.searcher.graph
    assert search is not None
    graph = search.build_graph()
    nearest = find_nearest_nodes(graph)
    assert nearest is not None
    assert not graph.is_goal.any()
    order = trace_nearest_plan(graph, nearest)
    moves = analysis.searcher.moves
    assert analysis.executor.run_plan(tuple(moves[number] for number in order)).end == "short"
    assert {moves[number].text for number in order} >= set(calls)


@pytest.mark.parametrize(("place", "level", "seed"), [("antidote_chip_bench", 4, 71), ("mountain_hut", 4, 1)])
def test_other_way_is_a_near_twin_with_another_solution(place: str, level: int, seed: int) -> None:
    shifted = draw_composed(level, seed, place, OTHER_WAY)
    solvable = draw_composed(level, seed, place, ComposedOptions(attempt=shifted.attempt))
    assert shifted.trial.status == "KS-Singular"
    assert not shifted.trial.reasons
    different = {name for name in solvable.figures if solvable.figures[name] != shifted.figures[name]}
    assert different == {shifted.changed}
    plans = [sorted(str(call) for call in _read_way(draw)) for draw in (solvable, shifted)]
    assert plans[0] != plans[1]


def _read_way(draw: ComposedDraw) -> list[str]:
    approaches = draw.record["approaches"]
    assert isinstance(approaches, list)
    plan = approaches[0]["plan"]
    assert isinstance(plan, list)
    return plan


def test_closed_scenario_has_no_other_way() -> None:
    with pytest.raises(ConfigurationError, match="no other way"):
        draw_composed(2, 2, PLACE, ComposedOptions("PX", other_way=True))


def test_structures_are_known_once_for_each_set_of_parts() -> None:
    known = [each for each in list_known_places() if each.offer.blueprint.name == PLACE]
    assert 3 <= len(known) < len(LEVEL_TARGETS)
    assert len({each.labels for each in known}) == len(known)


def test_unknown_place_and_level_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="no place `nowhere`"):
        draw_composed(3, 0, "nowhere")
    with pytest.raises(ConfigurationError, match="no level 11"):
        get_level_target(11)


def test_planner_fetches_knowledge_that_a_stage_waits_for() -> None:
    draw = draw_composed(2, 1, "reef_relay_station", CLOSED)
    approaches = draw.record["approaches"]
    assert isinstance(approaches, list)
    plans = [each["plan"] for each in approaches]
    learning = {"ask_mainland()", "work_out_signs()"}
    assert len(plans) > 1
    assert all(learning & set(plan) for plan in plans)
