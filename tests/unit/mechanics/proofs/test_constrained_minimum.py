"""The least value lies between the bounds, and the best point attains the upper one."""

import math

import pytest

from impossible_moments.mechanics.language.expression_parser import parse_expression
from impossible_moments.mechanics.language.interval_evaluation import Box
from impossible_moments.mechanics.proofs import ProofBudget, compute_minimum_bounds


@pytest.mark.parametrize(
    ("objective", "texts", "box", "value"),
    [
        ("x", ("x*y >= 20",), {"x": (0, 20), "y": (0, 3)}, 20 / 3),
        ("x + y", ("x*y >= 9",), {"x": (0, 20), "y": (0, 20)}, 6.0),
        ("x**2 - 3*x", (), {"x": (-5, 5)}, -2.25),
        ("m*c", ("m*c*t >= 5", "t <= 2"), {"m": (0, 10), "c": (0, 10), "t": (0, 4)}, 2.5),
        ("v", ("100/v <= 5 + p", "p <= 3"), {"v": (0, 100), "p": (0, 10)}, 12.5),
        ("x", ("x >= 3 or open",), {"x": (1, 9), "open": False}, 3.0),
        ("x", ("x >= 3 or open",), {"x": (1, 9)}, 1.0),
        ("exp(x)", ("log(x) >= 0.5",), {"x": (0, 9)}, math.exp(math.exp(0.5))),
    ],
)
def test_the_bounds_enclose_the_least_value(
    objective: str, texts: tuple[str, ...], box: Box, value: float
) -> None:
    found = compute_minimum_bounds(
        parse_expression(objective), {text: parse_expression(text) for text in texts}, box
    )
    assert found is not None
    assert found.lower <= value * (1 + 1e-8) + 1e-12
    # the tolerance lets a point satisfy a condition that it misses by a hair
    assert found.upper >= value - 1e-7 * abs(value)
    assert found.upper - found.lower <= 0.15 * abs(value)
    assert found.point is not None


def test_conditions_that_conflict_have_no_least_value() -> None:
    assert (
        compute_minimum_bounds(parse_expression("x"), {"far": parse_expression("x > 30")}, {"x": (0, 20)})
        is None
    )


def test_a_small_budget_gives_wide_bounds() -> None:
    box: Box = {"x": (0, 20), "y": (0, 20)}
    wide = compute_minimum_bounds(
        parse_expression("x + y"), {"area": parse_expression("x*y >= 9")}, box, ProofBudget(boxes=20)
    )
    narrow = compute_minimum_bounds(
        parse_expression("x + y"), {"area": parse_expression("x*y >= 9")}, box, ProofBudget(boxes=2000)
    )
    assert wide is not None
    assert narrow is not None
    assert wide.lower <= narrow.lower <= 6 <= narrow.upper <= wide.upper


def test_an_objective_without_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match="no bounds for `y`"):
        compute_minimum_bounds(parse_expression("x + y"), {}, {"x": (0, 20)})
