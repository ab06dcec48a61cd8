"""Difficulty tiers for the structure checks, re-exported from `scenarios`."""

from impossible_moments.domain.difficulty_tiers import TIERS, choose_difficulty_tier

__all__ = ["TIERS", "choose_difficulty_tier"]
