"""The tiers that the shipped offers earned, as a table.

A tier follows from executing drawn records, which takes too long for every brief. So the table is computed once by
`python -m benchmarks.tiers --write` and must be computed again when blueprints change.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from io import StringIO
from typing import Final

FILE_NAME: Final = "earned_tiers.csv"
_HEADER: Final = ("offer", "tier", "share", "profile")


@dataclass(frozen=True, slots=True)
class EarnedTier:
    """The most frequent tier of an offer's draws, its share of the draws, and the most frequent profile."""

    offer: str
    tier: str
    share: float
    profile: str


def load_earned_tiers() -> Mapping[str, str]:
    """Return the tier of each offer in the table."""
    return {each.offer: each.tier for each in load_earned_tier_rows()}


def load_earned_tier_rows() -> tuple[EarnedTier, ...]:
    """Return the rows of the table."""
    text = files("impossible_moments.blueprints").joinpath(FILE_NAME).read_text(encoding="utf-8")
    rows = csv.DictReader(StringIO(text))
    return tuple(EarnedTier(row["offer"], row["tier"], float(row["share"]), row["profile"]) for row in rows)


def format_earned_tiers(rows: Iterable[EarnedTier]) -> str:
    """Return the table as text, sorted by offer."""
    lines = [",".join(_HEADER)]
    lines += [
        f"{each.offer},{each.tier},{each.share:.2f},{each.profile}"
        for each in sorted(rows, key=lambda each: each.offer)
    ]
    return "\n".join(lines) + "\n"
