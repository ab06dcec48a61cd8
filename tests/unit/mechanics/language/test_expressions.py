"""Changes of expression trees."""

from __future__ import annotations

import pytest

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language import parse_expression


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("reach + (pole if true else 0[m]) >= sill", "reach + pole >= sill"),
        ("reach + (pole if false else 0[m]) >= sill", "reach >= sill"),
        ("width - (swell if false else 0) <= gap", "width <= gap"),
        ("reach + (pole if raised else 0[m]) >= sill", "reach + (pole if raised else 0[m]) >= sill"),
        ("0[m] + (a if true else b) == c", "0[m] + a == c"),
    ],
)
def test_decided_conditionals_are_replaced_by_the_branch_that_is_taken(text: str, taken: str) -> None:
    assert ex.format_expression(ex.take_known_branches(parse_expression(text))) == taken
