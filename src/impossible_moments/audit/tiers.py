"""Difficulty tiers for the structure checks, re-exported from `scenarios`."""

from impossible_moments.scenarios.tiers import TIERS, tier_of

__all__ = ["TIERS", "tier_of"]
