"""The exact optimum of uncertain worlds and the values of the simpler policies."""

from __future__ import annotations

from fractions import Fraction

import pytest

from impossible_moments.blueprints import create_random_stream
from impossible_moments.mechanics.uncertain import (
    BeliefSolver,
    NotExhausted,
    PolicyName,
    PolicySet,
    build_decision_tree,
    convert_tree_to_data,
    evaluate_policy,
    measure_world,
)
from support.uncertain_records import (
    build_small_world,
    find_best_value_by_enumeration,
    load_golden_world,
    simulate_tree,
)

# fmt: off
VALUES = {  # optimal, lookahead, greedy, ignore, random
    "generator_in_the_hut": (0.8032, 0.6516, 0.4800, 0.6240, 0.1828),
    "four_coves":           (0.7248, 0.4940, 0.4940, 0.4940, 0.3017),
}
# fmt: on


@pytest.mark.parametrize("name", VALUES)
def test_the_policies_have_the_known_values(name: str) -> None:
    found = PolicySet(load_golden_world(name)).compute_values()

    assert [round(value, 4) for value in found.values()] == list(VALUES[name])
    assert list(found) == list(PolicyName)


def test_the_optimum_is_an_exact_rational() -> None:
    world = load_golden_world("generator_in_the_hut")
    policies = PolicySet(world)

    assert evaluate_policy(world, policies.get_policy(PolicyName.OPTIMAL)) == Fraction(20081, 25000)
    assert policies.solver.solve() == pytest.approx(20081 / 25000, abs=1e-12)


def test_a_small_world_has_the_value_computed_by_hand() -> None:
    world = build_small_world()
    measures = measure_world(world)

    assert measures.optimum == Fraction(86, 100)
    assert (measures.first_act, measures.longest) == ("LIGHT", 3)
    # a lamp by itself helps nothing, so one-step lookahead opens the more probable door
    assert measures.values[PolicyName.LOOKAHEAD] == measures.values[PolicyName.GREEDY] == 0.6


def test_an_enumeration_of_all_histories_gives_the_same_optimum() -> None:
    for world in (build_small_world(), load_golden_world("four_coves")):
        assert find_best_value_by_enumeration(world.record) == pytest.approx(
            BeliefSolver(world).solve(), abs=1e-9
        )


@pytest.mark.parametrize("name", VALUES)
def test_an_independent_simulation_agrees_with_the_exact_value(name: str) -> None:
    world, games = load_golden_world(name), 4000
    policies = PolicySet(world)
    tree = convert_tree_to_data(build_decision_tree(world, policies.get_policy(PolicyName.OPTIMAL)))
    stream = create_random_stream("simulation", name)
    won = sum(simulate_tree(world.record, tree, stream) for _ in range(games))

    expected = VALUES[name][0]
    assert won / games == pytest.approx(expected, abs=4 * (expected * (1 - expected) / games) ** 0.5)


def test_a_world_beyond_the_bound_is_not_exhausted() -> None:
    with pytest.raises(NotExhausted, match="more than 100 belief nodes"):
        BeliefSolver(load_golden_world("four_coves"), most_nodes=100).solve()


def test_a_tie_is_broken_by_the_quicker_way() -> None:
    world = load_golden_world("generator_in_the_hut")
    solver = BeliefSolver(world)
    solver.solve()

    # with the condition known, nothing is tested that is not needed
    act = solver.evaluate_node(type(world.start)(world.start.visible, (0, 1, 0, 0, 0, 0))).act
    assert act == "FIX-I"


def test_worlds_that_are_too_easy_or_too_certain_are_refused() -> None:
    assert measure_world(load_golden_world("four_coves")).find_objections() == ()
    data = build_small_world().record.model_dump(mode="json")
    data["acts"]["LOOK"]["needs"] = {}
    data["acts"]["LOOK"]["cases"][0]["results"][0]["chance"] = 1.0
    data["acts"]["LOOK"]["cases"][1]["results"][0]["chance"] = 0.0
    easy = measure_world(type(build_small_world())(type(build_small_world().record).model_validate(data)))

    assert [reason.partition(" is ")[0] for reason in easy.find_objections()] == [
        "the optimum",
        "the optimum",
    ]
