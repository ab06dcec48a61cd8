"""Energies against the fuel they are told as."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.numbers.fuel_energies import find_wrong_fuel_energies


def found(line: str) -> int:
    return sum(1 for _ in find_wrong_fuel_energies(MarkdownDocument(line)))


@pytest.mark.parametrize(
    "line",
    [
        "The kiln needs 9 GJ, or about 40 kg of dry wood.",
        "The flash holds 80 MJ (equivalent to 900 kg of TNT).",
        "It stores 50 kWh -- roughly 20 kg of lithium-ion batteries.",
    ],
)
def test_a_fuel_that_holds_another_energy_is_reported(line: str) -> None:
    assert found(line) == 1


@pytest.mark.parametrize(
    "line",
    [
        "The kiln needs 9 GJ, or about 600 kg of dry wood.",
        "The flash holds 80 MJ (equivalent to 19 kg of TNT).",
        "It stores 50 kWh -- roughly 300 kg of lithium-ion batteries.",
        "Wood holds 16 MJ/kg, and there are 40 kg of wood.",
        "The lamp used 3 MJ last week. There are 40 kg of wood in the shed.",
    ],
)
def test_a_fuel_that_may_hold_it_is_not_reported(line: str) -> None:
    assert found(line) == 0
