"""Values of expressions as plans are executed."""

from __future__ import annotations

import math

import pytest

from impossible_moments.mechanics.language.scalar_evaluation import Value, is_same_value


@pytest.mark.parametrize(
    "pair", [(1.0, 1.0 + 1e-10), (math.inf, math.inf), ("red", "red"), (True, True)], ids=str
)
def test_values_within_the_tolerance_are_the_same(pair: tuple[Value, Value]) -> None:
    left, right = pair

    assert is_same_value(left, right)
    assert is_same_value(right, left)


@pytest.mark.parametrize(
    "pair",
    [(1.0, 1.0 + 1e-8), (0.0, math.inf), (-math.inf, math.inf), (1e308, math.inf), (True, False)],
    ids=str,
)
def test_other_values_differ_even_beside_an_overflow(pair: tuple[Value, Value]) -> None:
    left, right = pair

    assert not is_same_value(left, right)
    assert not is_same_value(right, left)
