"""Checks of a finished set of scenarios (specification 7.6)."""

from impossible_moments.production.quality.quality_report import CheckState, QualityCheck, QualityReport
from impossible_moments.production.quality.released_scenarios import ReleasedScenarios, ReleasedSet
from impossible_moments.production.quality.review_sample import (
    REVIEW_FILE,
    choose_review_sample,
    write_review_sample,
)
from impossible_moments.production.quality.text_classifier import (
    LabelledText,
    list_features,
    list_telling_features,
    measure_label,
)

__all__ = [
    "REVIEW_FILE",
    "CheckState",
    "LabelledText",
    "QualityCheck",
    "QualityReport",
    "ReleasedScenarios",
    "ReleasedSet",
    "choose_review_sample",
    "list_features",
    "list_telling_features",
    "measure_label",
    "write_review_sample",
]
