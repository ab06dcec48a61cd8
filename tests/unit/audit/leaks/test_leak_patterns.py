"""What gives the answer away is found in what a solver reads, and nowhere else."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.documents.parts import split_document_parts
from impossible_moments.audit.leaks.leak_patterns import find_leaks


def found(text: str, *, blind: bool = False) -> list[tuple[int, str]]:
    document = MarkdownDocument(text)
    return [
        (leak.line, leak.code) for leak in find_leaks(document, split_document_parts(document), blind=blind)
    ]


def scenario(line: str) -> str:
    return f"# IM-0001: Name\n\n## Scenario\n\n{line}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# IM-0001: A\n\n**Correct Answer**: float it\n\n## Scenario\n\nA key.", (3, "leak.answer")),
        ("# IM-0001: A\n\n**Outcome**: float it\n\n## Scenario\n\nA key.", (3, "leak.answer")),
        ("# IM-0001: A\n\n**Status**: KS\n\n## Scenario\n\nA key.", (3, "leak.status")),
        (
            "# IM-0001: A\n\n## Scenario\n\nA key.\n\n## Common Wrong Answers\n\nNone.",
            (7, "leak.wrong-answers"),
        ),
        (
            "# IM-0001: A\n\n## Scenario\n\nA key.\n\n## Why This Looks Impossible\n\nMost people overlook the salt.",
            (7, "leak.why"),
        ),
    ],
)
def test_what_stands_around_the_scenario_is_reported(text: str, expected: tuple[int, str]) -> None:
    assert found(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "# IM-0001: A\n\n**Correct Answer**: float it\n**Status**: KS\n\n## Scenario\n\nA key.",
        "# IM-0001: A\n\n## Scenario\n\nA key.\n\n## Common Wrong Answers\n\nNone.",
        "# IM-0001: A\n\n## Scenario\n\nA key.\n\n## Why This Looks Impossible\n\nMost people overlook the salt.",
    ],
)
def test_the_blind_presentation_leaves_that_out(text: str) -> None:
    assert found(text, blind=True) == []


@pytest.mark.parametrize(
    "line",
    [
        "Most models reach for the magnet.",
        "The mirror is a red herring.",
        "The solution requires the mirror.",
        "Note the key insight below.",
        "The chair is a distractor.",
    ],
)
def test_a_scenario_that_speaks_of_its_solution_is_reported(line: str) -> None:
    assert found(scenario(line), blind=True) == [(5, "leak.given-away")]


@pytest.mark.parametrize(
    "line",
    [
        "The magnet is useless here.",
        "The rope is not strong enough.",
        "Salt can be dissolved in the bucket.",
        "The lid serves as a mirror.",
        "The tube is ideal for blowing.",
    ],
)
def test_a_thing_called_useful_or_useless_is_reported(line: str) -> None:
    assert found(scenario(line), blind=True) == [(5, "leak.hint")]


@pytest.mark.parametrize(
    "line",
    [
        "The magnet hangs on a nail.",
        "A model ship stands on the shelf.",
        "The rope carries 400 N.",
        "A bucket of salt and a pipe of 2 m.",
        "A salt solution fills the jar.",
    ],
)
def test_a_plain_description_is_not_reported(line: str) -> None:
    assert found(scenario(line)) == []


def test_what_only_judges_read_may_say_everything() -> None:
    text = (
        scenario("A key.")
        + "\n## Verified Solution\n\nThe magnet is useless; the key insight is salt. Most models fail.\n"
    )

    assert found(text) == []


def test_a_line_with_the_words_of_the_insight_is_reported() -> None:
    text = (
        scenario("Brine lifts corks beside copper spanners.")
        + "\n## Key Insights\n\n**Brine lifts corks and copper spanners**\n"
    )

    assert found(text) == [(5, "leak.hint")]


def test_a_reason_without_the_way_out_is_not_reported() -> None:
    assert (
        found(scenario("A key.") + "\n## Why This Looks Impossible\n\nThe pipe is longer than an arm.\n")
        == []
    )
