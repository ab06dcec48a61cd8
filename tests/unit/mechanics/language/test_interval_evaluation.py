"""Intervals hold what execution computes, and a decided truth is the truth at every point."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from impossible_moments.mechanics.language.array_evaluation import evaluate_expression_at_points
from impossible_moments.mechanics.language.expression_parser import parse_expression
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import Box, IntervalEvaluator
from support.execution import does_overflow, execute_expression
from support.expression_strategies import NUMBERS, boxes, conditions, numbers, points


def interval(text: str, **box: tuple[float, float]) -> tuple[float, float]:
    return IntervalEvaluator(box).compute_interval(parse_expression(text))


def truth(text: str, **box: Any) -> bool | None:
    return IntervalEvaluator(box).decide_condition(parse_expression(text))


@settings(max_examples=400)
@given(st.data(), numbers(edges=True), boxes(edges=True))
def test_an_interval_holds_the_executed_value_at_every_point(
    data: st.DataObject, tree: Expression, box: Box
) -> None:
    low, high = IntervalEvaluator(box).compute_interval(tree)
    value = execute_expression(tree, data.draw(points(box)))
    assert value is None or math.isnan(value) or low <= value <= high


@settings(max_examples=400)
@given(st.data(), conditions(edges=True), boxes(edges=True))
def test_a_decided_truth_is_the_executed_truth_at_every_point(
    data: st.DataObject, tree: Expression, box: Box
) -> None:
    decided = IntervalEvaluator(box).decide_condition(tree)
    point = data.draw(points(box))
    found = execute_expression(tree, point)
    assume(not does_overflow(tree, point))
    assert decided is None or found is None or found is decided


@settings(max_examples=300)
@given(st.data(), numbers(), boxes())
def test_arrays_give_the_executed_value(data: st.DataObject, tree: Expression, box: Box) -> None:
    point = data.draw(points(box))
    value = execute_expression(tree, point)
    assume(value is not None and math.isfinite(value))
    arrays = {name: np.full(2, known) for name, known in point.items()}
    found = np.broadcast_to(evaluate_expression_at_points(tree, arrays), 2)
    low, high = IntervalEvaluator(
        {name: (known, known) for name, known in point.items() if name in NUMBERS}
    ).compute_interval(tree)
    # both are computed in floats: where cancellation makes them differ, the interval at the point is as wide
    assert np.allclose(found, value, rtol=1e-9, atol=1e-12) or low <= found[0] <= high


@pytest.mark.parametrize(
    ("text", "bounds", "values"),
    [
        ("x**3", (-10.0, 1.0), (-1000.0, 1.0)),
        ("x**2", (-10.0, 1.0), (0.0, 100.0)),
        ("x*x", (-10.0, 1.0), (0.0, 100.0)),
        ("x**-2", (0.0, 2.0), (0.25, math.inf)),
        ("x**-2", (-2.0, 4.0), (1 / 16, math.inf)),
        ("x**-3", (-2.0, -1.0), (-1.0, -0.125)),
        ("x**-1", (1e-20, 1e20), (1e-20, 1e20)),
        ("x**0.5", (-1.0, 4.0), (0.0, 2.0)),
        ("x**0", (-1.0, 4.0), (1.0, 1.0)),
        ("1/x", (0.0, 2.0), (0.5, math.inf)),
        ("1/x", (-2.0, 0.0), (-math.inf, -0.5)),
        ("(x - 9)/x", (0.0, 2.0), (-math.inf, -3.5)),
        ("1/x", (-1.0, 2.0), (-math.inf, math.inf)),
        ("sqrt(x)", (-1.0, 4.0), (0.0, 2.0)),
        ("sqrt(x*x)", (0.0, 0.0), (0.0, 0.0)),
        ("log(x)", (0.0, 1.0), (-math.inf, 0.0)),
        ("exp(x)", (-1000.0, 1000.0), (0.0, math.inf)),
        ("asin(x)", (-5.0, 1.0), (-math.pi / 2, math.pi / 2)),
        ("acos(x)", (0.0, 1.0), (0.0, math.pi / 2)),
        ("ceil(x)", (1.5, 3.0000000001), (2.0, 3.0)),
        ("floor(x)", (1.9999999999, 3.0), (2.0, 3.0)),
        ("abs(x)", (-3.0, 2.0), (0.0, 3.0)),
        ("min(x, 1) + max(x, 1)", (0.0, 2.0), (1.0, 3.0)),
        ("x if x > 5 else -x", (0.0, 2.0), (-2.0, 0.0)),
    ],
)
def test_intervals_are_as_tight_as_the_values(
    text: str, bounds: tuple[float, float], values: tuple[float, float]
) -> None:
    low, high = interval(text, x=bounds)
    assert low <= values[0]
    assert high >= values[1]
    assert (low, high) == pytest.approx(values, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    "text", ["sqrt(x)", "log(x)", "asin(x)", "1/y", "x**0.5", "1 + sqrt(x)*2", "-sqrt(x)"]
)
def test_a_number_without_values_has_an_empty_interval(text: str) -> None:
    low, high = interval(text, x=(-3.0, -2.0), y=(0.0, 0.0))
    assert low > high


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x <= 3", None),
        ("x <= 9", True),
        ("x < 2.0000000001", False),
        ("x >= 4.0000000001", None),
        ("x > 4", False),
        ("x >= 4.1", False),
        ("not x > 4", True),
        ("x == 5", False),
        ("x != 5", True),
        ("sqrt(-x) > -9", False),
        ("not sqrt(-x) > -9", False),
        ("x > 9 and sqrt(-x) > 0", False),
        ("not (x > 9 and sqrt(-x) > 0)", True),
        ("x < 9 or sqrt(-x) > 0", True),
        ("1/(x - 3) > 0", None),
        ("mode == 'out'", None),
        ("mode == 'up'", False),
        ("open", True),
        ("open == (x > 9)", False),
        ("lit", None),
        ("lit or x < 9", True),
    ],
)
def test_a_truth_over_a_box(text: str, expected: bool | None) -> None:  # noqa: FBT001 - a value of the table
    assert truth(text, x=(2.0, 4.0), open=True, mode=frozenset({"in", "out"})) is expected


def test_an_infinite_end_decides_only_what_it_can() -> None:
    assert truth("1/x > 5", x=(0.0, 0.1)) is True
    assert truth("1/x <= 5", x=(0.0, 0.1)) is False
    assert truth("tan(x) >= 0", x=(0.0, 2.0)) is None
    assert truth("1/x - 1/y <= 0", x=(0.0, 1.0), y=(0.0, 1.0)) is None
