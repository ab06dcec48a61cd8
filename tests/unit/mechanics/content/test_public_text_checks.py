"""The checks of a public text find what first-time readers stumbled over, and accept plain texts."""

from __future__ import annotations

import pytest

from impossible_moments.mechanics.content import PublicText, TableRow, check_public_text
from impossible_moments.mechanics.findings import Findings

PLAIN = "You stand on the quay with a lorry and a tank. The ferry takes both. What do you load first?"


def find_codes(
    narrative: str = PLAIN, position: str = "You stand on the quay.", rows: tuple[TableRow, ...] = ()
) -> set[str]:
    findings = Findings()
    check_public_text(PublicText(narrative, "The tide leaves.", position, rows), findings)
    return {finding.code for finding in findings}


def make_row(table: str, label: str, *cells: str) -> TableRow:
    return TableRow(table, label, cells)


def test_a_plain_text_has_no_findings() -> None:
    assert find_codes(rows=(make_row("environment", "Time until the tide leaves", "40 min"),)) == set()


@pytest.mark.parametrize(
    ("code", "faulty", "sound"),
    [
        ("text.sequel", "You have 9 days, as before. What do you do?", "You have 9 days. What do you do?"),
        ("text.sequel", "This time you are alone. What do you do?", "At this time of year you are alone. What do you do?"),
        ("text.no-task", "You stand there. The cow looks at you.", "You stand there. Get both carts across before the tide."),
        ("text.person-missing", "The dam is done. What is to be done?", "The dam is done. What do you do?"),
        ("text.person-late", "It rains. The dam leaks. You see it. What do you do?", "It rains. You see the dam leak. What do you do?"),
        ("text.person-late", "“You fool.” It rains. It pours. You see it. What do you do?", "“You fool.” You see it rain. What do you do?"),
        ("text.sentence-long", f"You see {'a dam and ' * 15}rain. What do you do?", f"You see {'a dam and ' * 8}rain. What do you do?"),
        ("text.person-shifts", "You see it. I have to sign one drawing. Which one?", "You see it. I have to say that it rains. Which one?"),
    ],
)  # fmt: skip
def test_a_narrative_is_checked(code: str, faulty: str, sound: str) -> None:
    assert code in find_codes(faulty)
    assert code not in find_codes(sound)


def test_an_earlier_event_that_is_told_excuses_its_echo() -> None:
    assert "text.sequel" not in find_codes("You lost a mast last year. This time you reef. What do you do?")


@pytest.mark.parametrize(
    ("code", "faulty", "sound"),
    [
        ("text.label-vague", make_row("environment", "Size of a single one", "4 mm"), make_row("environment", "Size of a single grain", "4 mm")),
        ("text.label-vague", make_row("environment", "Time to look into each of them", "28 min"), make_row("environment", "Time to inspect one dyke", "28 min")),
        ("text.cell-empty", make_row("capabilities", "Body", "an ordinary adult"), make_row("capabilities", "Body mass", "70 kg")),
        ("text.cell-empty", make_row("environment", "The order", "in force", "met by nothing else"), make_row("environment", "The order", "in force")),
    ],
)  # fmt: skip
def test_a_row_is_checked(code: str, faulty: TableRow, sound: TableRow) -> None:
    assert code in find_codes(rows=(faulty,))
    assert code not in find_codes(rows=(sound,))


def test_prose_and_table_state_the_same_figure() -> None:
    told = f"The escape suit was tried down to 19.4 bar by men who kept well. {PLAIN}"
    assert "text.figure-differs" in find_codes(
        told, rows=(make_row("objects", "The escape suit", "keeps a man well to 19 bar"),)
    )
    assert "text.figure-differs" not in find_codes(
        told, rows=(make_row("objects", "The escape suit", "keeps a man well to 19.4 bar"),)
    )


def test_a_bound_holds_for_every_row() -> None:
    bound = make_row("environment", "Least that any calculation adds in a day", "0.6 m/day")
    assert "text.bound-broken" in find_codes(
        rows=(bound, make_row("objects", "A forecast box", "adds 0.5 m/day"))
    )
    assert "text.bound-broken" not in find_codes(
        rows=(bound, make_row("objects", "A forecast box", "adds 0.7 m/day"))
    )
