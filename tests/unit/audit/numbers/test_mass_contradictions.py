"""A thing has one mass, wherever it is told."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.numbers.mass_contradictions import find_mass_disagreements

TABLE = "| Object | Mass |\n|---|---|\n| Oak table | 15 kg |\n| Lamp | 800 g |\n\n"


def told(text: str) -> list[int]:
    return [each.line for each in find_mass_disagreements(MarkdownDocument(TABLE + text))]


@pytest.mark.parametrize(
    "text",
    [
        "The oak table weighs 15 kg.",
        "the 15-kg oak table",
        "oak table (mass 15 kg)",
        "Two oak tables weigh 30 kg",
        "the oak table and 25 kg of sand",
        "The lamp weighs 0.8 kg",
        "the lamp weighs about 820 g",
        "A 25 kg load on the oak table",
        "the lamp is 3 m away",
        "2 x 15 kg oak table",
    ],
)
def test_the_same_mass_and_another_quantity_are_not_reported(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The oak table weighs 25 kg.",
        "the 25 kg oak table",
        "oak table (25 kg)",
        "The lamp weighs 8 kg",
        "the 3 kg lamp",
        "the lamp has a mass of 80 g",
    ],
)
def test_another_mass_is_reported_where_it_is_told(text: str) -> None:
    assert told(text) == [6]


def test_of_two_things_of_one_sort_nothing_is_said() -> None:
    table = "| Object | Mass |\n|---|---|\n| Red lamp | 1 kg |\n| Blue lamp | 2 kg |\n\n"

    assert not list(find_mass_disagreements(MarkdownDocument(f"{table}the red lamp weighs 3 kg")))
