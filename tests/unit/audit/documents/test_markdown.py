"""Any text is lines, sections, tables and keys, each with its line."""

from __future__ import annotations

import re

import pytest

from impossible_moments.audit.documents.markdown import (
    LONGEST_LINE,
    MarkdownDocument,
    split_sentences,
    strip_emphasis,
)

TEXT = """# Title

**Status**: KS
- **Tier:** SPARK

## One

text

### Below

| A | B |
|---|:-:|
| 1 | 2 |
| 3 |
after

## Two

```
# no heading
```
"""


def test_lines_are_counted_from_one_whatever_ends_them() -> None:
    for end in ("\n", "\r\n", "\r"):
        assert [(line.number, line.text) for line in MarkdownDocument(f"a{end}b").lines] == [
            (1, "a"),
            (2, "b"),
        ]


def test_sections_have_title_level_line_and_what_stands_above() -> None:
    found = [(each.level, each.title, each.number, each.path) for each in MarkdownDocument(TEXT).sections]

    assert found == [
        (0, "", 1, ()),
        (1, "Title", 1, ("Title",)),
        (2, "One", 6, ("Title", "One")),
        (3, "Below", 10, ("Title", "One", "Below")),
        (2, "Two", 18, ("Title", "Two")),
    ]


def test_a_hash_inside_a_fence_is_no_heading() -> None:
    assert all(section.title != "no heading" for section in MarkdownDocument(TEXT).sections)


def test_what_stands_under_a_heading_includes_its_subsections() -> None:
    assert [each.title for each in MarkdownDocument(TEXT).find_sections_under(re.compile("One"))] == [
        "One",
        "Below",
    ]


def test_a_table_has_a_header_and_its_rows_with_their_lines() -> None:
    (table,) = MarkdownDocument(TEXT).tables

    assert table.header.cells == ("A", "B")
    assert [(row.number, row.cells) for row in table.rows] == [(14, ("1", "2")), (15, ("3",))]


def test_a_cell_that_is_not_there_is_empty() -> None:
    (table,) = MarkdownDocument(TEXT).tables

    assert table.get_cell(table.rows[1], 1) == ""


def test_a_column_is_found_by_its_head() -> None:
    (table,) = MarkdownDocument(TEXT).tables

    assert (table.find_column(re.compile("B")), table.find_column(re.compile("C"))) == (1, None)


def test_an_escaped_bar_ends_no_cell() -> None:
    (table,) = MarkdownDocument("| a |\n|--|\n| b \\| c |").tables

    assert table.rows[0].cells == (r"b \| c",)


def test_keys_are_read_with_the_colon_inside_or_outside_the_bold() -> None:
    assert [(line.number, key, value) for line, key, value in MarkdownDocument(TEXT).keys] == [
        (3, "Status", "KS"),
        (4, "Tier", "SPARK"),
    ]


def test_a_line_is_read_up_to_a_length_that_somebody_writes() -> None:
    assert len(MarkdownDocument("x" * 3 * LONGEST_LINE).lines[0].text) == LONGEST_LINE


@pytest.mark.parametrize(("marked", "bare"), [("**a** b", "a b"), ("`a`", "a"), ("*a*", "a"), (" a ", "a")])
def test_plain_text_has_no_marks(marked: str, bare: str) -> None:
    assert strip_emphasis(marked) == bare


def test_a_full_stop_inside_a_number_ends_no_sentence() -> None:
    assert list(split_sentences("It is 3.5 m. Then 4 m.")) == ["It is 3.5 m.", "Then 4 m."]
