"""Tables on a narrow terminal: no cell is cut."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console
from rich.table import Table

from impossible_moments.cli.output.tables import LEAST_TEXT, choose_column_widths, create_table

NAME = "a_name_of_a_document_that_is_much_too_long_for_its_column_and_for_this_terminal.md"


def drawn(table: Table, width: int) -> str:
    console = Console(file=StringIO(), width=width)
    console.print(table)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def first_column(shown: str, width: int) -> str:
    return "".join(line[:width].strip() for line in shown.splitlines()[1:])


def test_a_long_name_folds_and_the_figures_stay_whole() -> None:
    table = create_table("document", "errors", "warnings", whole=("errors", "warnings"), right=("errors",))
    table.add_row(NAME, "12345", "67890")
    shown = drawn(table, 40)

    assert "…" not in shown
    assert "12345" in shown
    assert "67890" in shown
    assert first_column(shown, 22) == NAME


def test_figures_are_aligned_to_the_right() -> None:
    table = create_table("record", "errors", right=("errors",))
    table.add_row("a", "1")

    assert drawn(table, 40).splitlines()[1].rstrip().endswith("     1")


def test_a_table_that_fits_has_free_widths() -> None:
    assert choose_column_widths(("a", "b"), (("one", "two"),), 80) == [None, None]


@pytest.mark.parametrize("room", [30, 40, 60])
def test_short_cells_stay_whole_and_long_ones_share_the_rest(room: int) -> None:
    heads = ("model", "score over all scenarios", "unscored runs")
    widths = choose_column_widths(heads, ((NAME, "61.25", "-"),), room)

    assert widths[0] is None
    assert widths[1] is not None
    assert widths[1] >= len("61.25")
    assert sum(width or LEAST_TEXT for width in widths) + 2 <= room


def test_a_word_of_a_heading_folds_if_the_table_is_too_wide() -> None:
    widths = choose_column_widths(("category", NAME), (("The Cascade", "0.0"),), 40)

    assert widths == [11, 28]


def test_cells_of_several_words_wrap_before_headings_fold() -> None:
    heads = ("model", "IM-Score", "pass rate", "unscored")
    row = ("builtin:solver", "61.2 (50.1 to 70.3)", "50 % (40 % to 60 %)", "12")

    assert choose_column_widths(heads, (row,), 44) == [14, None, None, 8]


def test_more_columns_than_fit_keep_their_cells() -> None:
    assert choose_column_widths(("aaaa", "bbbb"), (("12345", "67890"),), 8) == [5, 5]
