"""Decision trees: written by a player, read without trust, and evaluated exactly."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.mechanics.uncertain import (
    DecisionTreeError,
    PolicyName,
    PolicySet,
    build_decision_tree,
    convert_tree_to_data,
    evaluate_decision_tree,
    evaluate_policy,
    parse_decision_tree,
    render_policy,
)
from support.uncertain_records import build_small_world, load_golden_world

BEST = {"do": "LIGHT", "then": {"do": "look", "then": {"Gold": "LEFT", "otherwise": {"do": "RIGHT"}}}}


def evaluate(data: object) -> float:
    world = build_small_world()
    return float(evaluate_decision_tree(world, parse_decision_tree(data, world)))


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (BEST, 0.86),
        ("LEFT", 0.6),
        ({"do": "RIGHT", "then": {}}, 0.4),
        ("STOP", 0.0),
        (None, 0.0),
        ({"do": "LOOK", "then": {"gold": "LEFT", "nothing": "RIGHT"}}, 0.0),  # the lamp is dark
        (
            {"do": "LIGHT", "then": {"do": "LOOK", "then": {"gold": "LEFT"}}},
            0.54,
        ),  # nothing is said about the rest
        ({"do": "LIGHT", "then": {"do": "LIGHT", "then": "LEFT"}}, 0.0),  # only once
    ],
)
def test_a_tree_has_its_exact_value(data: object, value: float) -> None:
    assert evaluate(data) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"do": "FLY"}, "`FLY` is not an act"),
        (7, "no object with `do`"),
        ({"do": "LIGHT", "then": [1]}, "`then` is not an object"),
        ({"then": {}}, "`` is not an act"),
    ],
)
def test_a_malformed_tree_is_refused(data: object, words: str) -> None:
    with pytest.raises(DecisionTreeError, match=words):
        evaluate(data)


def test_a_tree_that_is_too_deep_or_too_large_is_refused() -> None:
    deep: Any = "LEFT"
    for _ in range(500):
        deep = {"do": "LIGHT", "then": {"otherwise": deep}}
    wide = {"do": "LIGHT", "then": {str(number): "LEFT" for number in range(6000)}}

    for data in (deep, wide):
        with pytest.raises(DecisionTreeError, match="more than"):
            evaluate(data)


@pytest.mark.parametrize("name", ["generator_in_the_hut", "four_coves"])
@pytest.mark.parametrize("policy_name", [each for each in PolicyName if each is not PolicyName.RANDOM])
def test_a_policy_written_as_a_tree_keeps_its_value(name: str, policy_name: PolicyName) -> None:
    world = load_golden_world(name)
    policy = PolicySet(world).get_policy(policy_name)
    data = convert_tree_to_data(build_decision_tree(world, policy))

    assert evaluate_decision_tree(world, parse_decision_tree(data, world)) == evaluate_policy(world, policy)


def test_a_policy_is_shown_as_a_list() -> None:
    world = build_small_world()
    shown = render_policy(world, PolicySet(world).get_policy(PolicyName.OPTIMAL))

    assert shown.splitlines() == [
        "- LIGHT",
        "- then LOOK",
        '  - after "gold": LEFT',
        '  - after "nothing": RIGHT',
    ]
