"""A document falls into what a solver reads and what is for judges."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.documents.parts import find_last_header_line, split_document_parts

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
    parts = split_document_parts(MarkdownDocument(TEXT))

    assert [line.text for line in parts.scenario if line.text] == ["A tale.", "A rope."]


def test_the_wrong_answers_are_a_teaser() -> None:
    assert [section.title for section in split_document_parts(MarkdownDocument(TEXT)).teaser] == [
        "Common Wrong Answers"
    ]


def test_the_rest_is_for_judges() -> None:
    assert [section.title for section in split_document_parts(MarkdownDocument(TEXT)).judges] == [
        "Verified Solution",
        "Environment of the solution",
    ]


def test_the_header_ends_above_the_first_section() -> None:
    assert find_last_header_line(MarkdownDocument(TEXT)) == 4


def test_a_text_without_headings_has_a_short_header() -> None:
    assert find_last_header_line(MarkdownDocument("plain\n" * 40)) == 12


@pytest.mark.parametrize(
    ("title", "teaser"),
    [
        ("Why This Looks Impossible", True),
        ("Why This Is an Open Problem", True),
        ("Why It Remains Unsolved", True),
        ("Why This Is Your Boat", False),
    ],
)
def test_a_section_that_says_why_it_is_hard_is_a_teaser(title: str, *, teaser: bool) -> None:
    parts = split_document_parts(
        MarkdownDocument(f"# IM-0001: A\n\n## Scenario\n\nA tale.\n\n## {title}\n\nBecause.\n")
    )

    assert bool(parts.teaser) is teaser
