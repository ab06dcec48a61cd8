"""Temperatures are varied by their distance from ambient, and differences by 20 % of themselves."""

from __future__ import annotations

import pytest

from impossible_moments.mechanics.checks import scale_quantity
from impossible_moments.mechanics.checks.temperature_kinds import is_temperature
from impossible_moments.mechanics.world import World
from support.small_worlds import analyse_record, build_action, build_record, build_thing

QUANTITIES = (
    "work = 1[min]",
    "low = 32[degC]",
    "doubt = 0.2[K]",
    "feel = 4[K]",
    "boils = 77[K]",
    "oven = 450[K]",
    "band = low + doubt",
    "weight = 3[kg]",
)


def _build_world() -> World:
    data = build_record(
        quantities=list(QUANTITIES),
        things=[build_thing("pail", "warm = false", "melting = 34[degC]", "spread = 0.5[K]")],
        actions=[
            build_action(
                "steep(p: pail)",
                "p.warm = true",
                when=("in = p.melting - p.spread >= low", "cold = boils < low", "felt = 2*feel > oven - low"),
            )
        ],
        goal="pail.warm",
    )
    return analyse_record(data).world


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("low", True),
        ("pail.melting", True),
        ("oven", True),
        ("boils", True),  # compared with a temperature
        ("doubt", False),
        ("feel", False),
        ("pail.spread", False),
        ("weight", False),
    ],
)
def test_a_quantity_in_kelvin_is_a_difference_unless_its_use_shows_otherwise(
    name: str, *, expected: bool
) -> None:
    assert is_temperature(_build_world(), name) is expected


def test_a_difference_is_varied_by_a_share_of_itself() -> None:
    world = _build_world()
    assert scale_quantity(world, "doubt", 1.2) == pytest.approx(0.24)
    assert scale_quantity(world, "low", 1.2) == pytest.approx(293.15 + 12 * 1.2)
