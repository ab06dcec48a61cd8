"""GALILEO's difficulty scores: the evidence from the record, weighed by how rarely each needed habit is broken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.builtin.galileo.cognitive_constructs import find_share_breaking_habit
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.difficulty_scoring import score_difficulty_evidence
from impossible_moments.mechanics.difficulty import DifficultyEvidence

OFTEN_BROKEN: Final = 0.7
"""A habit that so many solvers break is weaker than its kind suggests."""
RARELY_BROKEN: Final = 0.25
"""A habit that so few solvers break is stronger than its kind suggests."""
LOWEST_SCORE, HIGHEST_SCORE = 1, 5


def score_by_research(evidence: DifficultyEvidence) -> tuple[Profile, Mapping[str, str]]:
    """Score the six dimensions. Counter-intuition moves one step if research finds the hardest habit often or rarely broken."""
    profile, reasons = score_difficulty_evidence(evidence)
    rarest = min(map(find_share_breaking_habit, evidence.habits), default=1.0)
    step = (rarest <= RARELY_BROKEN) - (rarest >= OFTEN_BROKEN)
    moved = min(max(profile.C + step, LOWEST_SCORE), HIGHEST_SCORE)
    reason = f"{reasons['C']}; a share of {rarest:.2f} finds the hardest of them"
    return profile.model_copy(update={"C": moved}), {**reasons, "C": reason}
