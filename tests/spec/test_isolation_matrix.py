"""Specification 3.1: the isolation matrix, cell by cell."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.context.isolation_matrix import ISOLATION_MATRIX
from impossible_moments.domain.content_labels import ContentLabel
from impossible_moments.domain.vocabulary import Phase
from spec.readers import COLUMNS, readers
from spec.transcribed import table

SPECIFIED = table("isolation_matrix")
CELLS = [
    pytest.param(row["Content"], phase, row[column], id=f"{row['Content']}, {phase}")
    for row in [*SPECIFIED, *table("further_contents")]
    for phase, column in COLUMNS.items()
]


@pytest.mark.parametrize(("content", "phase", "cell"), CELLS)
def test_a_cell_says_what_the_specification_says(content: str, phase: Phase, cell: str) -> None:
    assert ISOLATION_MATRIX[ContentLabel(content)][phase] == readers(cell)


def test_the_specification_has_sixty_cells() -> None:
    assert len(SPECIFIED) * len(COLUMNS) == 60


def test_every_content_has_a_row_in_one_of_the_tables() -> None:
    assert {row["Content"] for row in [*SPECIFIED, *table("further_contents")]} == set(ContentLabel)
