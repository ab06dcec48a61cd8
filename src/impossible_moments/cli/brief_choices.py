"""Closed lists of the fields of a brief."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, SUBTYPES, TIERS

BRIEF_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "category": CATEGORIES,
    "difficulty_tier": TIERS,
    "solution_status": (*STATUSES, *SUBTYPES),
}
