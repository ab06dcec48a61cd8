"""Confidence of the built-in roles, derived from what was computed and what was not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HIGHEST: Final = 0.97
"""The confidence in a result that was computed completely from stated numbers with ample margins."""
LOWEST: Final = 0.3
AMPLE: Final = 0.2
"""The margin from which on rounding and estimates do not matter."""
WEIGHT_OF_THIN_MARGIN: Final = 0.12
WEIGHT_OF_ESTIMATES: Final = 0.12
WEIGHT_OF_UNCOMPUTED: Final = 0.25
WEIGHT_OF_OPEN_SEARCH: Final = 0.15
WEIGHT_OF_CONCERN: Final = 0.06
MOST_CONCERNS: Final = 4


@dataclass(frozen=True, slots=True)
class ConfidenceBasis:
    """The facts that a confidence is derived from."""

    least_margin: float | None = None
    """The smallest margin on which the result rests. Its sign does not matter: a clear failure is certain too."""
    estimates: float = 0.0
    """The share of the numbers used that are estimates or disputed, from 0 to 1."""
    uncomputed: float = 0.0
    """The share of the questions that could not be computed, from 0 to 1."""
    exhausted: bool = True
    """Whether every search behind the result ran to its end."""
    concerns: int = 0
    """Open doubts that the author states itself."""


def derive_confidence(basis: ConfidenceBasis) -> float:
    """Return the confidence in a result, rounded to two digits.

    Each source of doubt removes its own share of what is left of `HIGHEST`: a margin thinner than `AMPLE` up to
    12 %, estimates up to 12 %, questions that were not computed up to 25 %, a search that was cut off 15 %, and
    each stated concern 6 % (at most four count).
    """
    thinness = 0.0 if basis.least_margin is None else max(0.0, 1 - abs(basis.least_margin) / AMPLE)
    left = HIGHEST
    left *= 1 - WEIGHT_OF_THIN_MARGIN * thinness
    left *= 1 - WEIGHT_OF_ESTIMATES * _clamp_share(basis.estimates)
    left *= 1 - WEIGHT_OF_UNCOMPUTED * _clamp_share(basis.uncomputed)
    left *= 1 if basis.exhausted else 1 - WEIGHT_OF_OPEN_SEARCH
    left *= (1 - WEIGHT_OF_CONCERN) ** min(basis.concerns, MOST_CONCERNS)
    return max(LOWEST, round(left, 2))


def compute_share(part: int, whole: int) -> float:
    """Return a share, 0 of nothing."""
    return part / whole if whole else 0.0


def _clamp_share(share: float) -> float:
    return min(max(share, 0.0), 1.0)
