"""Sheets by their area and liquids by their volume."""

from __future__ import annotations

import pytest

from impossible_moments.audit.densities.sheets_and_liquids import find_sheet_and_liquid_misfits
from impossible_moments.audit.documents.markdown import MarkdownDocument


def found(row: str) -> int:
    table = f"| Object | Mass | Dimensions | Material |\n|---|---|---|---|\n{row}\n"
    return sum(1 for _ in find_sheet_and_liquid_misfits(MarkdownDocument(table)))


@pytest.mark.parametrize(
    "row",
    [
        "| Woollen blanket | 0.1 kg | 2 m x 1.5 m | Wool |",
        "| Carpet | 2 kg | 4 m x 3 m | Wool pile |",
        "| Bath towel | 6 kg | 140 cm x 70 cm | Cotton |",
        "| Bottle of water | 0.4 kg | 2 L | Water |",
        "| Can of motor oil | 20 kg | 4 L | Motor oil |",
    ],
)
def test_a_mass_that_cannot_be_is_reported(row: str) -> None:
    assert found(row) == 1


@pytest.mark.parametrize(
    "row",
    [
        "| Woollen blanket | 1.5 kg | 2 m x 1.5 m | Wool |",
        "| Carpet | 25 kg | 4 m x 3 m | Wool pile |",
        "| Emergency blanket | 0.06 kg | 2.1 m x 1.4 m | Mylar |",
        "| Wet towel | 6 kg | 140 cm x 70 cm | Cotton |",
        "| Bottle of water | 2.1 kg | 2 L | Water |",
        "| Water bottle (empty) | 0.1 kg | 2 L | Steel |",
        "| Water pump | 12 kg | 2 L | Cast iron |",
    ],
)
def test_a_mass_that_may_be_is_not_reported(row: str) -> None:
    assert found(row) == 0
