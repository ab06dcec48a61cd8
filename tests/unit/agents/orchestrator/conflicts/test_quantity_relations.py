"""Quantities and relations that a text states."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.conflicts.quantity_relations import (
    list_stated_quantities,
    list_stated_relations,
    shows_computation,
)
from impossible_moments.mechanics.language import FORCE, MASS, PLAIN, SPEED, TIME

# fmt: off
SHOWN = (
    "58.9 N < 200 N",
    "F = 30 N < 40 N",
    "m*g = 4 kg * 9.81 m/s^2 = 39.2 N < 200 N",
    "12 s + 3 s + 8.5 s = 23.5 s",
    "5 kg / 0.0001 m³ = 50000 kg/m³",
    "the required 900 N > the available 300 N",
    "the budget of 22.3 seconds exceeds the deadline of 20 seconds",
    "2 + 2 = 4",
    "1.2 kN is more than 300 N",
)
NOT_SHOWN = (
    "I am 90 % sure",
    "F = 2 N",
    "The timing seems tight.",
    "200 N < 58.9 N",
    "2 + 2 = 5",
    "12 s + 3 s = 20 s",
    "5 kg > 3 s",
    "It takes 12 s. The deadline is > 10 s away.",
    "3 of 5 approaches fail",
    "",
)
# fmt: on


@pytest.mark.parametrize("text", SHOWN)
def test_a_true_relation_of_two_quantities_is_a_computation(text: str) -> None:
    assert shows_computation(text)


@pytest.mark.parametrize("text", NOT_SHOWN)
def test_anything_else_is_not(text: str) -> None:
    assert not shows_computation(text)


def test_quantities_have_the_dimensions_of_their_units() -> None:
    found = list_stated_quantities("The 15kg table at 3.5 m/s takes 0.5s; it needs 58.9 N and 2 people.")
    assert [each.dimension for each in found] == [MASS, SPEED, TIME, FORCE, PLAIN]


def test_a_false_relation_is_found_and_does_not_hold() -> None:
    assert [each.holds for each in list_stated_relations("10 s > 20 s")] == [False]
