"""A document falls into what a solver reads and what is for judges."""

from __future__ import annotations

from impossible_moments.audit.markdown import Document
from impossible_moments.audit.parts import last_of_header, parts_of

TEXT = """# IM-0001: The Solution of the Tide

**Status**: KS

## Scenario

A tale.

### Objects

A rope.

## Common Wrong Answers

Pull.

## Verified Solution

Push.

### Environment of the solution

Wet.
"""


def test_the_scenario_is_what_stands_below_it_up_to_the_solution() -> None:
    parts = parts_of(Document(TEXT))

    assert [line.text for line in parts.scenario if line.text] == ["A tale.", "A rope."]


def test_the_wrong_answers_are_a_teaser() -> None:
    assert [section.title for section in parts_of(Document(TEXT)).teaser] == ["Common Wrong Answers"]


def test_the_rest_is_for_judges() -> None:
    assert [section.title for section in parts_of(Document(TEXT)).judges] == [
        "Verified Solution",
        "Environment of the solution",
    ]


def test_the_header_ends_above_the_first_section() -> None:
    assert last_of_header(Document(TEXT)) == 4


def test_a_text_without_headings_has_a_short_header() -> None:
    assert last_of_header(Document("plain\n" * 40)) == 12
