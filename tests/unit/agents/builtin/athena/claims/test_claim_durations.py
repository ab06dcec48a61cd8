"""Durations in claims: in a unit of which there are few, and in which the number is round where there is one."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin.athena.claims.claim_wording import format_duration


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (20_370_000.4, "235.8 day"),
        (90 * 60, "90 min"),
        (8 * 86_400, "8 day"),
        (45, "45 s"),
    ],
)
def test_a_duration_is_written_in_a_unit_of_few(seconds: float, expected: str) -> None:
    assert format_duration(seconds) == expected
