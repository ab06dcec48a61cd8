"""Waiting times in plain words: one time, in known units."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.answers.waiting_times import parse_waiting_time


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("20 s", [20]),
        ("2 min", [120]),
        ("2 min 30 s", [150]),
        ("2 minutes and 30 seconds", [150]),
        ("1 hour, 5 minutes", [3900]),
        ("1,5 h", [5400]),
        ("half an hour", []),
        ("20", []),
        ("20 m", []),
        ("10 s or 20 s or 30 s", [10]),
        ("10 s, 20 s, 30 s", [10]),
        ("1 s, then 2 min", [1]),
        ("until 5 o'clock", []),
        ("", []),
    ],
)
def test_a_wait_is_one_time(said: str, seconds: list[float]) -> None:
    assert list(parse_waiting_time(said)) == seconds
