"""Sizes that are added up from parts are those of the text."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.llm.data_sizes import DataSizes
from impossible_moments.llm.token_estimates import estimate_data_tokens

DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=40,
)


@given(DATA)
def test_sizes_are_those_of_the_written_text(data: object) -> None:
    sizes = DataSizes()

    assert sizes.count_characters(data) == len(json.dumps(data, ensure_ascii=False))
    assert sizes.estimate_tokens(data) == estimate_data_tokens(data)


@given(st.lists(DATA, min_size=1))
def test_parts_that_were_measured_before_count_the_same(parts: list[Any]) -> None:
    sizes = DataSizes()
    for end in range(len(parts) + 1):
        form = {"whole": parts[:end], "rest": {"é": parts[end:]}}
        assert sizes.estimate_tokens(form) == estimate_data_tokens(form)


def test_data_deeper_than_the_parts_are_measured_as_a_whole() -> None:
    data: object = "end"
    for _ in range(30):
        data = {"more": [data, 1.5]}

    assert DataSizes().count_characters(data) == len(json.dumps(data))
