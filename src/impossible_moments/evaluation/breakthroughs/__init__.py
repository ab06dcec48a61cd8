"""Breakthroughs: candidate answers to open questions, their review by experts, and the log of events."""

from impossible_moments.evaluation.breakthroughs.candidate_collection import (
    CandidateCollection,
    CandidateCollector,
)
from impossible_moments.evaluation.breakthroughs.candidate_page import (
    describe_stage_results,
    render_candidate_page,
)
from impossible_moments.evaluation.breakthroughs.candidates import (
    BreakthroughCandidate,
    CandidateStanding,
)
from impossible_moments.evaluation.breakthroughs.changelog import (
    format_changelog_entry,
    write_changelog_entry,
)
from impossible_moments.evaluation.breakthroughs.event_log import BreakthroughLog
from impossible_moments.evaluation.breakthroughs.events import (
    VERIFICATION_METHODS,
    CandidateVerified,
    ExpertVote,
    VerificationTier,
)

__all__ = [
    "VERIFICATION_METHODS",
    "BreakthroughCandidate",
    "BreakthroughLog",
    "CandidateCollection",
    "CandidateCollector",
    "CandidateStanding",
    "CandidateVerified",
    "ExpertVote",
    "VerificationTier",
    "describe_stage_results",
    "format_changelog_entry",
    "render_candidate_page",
    "write_changelog_entry",
]
