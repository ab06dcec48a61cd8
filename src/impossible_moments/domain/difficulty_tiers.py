"""Difficulty tier of a profile I.D.C.B.T.X.

Tiers are matched from the hardest down. Most profiles match no tier exactly. They get the nearest tier by the
summed distance outside its bounds, and the harder one on a tie. IMPOSSIBLE is assigned only on an exact
match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from impossible_moments.domain.vocabulary import TIERS, Tier

Bounds = tuple[tuple[int, int], ...]

# fmt: off
# Specification 5.3 of phase 5
BOUNDS: Final[Mapping[Tier, Bounds]] = {
    #               I       D       C       B       T       X
    "SINGULARITY": ((4, 5), (3, 5), (4, 5), (4, 5), (3, 5), (4, 5)),
    "RUPTURE":     ((3, 4), (3, 4), (3, 5), (3, 5), (1, 5), (3, 5)),
    "FRACTURE":    ((2, 3), (2, 3), (2, 3), (1, 3), (1, 3), (2, 3)),
    "SPARK":       ((1, 2), (1, 2), (1, 2), (1, 2), (1, 3), (1, 2)),
}
TIER_WEIGHTS: Final[Mapping[str, int]] = dict(zip(TIERS, (1, 2, 4, 8, 16), strict=True))
"""Framework, IM-Score: the weight of a scenario's score."""
EXPECTED_SHARES: Final[Mapping[str, str]] = {  # framework: the share that strong models solve
    "SPARK": "60-80 %", "FRACTURE": "30-50 %", "RUPTURE": "10-25 %", "SINGULARITY": "0-10 %", "IMPOSSIBLE": "0-2 %",
}
# fmt: on
UNSOLVED_SCORE: Final = 0.25
"""The part of the score that an unsolved scenario earns by correct physical claims and insights."""
_HARDEST: Final = 5
_HARD_SCORE: Final = 4
_UNSOLVED_STATUSES: Final = frozenset({"OF", "PX", "CT"})
IMPOSSIBLE: Final = "at least two dimensions at 5, at least four at 4 or more, and status OF, PX or CT"
"""Description of the requirements of the hardest tier."""


def choose_difficulty_tier(profile: Sequence[int], status: str) -> tuple[Tier, bool]:
    """Return the tier of a profile, and whether the profile matches it exactly."""
    if (
        sum(score == _HARDEST for score in profile) >= 2  # noqa: PLR2004 - several dimensions at the maximum
        and sum(score >= _HARD_SCORE for score in profile) >= 4  # noqa: PLR2004
        and status in _UNSOLVED_STATUSES
    ):
        return "IMPOSSIBLE", True
    distances = {name: _measure_distance_to_bounds(profile, bounds) for name, bounds in BOUNDS.items()}
    nearest = min(distances, key=lambda name: distances[name])
    return nearest, distances[nearest] == 0


def _measure_distance_to_bounds(profile: Sequence[int], bounds: Bounds) -> int:
    """Return how far the scores lie outside the bounds, summed over all dimensions."""
    return sum(max(low - score, 0, score - high) for score, (low, high) in zip(profile, bounds, strict=True))


def find_expected_share_range(tier: Tier) -> tuple[float, float]:
    """Return the lowest and highest share, in percent, of strong models that are expected to solve a tier."""
    low, high = EXPECTED_SHARES[tier].removesuffix(" %").split("-")
    return float(low), float(high)


def find_expected_score_range(tier: Tier) -> tuple[float, float]:
    """Return the lowest and highest score, of 100, that a prediction for a tier may have.

    An answer that does not solve a scenario still earns points, so that scores lie above the shares. A prediction is
    an estimate: it counts as different if the share lies outside the expected range by more than the range is wide.
    """
    low, high = find_expected_share_range(tier)
    width = high - low
    lowest, highest = max(low - width, 0.0), min(high + width, 100.0)
    return lowest, highest + UNSOLVED_SCORE * (100.0 - highest)
