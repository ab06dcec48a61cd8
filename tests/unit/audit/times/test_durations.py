"""Durations are read as tables and prose print them."""

from __future__ import annotations

import pytest

from impossible_moments.audit.times.durations import (
    HOUR,
    MINUTE,
    find_durations,
    format_seconds,
    is_instant,
    is_parallel_duration,
    parse_duration,
)


@pytest.mark.parametrize(
    ("cell", "low", "high"),
    [
        ("90 s", 90, 90),
        ("1 min 25 s", 85, 85),
        ("9:30 min", 570, 570),
        ("5-15 min", 300, 900),
        ("2 min + 1 min travel", 180, 180),
        ("~2 hours", 7200, 7200),
        ("1 hr 20 min", 4800, 4800),
        ("**5 min**", 300, 300),
        ("5 min (with gloves)", 300, 300),
        ("1:00:30", 3630, 3630),
        ("0:45", 45, 45),
        ("1:00-2:00 h", 3600, 7200),
    ],
)
def test_a_cell_states_a_duration(cell: str, low: float, high: float) -> None:
    duration = parse_duration(cell, clock_unit=MINUTE)

    assert duration is not None
    assert (duration.low, duration.high) == pytest.approx((low, high))


@pytest.mark.parametrize(
    "cell",
    [
        "",
        "soon",
        "5",
        "5 m",
        "several min",
        "10+ min",
        "5 min each",
        "until dawn",
        "3 min while it boils",
        "5 min 3",
    ],
)
def test_a_cell_without_a_certain_duration_states_none(cell: str) -> None:
    assert parse_duration(cell) is None


def test_a_clock_without_unit_needs_one() -> None:
    assert parse_duration("0:45") is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("after 5 min and then 30 s", [300, 30]),
        ("in 1 h 20 min", [4800]),
        ("1 hour, 20 minutes", [4800]),
        ("2 min 30 s or 3 min", [150, 180]),
        ("20 min 1 h", [1200, 3600]),
        ("5 kg in 5 s", [5]),
    ],
)
def test_the_durations_of_a_text_are_found(text: str, seconds: list[float]) -> None:
    assert [duration.low for duration, _ in find_durations(text)] == pytest.approx(seconds)


@pytest.mark.parametrize("cell", ["instant", "Immediate", "--", "0", "negligible", "n/a"])
def test_a_cell_may_say_that_no_time_passes(cell: str) -> None:
    assert is_instant(cell)


@pytest.mark.parametrize("cell", ["5 min (parallel)", "during step 2", "3 min each", "several"])
def test_a_cell_may_say_that_its_time_runs_beside(cell: str) -> None:
    assert is_parallel_duration(cell)


@pytest.mark.parametrize(
    ("seconds", "words"), [(30, "30 s"), (5 * MINUTE, "5 min"), (3 * HOUR, "3 h"), (72 * HOUR, "3 days")]
)
def test_a_duration_is_spoken_in_the_unit_a_reader_would_use(seconds: float, words: str) -> None:
    assert format_seconds(seconds) == words
