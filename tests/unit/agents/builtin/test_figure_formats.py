"""Shares and durations as agents write them."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin.figure_formats import format_duration, format_share
from impossible_moments.agents.builtin.quantity_wording import format_all, format_count


@pytest.mark.parametrize(
    ("seconds", "like", "expected"),
    [
        (90.0, None, "90 s"),
        (150.0, None, "2.5 min"),
        (2_506_000.0, None, "29 days"),
        (600.0, 36_000.0, "0.1667 h"),
        (0.0, None, "0 s"),
    ],
)
def test_a_duration_has_the_largest_unit_of_which_it_has_two(
    seconds: float, like: float | None, expected: str
) -> None:
    assert format_duration(seconds, like=like) == expected


def test_a_small_share_has_a_digit_more() -> None:
    assert [format_share(share) for share in (0.017, 0.5)] == ["1.7%", "50%"]


def test_a_count_agrees_with_its_noun() -> None:
    counts = [format_count(count, noun) for count, noun in ((1, "claim"), (2, "quantity"), (3, "approach"))]
    assert counts == ["1 claim", "2 quantities", "3 approaches"]
    assert [format_all(count, "claim") for count in (1, 3)] == ["the one claim", "all 3 claims"]
