"""Answers are plain data of bounded length, and say what they left out."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.agents.tools.tool_results import MOST_CHARACTERS, limit_result_length
from impossible_moments.mechanics.language.dimensions import Dimension

NOTE = 600
LEAVES = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=200)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=8), inner, max_size=8),
)


@given(st.dictionaries(st.text(max_size=8), TREES, max_size=8), st.integers(1, 12))
def test_an_answer_is_json_of_bounded_length(data: dict[str, Any], times: int) -> None:
    found = limit_result_length(
        {f"{key}{number}": value for number in range(times) for key, value in data.items()}
    )
    text = json.dumps(found, ensure_ascii=False, allow_nan=False)
    assert len(text) <= MOST_CHARACTERS + NOTE
    text.encode("utf-8")


def test_a_short_answer_is_left_whole() -> None:
    assert limit_result_length({"a": [1, 2.5, "x"], "b": {"c": None}}) == {
        "a": [1, 2.5, "x"],
        "b": {"c": None},
    }


def test_a_long_list_loses_its_last_entries_and_says_so() -> None:
    found: Any = limit_result_length({"status": "KS", "ways": [{"calls": ["x" * 50]} for _ in range(200)]})
    assert found["status"] == "KS"
    assert 20 < len(found["ways"]) < 80
    assert all(way == {"calls": ["x" * 50]} for way in found["ways"])
    assert f"`ways` ({200 - len(found['ways'])})" in found["left_out"]


def test_a_long_text_deep_inside_is_shortened_and_the_rest_stays() -> None:
    found: Any = limit_result_length({"a": {"b": [{"c": "y" * 50_000, "d": 1}]}, "e": [1, 2, 3]})
    assert found["e"] == [1, 2, 3]
    assert found["a"]["b"][0]["d"] == 1
    assert found["a"]["b"][0]["c"].endswith("...")
    assert "`a.b.0.c`" in found["left_out"]


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_none_becomes_words(number: float) -> None:
    assert limit_result_length({"a": number}) == {"a": "not finite"}


def test_numbers_have_six_digits_and_other_things_are_written_out() -> None:
    found = limit_result_length({"a": 1 / 3, "b": -0.0, "c": (1,), "d": Dimension(), "e": "\ud800"})
    assert found == {"a": 0.333333, "b": 0.0, "c": [1], "d": "plain number", "e": "?"}
    assert math.copysign(1, float(str(found["b"]))) == 1
