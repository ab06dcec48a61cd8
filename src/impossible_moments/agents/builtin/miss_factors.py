"""How many times too little or too much a failing plan has, from the margin by which it fails."""

from __future__ import annotations

from typing import Final

FAR: Final = 100.0
"""From this factor on a distractor fails by far: figures that differ by two orders of magnitude tempt no reader."""
LATE: Final = "late"


def compute_miss_factor(end: str, margin: float) -> float:
    """Return by which factor a plan misses.

    A late plan misses by a share of the deadline, which may exceed 1. Any other condition misses by a share of its
    larger side, which is below 1.
    """
    missed = abs(margin)
    if end == LATE:
        return 1 + missed
    return 1 / max(1 - missed, 1e-9)
