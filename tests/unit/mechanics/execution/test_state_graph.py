"""The state graph holds every state that the executor can reach, and no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import build_analysis_without_search, verify_record
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution import state_graph
from impossible_moments.mechanics.execution.graph_measures import GraphMeasures, trace_shortest_path
from impossible_moments.mechanics.execution.graph_recheck import is_graph_confirmed
from impossible_moments.mechanics.execution.graph_search import GraphPlanSearch
from impossible_moments.mechanics.execution.matrix_obstacles import find_matrix_obstacle
from impossible_moments.mechanics.execution.search_limits import SearchBounds, SearchSituation
from impossible_moments.mechanics.execution.state_graph import StateGraph, build_state_graph
from impossible_moments.mechanics.execution.state_matrix import StateMatrix
from support.small_worlds import analyse_record, build_record, build_thing

RECORDS = sorted((Path(__file__).parents[3] / "golden" / "records").glob("*.yaml"))


def build_lock_keeper(**changes: Any) -> Any:
    """Return a keeper who works a lock: coal drives the pump, and the level rises by itself."""
    record = build_record(
        quantities=[
            "coal = 5 (0..6) state",
            "level = 30[cm] (0..90) state",
            "rise = 1[cm/min]",
            "pumped = 20[cm]",
            "brink = 60[cm]",
            "pump_time = 6[min]",
            "shovel_time = 4[min]",
            "turn_time = 5[min]",
            "dry = 12[cm]",
            "night = 25[min]",
        ],
        things=[
            build_thing("pump", "mode = 'idle'"),
            build_thing("gate", "turns = 0"),
        ],
        actions=[
            {
                "do": "run_pump(p: pump)",
                "when": ["fuelled = coal >= 2"],
                "then": ["coal = coal - 2", "level = level - pumped", "p.mode = 'hot'"],
                "takes": "pump_time",
            },
            {
                "do": "shovel(p: pump)",
                "when": ["room = coal < 6", "cool = p.mode == 'hot'"],
                "then": ["coal = coal + 1", "p.mode = 'idle'"],
                "takes": "shovel_time",
            },
            {
                "do": "turn(g: gate)",
                "when": ["low = level <= dry", "left = g.turns < 2"],
                "then": ["g.turns = g.turns + 1"],
                "takes": "turn_time",
            },
        ],
        goal="gate.turns >= 2",
        deadline="night",
        rates=["level = rise"],
        never=["flooded = level >= brink @ the house floods"],
    )
    return {**record, **changes}


def build_graph(analysis: WorldAnalysis, **limits: Any) -> StateGraph:
    return build_state_graph(StateMatrix(analysis.executor, analysis.searcher.moves), **limits)


def test_every_node_agrees_with_the_executor() -> None:
    graph = build_graph(analyse_record(build_lock_keeper()))
    assert graph.exhausted
    assert graph.is_goal.any()
    assert is_graph_confirmed(graph, sampled_nodes=graph.node_count)


def test_a_graph_with_a_wrong_edge_is_not_confirmed() -> None:
    graph = build_graph(analyse_record(build_lock_keeper()))
    graph.rows[graph.targets[0]] += 1.0
    assert not is_graph_confirmed(graph, sampled_nodes=graph.node_count)


def test_a_shortest_path_reaches_the_goal_in_the_executor() -> None:
    analysis = analyse_record(build_lock_keeper())
    graph = build_graph(analysis)
    order = trace_shortest_path(graph)
    assert order is not None
    plan = [graph.matrix.moves[number] for number in order]
    assert analysis.executor.run_plan(plan).reaches_goal
    assert len(plan) == GraphMeasures(graph).summarize().shortest


def test_chance_and_orders_agree_with_following_every_path() -> None:
    graph = build_graph(analyse_record(build_lock_keeper()))

    def follow(node: int) -> tuple[float, float]:
        """Return the number of winning orders and the chance of random moves from a node."""
        if graph.is_goal[node]:
            return 1.0, 1.0
        after = [follow(int(graph.targets[edge])) for edge in np.flatnonzero(graph.sources == node)]
        if not after:
            return 0.0, 0.0
        return sum(orders for orders, _ in after), sum(chance for _, chance in after) / len(after)

    orders, chance = follow(0)
    summary = GraphMeasures(graph).summarize()
    assert summary.winning_orders == orders
    assert summary.chance == pytest.approx(chance)
    assert 0 < chance < 1


def test_plans_that_repeat_a_call_more_often_are_other_ways() -> None:
    record = build_record(
        quantities=["filled = 0 (0..6) state", "spoon = 1", "cup = 3", "wanted = 6", "time = 1[min]", "day = 1[h]"],
        things=[build_thing("jar", "open = true")],
        actions=[
            {"do": "spoon_in(j: jar)", "when": ["open = j.open"], "then": ["filled = filled + spoon"], "takes": "time"},
            {"do": "tip_in(j: jar)", "when": ["open = j.open"], "then": ["filled = filled + cup"], "takes": "time"},
        ],
        goal="filled >= wanted",
        deadline="day",
    )  # fmt: skip
    analysis = analyse_record({**record, "longest_plan": 12})
    counts = {tuple(sorted(way.calls)) for way in analysis.minimal_plans.ways}
    assert counts == {
        ("tip_in(jar)",) * 2,
        (*("spoon_in(jar)",) * 3, "tip_in(jar)"),
        ("spoon_in(jar)",) * 6,
    }


def test_a_limit_on_nodes_is_admitted() -> None:
    graph = build_graph(analyse_record(build_lock_keeper()), most_nodes=5)
    assert not graph.exhausted


def test_equal_hashes_of_different_states_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    builder = state_graph._GraphBuilder
    monkeypatch.setattr(builder, "_hash", lambda _self, grains: np.zeros(len(grains), dtype=np.uint64))
    with pytest.raises(state_graph.HashCollisionError):
        build_graph(analyse_record(build_lock_keeper()))


@pytest.mark.parametrize(
    ("changes", "obstacle"),
    [
        ({"rates": ["level = -rise"]}, "`level` changes by itself"),
        ({"rates": ["level = rise*level/dry"]}, "a rate reads a changing state"),
    ],
)
def test_an_obstacle_is_named(changes: dict[str, Any], obstacle: str) -> None:
    analysis = analyse_record(build_lock_keeper(**changes))
    assert obstacle in find_matrix_obstacle(analysis.executor, analysis.searcher.moves)


def test_a_longest_plan_in_a_world_that_cannot_be_followed_is_a_finding() -> None:
    record = build_lock_keeper(rates=["level = -rise"], longest_plan=20)
    findings = verify_record(record, load_everyday_library()).findings
    assert "plan.longest" in {each.code for each in findings}


def test_forbidden_calls_and_changed_values_are_kept_to() -> None:
    analysis = analyse_record(build_lock_keeper(longest_plan=20))
    search = analysis.searcher.graph
    assert search is not None
    forbidden = SearchSituation(forbidden=frozenset({"run_pump(pump)"}))
    assert search.find_plan(SearchBounds(), forbidden) is None
    low = search.find_plan(SearchBounds(), SearchSituation({"level": 0.05}))
    assert low is not None
    assert {move.verb for move in low} == {"turn"}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_graph_finds_the_ways_of_the_search(path: Path) -> None:
    analysis = build_analysis_without_search(yaml.safe_load(path.read_text()), load_everyday_library())
    assert analysis is not None
    if find_matrix_obstacle(analysis.executor, analysis.searcher.moves):
        return
    graph = GraphPlanSearch(analysis.executor, analysis.searcher.moves)
    plans = graph.list_smallest_plans(SearchBounds(), SearchSituation())
    found = {analysis.plan_finder.create_minimal_plan(plan).signature for plan in plans}
    expected = {way.signature for way in analysis.minimal_plans.ways}
    assert {frozenset(map(str, each)) for each in found} == {frozenset(map(str, each)) for each in expected}
    assert is_graph_confirmed(graph.build_graph())
