"""Difficulty tiers for the structure checks, re-exported from `scenarios`."""

from impossible_moments.scenarios.tiers import TIERS, choose_difficulty_tier

__all__ = ["TIERS", "choose_difficulty_tier"]
