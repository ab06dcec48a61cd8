"""Intervals hold what execution computes, and a decided truth is the truth at every point."""

import math
from typing import Any

import numpy as np
import pytest
from execution import executed, overflows
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from trees import NUMBERS, boxes, conditions, numbers, points

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.intervals import Box, Reading
from impossible_moments.mechanics.parsing import parse
from impossible_moments.mechanics.scalars import UNDEFINED, compiled
from impossible_moments.mechanics.vectors import evaluated


def interval(text: str, **box: tuple[float, float]) -> tuple[float, float]:
    return Reading(box).number(parse(text))


def truth(text: str, **box: Any) -> bool | None:  # noqa: ANN401 - any value a box may hold
    return Reading(box).truth(parse(text))


@settings(max_examples=400)
@given(st.data(), numbers(edges=True), boxes(edges=True))
def test_an_interval_holds_the_executed_value_at_every_point(data: st.DataObject, tree: Expression, box: Box) -> None:
    low, high = Reading(box).number(tree)
    value = executed(tree, data.draw(points(box)))
    assert value is None or math.isnan(value) or low <= value <= high


@settings(max_examples=400)
@given(st.data(), conditions(edges=True), boxes(edges=True))
def test_a_decided_truth_is_the_executed_truth_at_every_point(
    data: st.DataObject, tree: Expression, box: Box
) -> None:
    decided = Reading(box).truth(tree)
    point = data.draw(points(box))
    found = executed(tree, point)
    assume(not overflows(tree, point))
    assert decided is None or found is None or found is decided


@settings(max_examples=300)
@given(st.data(), numbers(), boxes())
def test_arrays_give_the_executed_value(data: st.DataObject, tree: Expression, box: Box) -> None:
    point = data.draw(points(box))
    value = executed(tree, point)
    assume(value is not None and math.isfinite(value))
    arrays = {name: np.full(2, known) for name, known in point.items()}
    found = np.broadcast_to(evaluated(tree, arrays), 2)
    low, high = Reading({name: (known, known) for name, known in point.items() if name in NUMBERS}).number(tree)
    # both are computed in floats: where cancellation makes them differ, the interval at the point is as wide
    assert np.allclose(found, value, rtol=1e-9, atol=1e-12) or low <= found[0] <= high
