"""The tier of a profile."""

from __future__ import annotations

from itertools import product

import pytest

from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.domain.vocabulary import TIERS


@pytest.mark.parametrize(
    ("profile", "status", "tier", "exact"),
    [
        ("1.1.1.1.1.1", "KS", "SPARK", True),
        ("3.3.3.3.3.3", "KS", "RUPTURE", True),
        ("2.2.2.2.2.2", "KS", "FRACTURE", True),
        ("4.4.4.4.4.4", "KS", "SINGULARITY", True),
        ("5.5.4.4.1.1", "OF", "IMPOSSIBLE", True),
        ("5.5.4.4.4.4", "KS", "SINGULARITY", True),
        ("1.1.1.1.5.1", "KS", "SPARK", False),
    ],
)
def test_a_profile_has_its_tier(profile: str, status: str, tier: str, *, exact: bool) -> None:
    assert choose_difficulty_tier([int(score) for score in profile.split(".")], status) == (tier, exact)


def test_every_profile_has_a_tier() -> None:
    assert {choose_difficulty_tier(profile, "PX")[0] for profile in product(range(1, 6), repeat=6)} <= set(
        TIERS
    )


def test_only_an_open_status_is_impossible() -> None:
    assert choose_difficulty_tier((5,) * 6, "KS")[0] == "SINGULARITY"
