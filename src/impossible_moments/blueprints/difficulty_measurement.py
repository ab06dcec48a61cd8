"""Measurement of the six difficulty scores of a drawn scenario from what executing its record shows.

The scores are predictions. Only results of solvers show whether the scenarios of a tier are as hard as predicted.
"""

from __future__ import annotations

from collections.abc import Sequence

from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.difficulty_scoring import score_difficulty_evidence
from impossible_moments.mechanics.checks import StatusVerdict, WorldAnalysis
from impossible_moments.mechanics.difficulty import InsightFact, collect_difficulty_evidence


def measure_difficulty(
    analysis: WorldAnalysis,
    verdict: StatusVerdict,
    insights: Sequence[InsightFact],
    distractors: Sequence[str],
) -> Profile:
    """Return the difficulty profile of a scenario from its analysis, its insights and the names of its distractors."""
    evidence = collect_difficulty_evidence(analysis, verdict, insights, distractors)
    return score_difficulty_evidence(evidence)[0]
