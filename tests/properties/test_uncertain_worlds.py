"""Properties of uncertain worlds that are made at random: no policy beats the optimum, and a second solver agrees."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.blueprints import create_random_stream
from impossible_moments.mechanics.uncertain import (
    PolicyName,
    PolicySet,
    UncertainWorld,
    WorldEpisode,
    evaluate_policy,
    parse_uncertain_record,
    play_policy,
    select_by_chance,
)
from support.uncertain_records import build_small_data, find_best_value_by_enumeration

CHANCES = st.integers(0, 10).map(lambda tenth: tenth / 10)


@st.composite
def worlds(draw: st.DrawFn) -> UncertainWorld:
    """A world with three hidden states, two tests, a preparation and three ways to try."""
    first = draw(st.integers(1, 6))
    second = draw(st.integers(1, 9 - first))
    names = ("a", "b", "c")
    values = dict(zip(names, (first / 10, second / 10, "rest"), strict=True))
    acts: dict[str, Any] = {
        "READY": {
            "label": "Get ready",
            "takes": draw(st.integers(1, 3)),
            "at_most": 1,
            "sets": {"ready": True},
            "cases": [{"results": [{"see": "ready"}]}],
        }
    }
    for test in ("ONE", "TWO"):
        acts[test] = {
            "label": "Test",
            "kind": "test",
            "takes": draw(st.integers(1, 3)),
            "uses": draw(st.sampled_from([{}, {"coins": 1}])),
            "at_most": 1,
            "needs": draw(st.sampled_from([{}, {"ready": True}])),
            "cases": [
                {"when": {"state": name}, "results": [{"see": "yes", "chance": draw(CHANCES)}, {"see": "no"}]}
                for name in names
            ],
        }
    for name in names:
        ends = draw(st.sampled_from([None, "failure"]))
        acts[f"TRY-{name.upper()}"] = {
            "label": "Try",
            "takes": draw(st.integers(2, 5)),
            "at_most": 1,
            "cases": [
                {
                    "when": {"state": name},
                    "results": [
                        {"see": "done", "chance": draw(CHANCES), "ends": "success"},
                        {"see": "not done", "ends": ends},
                    ],
                },
                {"results": [{"see": "not done", "ends": ends, "delay": draw(st.integers(0, 2))}]},
            ],
        }
    data = build_small_data(
        clock={"amount": draw(st.integers(4, 11))},
        hidden={
            "state": {
                "label": "state",
                "values": {name: {"label": name, "chance": chance} for name, chance in values.items()},
            }
        },
        marks={"ready": {"yes": "you are ready", "no": "you are not ready"}},
        acts=acts,
    )
    return UncertainWorld(parse_uncertain_record(data))


@given(worlds())
def test_no_policy_beats_the_optimum(world: UncertainWorld) -> None:
    values = PolicySet(world).compute_values()

    assert 0 <= values[PolicyName.OPTIMAL] <= 1
    assert all(value <= values[PolicyName.OPTIMAL] + 1e-9 for value in values.values())
    # tests can be left out, so never using them is no better than choosing freely one step ahead
    assert values[PolicyName.IGNORE] <= values[PolicyName.LOOKAHEAD] + 1e-9


@given(worlds())
def test_a_second_solver_finds_the_same_optimum(world: UncertainWorld) -> None:
    policies = PolicySet(world)
    exact = evaluate_policy(world, policies.get_policy(PolicyName.OPTIMAL))

    assert abs(find_best_value_by_enumeration(world.record) - float(exact)) < 1e-9
    assert abs(policies.solver.solve() - float(exact)) < 1e-9


@given(worlds(), st.integers(0, 2**32))
def test_an_episode_depends_on_its_numbers_alone_and_its_belief_is_right(
    world: UncertainWorld, seed: int
) -> None:
    policies = PolicySet(world)

    def draw_number(code: str, use: int) -> float:
        return create_random_stream(seed, code, use).random()

    hidden = select_by_chance(world.prior, create_random_stream(seed).random())
    first, second = (
        play_policy(WorldEpisode(world, hidden, draw_number), policies.get_policy(PolicyName.OPTIMAL))
        for _ in range(2)
    )
    assert first.history == second.history
    # what really holds is never excluded
    assert first.node.weights[hidden] > 0
    assert sum(world.prior) == Fraction(1)
