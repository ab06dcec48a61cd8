"""The difficulty tier of a profile, as the auditor compares it with what a document says."""

from impossible_moments.scenarios.tiers import TIERS, tier_of

__all__ = ["TIERS", "tier_of"]
