"""Mass, dimensions and material go together, or the row is reported."""

from __future__ import annotations

import pytest

from impossible_moments.audit.densities.object_density import find_density_misfits
from impossible_moments.audit.documents.markdown import MarkdownDocument

HEAD = "| Object | Mass | Dimensions | Material |\n|---|---|---|---|\n"
POSSIBLE = (
    "| Steel bar | 3.1 kg | 50 cm x 4 cm x 2 cm | steel |",
    "| Steel bar | 3.1 kg | 50x4x2 cm | steel |",
    "| Steel tube | 0.3 kg | 50 cm x 4 cm x 2 cm | hollow steel |",
    "| Steel box | 0.3 kg | 50 x 40 x 20 cm | steel |",
    "| Oak plank | 14 kg | 2 m x 20 cm x 5 cm | oak |",
    "| Glass marble | 10 g | 2 cm diameter | glass |",
    "| Nylon rope | 1 kg | 20 m x 10 mm | nylon |",
    "| Coins (x10) | 60 g total | 2 cm diameter, 2 mm thick | copper |",
    "| Ice cube | 920 g | 10 cm | ice |",
    "| Rod | 8 kg | 1 m long, radius 18 mm | steel |",
    "| Rod | 8 kg | 1 m long, 36 mm diameter | steel |",
    "| Blob | 500 kg | 10 cm x 10 cm x 10 cm | unobtainium |",
    "| Water bottle | 1 kg (full) | 1 cm x 1 cm x 1 cm | plastic |",
    "| Hammer | 1 kg | handle 30 cm, head 5 cm | steel |",
    "| Foam block | 30 g | 10 cm x 10 cm x 10 cm | polystyrene foam |",
    "| Leather belt | 0.2 kg | 110 cm x 3 cm x 4 mm | leather |",
    "| Glass door | 40 kg | 2 m x 1 m x 10 cm thick | glass |",
    "| Steel bar | 0 kg | 0 cm x 4 cm x 2 cm | solid steel |",
)
IMPOSSIBLE = (
    "| Steel bar | 31 kg | 50 cm x 4 cm x 2 cm | steel |",
    "| Steel bar | 31 kg | 50x4x2 cm | steel |",
    "| Steel bar | 4.4 kg | 50x4x2 cm | steel |",
    "| Steel bar | 0.3 kg | 50 cm x 4 cm x 2 cm | solid steel |",
    "| Oak plank | 140 kg | 2 m x 20 cm x 5 cm | oak |",
    "| Oak plank | 1.4 kg | 2 m x 20 cm x 5 cm | oak |",
    "| Glass marble | 100 g | 2 cm diameter | glass |",
    "| Glass marble | 1 g | 2 cm diameter | glass |",
    "| Nylon rope | 10 kg | 20 m x 10 mm | nylon |",
    "| Nylon rope | 50 g | 20 m x 10 mm | nylon |",
    "| Coins (x10) | 600 g total | 2 cm diameter, 2 mm thick | copper |",
    "| Ice cube | 9.2 kg | 10 cm | ice |",
    "| Rod | 80 kg | 1 m long, radius 18 mm | steel |",
    "| Blob | 50 kg | 10 cm x 10 cm x 10 cm | gel, density 1000 kg/m3 |",
)


@pytest.mark.parametrize("row", POSSIBLE)
def test_a_thing_that_can_be_is_not_reported(row: str) -> None:
    assert list(find_density_misfits(MarkdownDocument(HEAD + row))) == []


@pytest.mark.parametrize("row", IMPOSSIBLE)
def test_a_thing_that_cannot_be_is_reported_at_its_row(row: str) -> None:
    assert [misfit.line for misfit in find_density_misfits(MarkdownDocument(HEAD + row))] == [3]


def test_a_table_without_masses_says_nothing() -> None:
    assert not list(
        find_density_misfits(
            MarkdownDocument("| Object | Dimensions |\n|---|---|\n| Bar | 1 m x 1 m x 1 m |")
        )
    )


def test_the_finding_names_the_mass_that_would_fit() -> None:
    (misfit,) = find_density_misfits(MarkdownDocument(HEAD + IMPOSSIBLE[0]))

    assert misfit.expected == "at most 3.2 kg"
