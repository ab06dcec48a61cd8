"""Hostile values: the attack makes them, they differ from the right ones, and none is accepted unless it holds."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from impossible_moments.evaluation.hostile_answers import AttackKind
from impossible_moments.evaluation.hostile_values import generate_value_attacks
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.scorer_attack import run_scorer_attack
from support.fair_answers import draw_key, get_outcome, is_passed, score_plan

KEYS = "the_room_remembers/worn_keys/at_the_door"
MILL = "whose_ruler/notches_at_the_mill/plain"
HUM = "the_loud_suspect/hum_on_air/the_quiet_one"


def count_kinds(name: str) -> Counter[AttackKind]:
    return Counter(each.kind for each in generate_value_attacks(draw_key(name)))


def test_each_kind_of_hostile_value_is_generated() -> None:
    assert count_kinds(KEYS)[AttackKind.MISPLACED] > 20
    assert count_kinds(MILL)[AttackKind.WRONG_VALUES] >= 5
    assert count_kinds(HUM)[AttackKind.TWO_ANSWERS] >= 8


def test_misplaced_values_are_never_the_right_ones() -> None:
    right = "1747"
    for each in generate_value_attacks(draw_key(KEYS)):
        if each.kind is AttackKind.MISPLACED:
            digits = [word for word in json.dumps(json.loads(each.text)["plan"]) if word.isdigit()]
            assert "".join(digits) != right


@pytest.mark.slow
@pytest.mark.parametrize("name", [KEYS, MILL, HUM])
def test_no_hostile_value_is_accepted(name: str) -> None:
    found = run_scorer_attack({name: draw_key(name)})
    assert found.false_accepts == []
    assert found.answers > 100


@pytest.mark.parametrize(
    "said", ["1 7 4 7", "1-7-4-7", "1747", "1, then 7, then 4, then 7", "the keys 1, 7, 4 and 7"]
)
def test_values_of_a_puzzle_are_read_in_their_order(said: str) -> None:
    assert is_passed(score_plan(KEYS, f"Press {said}"))


@pytest.mark.parametrize("said", ["1 4 7 7", "1-4-7-7", "7 4 1 7", "1, 7, 7 and 4"])
def test_the_same_values_in_another_order_are_wrong(said: str) -> None:
    assert get_outcome(score_plan(KEYS, f"Press {said}")) == 0


@pytest.mark.parametrize("said", ["1747 or 1477", "1 7 4 7, and if that fails 1 4 7 7", "1 7 4"])
def test_two_orders_and_half_an_order_are_not_accepted(said: str) -> None:
    assert score_plan(KEYS, f"Press {said}").state is RunState.REVIEW


def test_two_causes_are_left_for_review() -> None:
    clip = "Close the valve of the long organ pipe with the bulldog clip"
    both = "Conclude: the long organ pipe sounds by itself or the new transformer hums"
    assert is_passed(score_plan(HUM, "Conclude: the pipe is speaking by itself", clip))
    assert score_plan(HUM, both, clip).state is RunState.REVIEW
