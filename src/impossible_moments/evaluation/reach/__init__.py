"""IM-Reach: the level at which a model still solves half of the items, found by adaptive testing on fresh draws."""

from impossible_moments.evaluation.reach.adaptive_test import (
    ITEMS,
    ReachItem,
    ReachItemSource,
    ReachTest,
    derive_item_seed,
)
from impossible_moments.evaluation.reach.level_posterior import LevelEstimate, LevelPosterior
from impossible_moments.evaluation.reach.reach_evaluator import ReachEvaluator
from impossible_moments.evaluation.reach.reach_results import (
    ReachItemResult,
    ReachPoint,
    ReachResults,
    build_reach_point,
)

__all__ = [
    "ITEMS",
    "LevelEstimate",
    "LevelPosterior",
    "ReachEvaluator",
    "ReachItem",
    "ReachItemResult",
    "ReachItemSource",
    "ReachPoint",
    "ReachResults",
    "ReachTest",
    "build_reach_point",
    "derive_item_seed",
]
