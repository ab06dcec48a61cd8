"""A solution's table ends before the time that the scenario leaves."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.times.time_contradictions import find_time_contradictions

TEXT = """# IM-0001: The Tide

## Scenario

{told}

## Verified Solution

| Step | Time | Cumulative |
|---|---|---|
| Walk | 10 min | 10 min |
| Climb | 10 min | 20 min |
"""


def found(told: str) -> list[tuple[int, str]]:
    return [
        (slip.line, slip.code) for slip in find_time_contradictions(MarkdownDocument(TEXT.format(told=told)))
    ]


@pytest.mark.parametrize(
    "told",
    [
        "You have 15 minutes before the tide comes in.",
        "You have only 15 min until dark.",
        "**Deadline**: 15 min",
        "You must reach the pier within 15 minutes.",
        "There are 15 minutes of daylight left.",
        "| Parameter | Value |\n|---|---|\n| Time available | 15 min |",
    ],
)
def test_a_plan_that_ends_too_late_is_reported_at_its_last_step(told: str) -> None:
    last = 12 + told.count("\n")
    assert found(told) == [(last, "timing.deadline")]


@pytest.mark.parametrize(
    "told",
    [
        "You have 25 minutes before the tide comes in.",
        "You have 20 minutes before the tide comes in.",
        "You have 15 minutes of music with you.",
        "You have 1 h 10 min before the tide comes in.",
        "**Deadline**: 30 min",
        "You have 2 minutes before the kettle boils.",
        "The tide comes in.",
        "You must boil the egg within 25 minutes.",
        "| Parameter | Value |\n|---|---|\n| Reaction time | 15 min |",
    ],
)
def test_a_plan_that_ends_in_time_is_not_reported(told: str) -> None:
    assert found(told) == []


@pytest.mark.parametrize(
    ("deadline", "code"),
    [("12 minutes", ["timing.deadline"]), ("17 minutes", ["timing.tight"]), ("25 minutes", [])],
    ids=["too late at best", "too late at worst", "in time"],
)
def test_a_plan_that_is_late_only_at_worst_is_a_note(deadline: str, code: list[str]) -> None:
    text = (
        TEXT.format(told=f"You have {deadline} before the tide comes in.")
        .replace("20 min |", "14-20 min |")
        .replace("| Climb | 10 min", "| Climb | 4-10 min")
    )

    assert [slip.code for slip in find_time_contradictions(MarkdownDocument(text))] == code
