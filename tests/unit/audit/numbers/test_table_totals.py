"""A total row is the sum of what stands above it."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.numbers.table_totals import find_wrong_totals

HEAD = "| Part | Mass |\n|---|---|\n"


def totals(rows: str) -> list[tuple[int, str]]:
    return [(total.line, total.expected) for total in find_wrong_totals(MarkdownDocument(HEAD + rows))]


@pytest.mark.parametrize(
    "rows",
    [
        "| a | 4 kg |\n| b | 6 kg |\n| Total | 10 kg |",
        "| a | 4 kg |\n| b | 600 g |\n| **Total** | 4.6 kg |",
        "| a | 1.04 |\n| b | 1.04 |\n| Sum | 2.1 |",
        "| a | 4-5 kg |\n| b | 6 kg |\n| Total | 10-11 kg |",
        "| a | 4 kg |\n| b | 6 kg |\n| Subtotal | 10 kg |\n| c | 5 kg |\n| Total | 15 kg |",
        "| a | 4 kg |\n| b | 6 kg |\n| Subtotal | 10 kg |\n| c | 5 kg |\n| d | 2 kg |\n| Subtotal | 7 kg |\n| Grand total | 17 kg |",
        "| a | 4 kg |\n| b | a few |\n| Total | 40 kg |",
        "| a | 4 kg each |\n| b | 3 kg |\n| Total | 40 kg |",
        "| a | 4 kg |\n| b | 3 m |\n| Total | 40 kg |",
        "| a | 4 kg |\n| Total | 5 kg |",
        "| a | 4 kg |\n| b | 6 kg |\n| Totality | an eclipse |",
        "| a | 4 kg |\n| b |\n| Total | 40 kg |",
    ],
)
def test_a_total_that_is_right_or_cannot_be_judged_is_not_reported(rows: str) -> None:
    assert totals(rows) == []


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("| a | 4 kg |\n| b | 6 kg |\n| Total | 15 kg |", (5, "10 kg")),
        ("| a | 4 kg |\n| b | 600 g |\n| **Total** | 604 kg |", (5, "4.6 kg")),
        ("| a | 4 |\n| b | 6 |\n| Total: | 12 |", (5, "10")),
        ("| a | 4-5 kg |\n| b | 6 kg |\n| Total | 20-30 kg |", (5, "10 kg")),
        ("| a | 4 kg |\n| b | 6 kg |\n| Subtotal | 10 kg |\n| c | 5 kg |\n| Total | 29 kg |", (7, "15 kg")),
    ],
)
def test_a_wrong_total_is_reported_with_the_sum(rows: str, expected: tuple[int, str]) -> None:
    assert totals(rows) == [expected]
