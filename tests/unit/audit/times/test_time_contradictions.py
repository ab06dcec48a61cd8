"""Steps, totals, limits, margins and paces agree, or the place where they do not is reported."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.times.time_contradictions import find_time_contradictions

STEPS = "| Step | Time | Cumulative |\n|---|---|---|\n"
FIFTEEN = f"{STEPS}| a | 5 min | 5 min |\n| b | 10 min | 15 min |\n\n"
EIGHTY = f"{STEPS}| a | 50 min | 50 min |\n| b | 30 min | 1 h 20 min |\n\n"


def found(text: str) -> list[tuple[int, str]]:
    return [(slip.line, slip.code) for slip in find_time_contradictions(MarkdownDocument(text))]


@pytest.mark.parametrize(
    "rows",
    [
        "| a | 5 min | 5 min |\n| b | 10 min | 15 min |",
        "| a | 5 min | 0 min |\n| b | 10 min | 5 min |\n| c | 5 min | 15 min |",
        "| a | 30 s | 0:30 |\n| b | 1 min | 1:30 |",
        "| a | 5-10 min | 5-10 min |\n| b | 10 min | 15-20 min |",
        "| a | 5 min | 5 min |\n| b | 10 min (parallel) | 5 min |\n| c | 3 min | 8 min |",
        "| a | 5 min | 5 min |\n| Meanwhile b | 10 min | 5 min |\n| c | 3 min | 8 min |",
        "| a | 5 min | 5 min |\n| b | instant | 5 min |\n| c | 3 min | 8 min |",
        "| a | ~5 min | ~5 min |\n| b | several min | 20 min |\n| c | 3 min | 23 min |",
        "| a | 1 h 20 min | 1 h 20 min |\n| b | 50 min | 2 h 10 min |",
        "| a | 2 min + 1 min | 3 min |\n| b | 90 s | 4.5 min |",
        "| a | soon | later |\n| b | then | after |",
    ],
)
def test_running_times_that_add_up_are_not_reported(rows: str) -> None:
    assert found(STEPS + rows) == []


@pytest.mark.parametrize(
    "rows",
    [
        "| a | 5 min | 5 min |\n| b | 10 min | 18 min |",
        "| a | 30 s | 0:30 |\n| b | 1 min | 2:30 |",
        "| a | 5-10 min | 5-10 min |\n| b | 10 min | 25-30 min |",
        "| a | 1 h 20 min | 1 h 20 min |\n| b | 50 min | 2 h 40 min |",
        "| a | 5 min | 5 min |\n| b | 10 min | 5 min |",
    ],
)
def test_a_running_time_that_does_not_add_up_is_reported_at_its_row(rows: str) -> None:
    assert found(STEPS + rows) == [(4, "timing.running")]


@pytest.mark.parametrize(
    "text",
    [
        FIFTEEN + "Total time: 15 minutes.",
        FIFTEEN + "**Total: about 16 minutes**",
        FIFTEEN + "Total time is 0.25 hours.",
        FIFTEEN + "Total setup time: 40 min",
        FIFTEEN + "## Later\n\nTotal time: 40 min",
        EIGHTY + "Total time: 1 h 20 min.",
        EIGHTY + "Total time: 80 min",
    ],
)
def test_a_total_that_the_steps_take_is_not_reported(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        FIFTEEN + "Total time: 25 minutes.",
        FIFTEEN + "**Total**: 25 min",
        FIFTEEN + "Total escape time: 40 min",
        FIFTEEN + "Total time: 20-30 min",
        EIGHTY + "Total time: 2 h 40 min",
        EIGHTY + "Total time: 1 h 50 min",
    ],
)
def test_another_total_is_reported_where_it_is_stated(text: str) -> None:
    assert found(text) == [(6, "timing.total")]


@pytest.mark.parametrize(
    "text",
    [
        "Total time: 4 hours, within the 6-hour window.",
        "Total time: 9 hours, which exceeds the 6-hour window.",
        "Total: 50 min, within the 1-hour window",
        "Total time: 1 h 20 min, within the 1 h 30 min window.",
        "Total: 50 min, under the 60-minute deadline, leaving 10 min.",
        "Total: 50 min, under the 60-minute deadline with a margin of 10 min",
        "Total time: 1 h 20 min, within the 2-hour window, leaving 40 min.",
        "Total time: 9 hours of fun.",
    ],
)
def test_a_plan_that_fits_is_not_reported(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Total time: 9 hours, within the 6-hour window.", "timing.deadline"),
        ("Total time: 4-7 hours, within the 6-hour limit.", "timing.deadline"),
        ("Total: 85 min, within the 1-hour window", "timing.deadline"),
        ("Total time: 1 h 50 min, within the 90-minute window.", "timing.deadline"),
        ("Total time: 2 min 30 s, under the 2-minute limit", "timing.deadline"),
        ("Total: 50 min, under the 60-minute deadline, leaving 20 min.", "timing.margin"),
        ("Total: 50 min, under the 60-minute deadline with a margin of 25 min", "timing.margin"),
        ("The walk: 600 m at 2 m/s takes 50 min", "timing.rate"),
        ("50 min (600 m at 2 m/s)", "timing.rate"),
        ("10 L at 2 L/min = 50 min", "timing.rate"),
    ],
)
def test_a_plan_that_contradicts_itself_is_reported_at_its_line(text: str, code: str) -> None:
    assert found(f"First line.\n\n{text}") == [(3, code)]


@pytest.mark.parametrize(
    "text",
    [
        "600 m at 2 m/s takes 5 min",
        "5 min (600 m at 2 m/s)",
        "10 L at 2 L/min = 5 min",
        "600 m at 1-3 m/s takes 5 min",
        "600 m at 2 m/s, and 50 min later",
        "1 h 30 min (5.4 km at 1 m/s)",
        "600 m at 0 m/s takes 5 min",
        "they meet at 5 min past",
    ],
)
def test_a_pace_that_gets_there_in_time_is_not_reported(text: str) -> None:
    assert found(text) == []
