"""GALILEO's prediction against the tier of the brief: a point that the votes on the difficulty settle."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.open_points.point_ends import SettledEnd
from impossible_moments.agents.orchestrator.seed_changes import collect_current_deliverables
from impossible_moments.domain.difficulty import compute_median_profile
from impossible_moments.domain.difficulty_tiers import (
    EXPECTED_SHARES,
    choose_difficulty_tier,
    find_expected_score_range,
)
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import CalibrationVote
from impossible_moments.domain.vocabulary import GALILEO, TIERS


def describe_contradicting_prediction(dossier: Dossier) -> str:
    """Return how the predicted success of strong models contradicts the tier of the brief, or an empty text."""
    report = dossier.find_latest_deliverable(GroundingReport)
    tier = dossier.brief.difficulty_tier
    if report is None or not _compute_direction(dossier, report):
        return ""
    predicted = report.predicted
    return (
        f"{GALILEO} predicts that strong models reach {predicted.extended_reasoning:g} (extended reasoning) and "
        f"{predicted.agentic:g} (agentic) of 100, and of the tier {tier} of the brief they are expected to solve {EXPECTED_SHARES[tier]}."
    )


def _compute_direction(dossier: Dossier, report: GroundingReport) -> int:
    """Return -1 if the prediction speaks for an easier tier, 1 for a harder one, and 0 if it fits."""
    low, high = find_expected_score_range(dossier.brief.difficulty_tier)
    shares = (report.predicted.extended_reasoning, report.predicted.agentic)
    return -1 if min(shares) > high else 1 if max(shares) < low else 0


def find_prediction_end(dossier: Dossier) -> SettledEnd | None:
    """Return how the votes on the difficulty settle a contradicting prediction, or None before they are cast."""
    report = dossier.find_latest_deliverable(GroundingReport)
    votes = collect_current_deliverables(dossier, CalibrationVote)
    if report is None or GALILEO not in votes:
        return None
    status, asked = dossier.brief.solution_status, dossier.brief.difficulty_tier
    median = compute_median_profile(vote.profile for vote in votes.values())
    tier = choose_difficulty_tier(median.scores, status)[0]
    own = votes[GALILEO].tier or choose_difficulty_tier(votes[GALILEO].profile.scores, status)[0]
    tally = f"the median of {len(votes)} votes is {median}, which is {tier}; {GALILEO} itself votes {votes[GALILEO].profile}, {own}."
    moved = TIERS.index(tier) - TIERS.index(asked)
    is_followed = moved * _compute_direction(dossier, report) > 0
    return (
        ("adopted", f"Published as {tier}: {tally}")
        if is_followed
        else ("declined", f"The tier stays: {tally}")
    )
