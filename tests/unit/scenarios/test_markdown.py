"""Texts of others are shown as they are and do nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.scenarios.markdown import (
    escape_block,
    escape_inline,
    render_numbered_list,
    render_table,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words, 2 < 3 and 0.6[m]", "plain words, 2 < 3 and 0.6[m]"),
        ("<b>bold</b>", "&lt;b>bold&lt;/b>"),
        ("# A heading", "##### A heading"),
        ("### A deep one", "###### A deep one"),
        ("#no heading", "#no heading"),
        ("```", "\\```"),
        ("words\n---\nmore", "words\n\\---\nmore"),
        ("one\r\ntwo\u2028three", "one\ntwo\nthree"),
        ("a\n\n\n\nb", "a\n\nb"),
        ("[a](b)", "[a]\\(b)"),
        ("[a]: b", "\\[a]: b"),
    ],
)
def test_a_block_is_shown_so(text: str, shown: str) -> None:
    assert escape_block(text) == shown


def test_a_line_has_no_break() -> None:
    assert escape_inline(" one\n# two\n") == "one # two"


def test_a_line_begins_no_heading() -> None:
    assert escape_inline("# one") == "\\# one"


def test_a_cell_keeps_its_pipes_to_itself() -> None:
    assert render_table(("A",), [("x|y",)]) == "| A |\n| --- |\n| x\\|y |"


def test_a_table_without_rows_says_so() -> None:
    assert render_table(("A", "B"), []).endswith("| — | — |")


def test_an_empty_list_says_so() -> None:
    assert render_numbered_list([], empty_text="none") == "none"


@given(st.text())
def test_a_block_holds_only_what_can_be_seen_and_written(text: str) -> None:
    shown = escape_block(text)
    assert all(sign == "\n" or sign.isprintable() or sign.isspace() for sign in shown)
    assert shown.encode().decode() == shown


@given(st.text(alphabet="#`~-=<>[]()|\\ \n!ab", max_size=40))
def test_a_block_has_no_heading_of_ours(text: str) -> None:
    assert not any(line.startswith(("# ", "## ", "### ", "#### ")) for line in escape_block(text).split("\n"))
