"""The informed difficulty profile: what the evidence of the reveal shows, held against the blind impression.

A reader who knows the answer finds it easier than it is. So a score may exceed the blind impression by any amount, and
fall below it by one at most.
"""

from __future__ import annotations

from typing import Final

from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.difficulty_scoring import score_difficulty_evidence
from impossible_moments.mechanics.difficulty import DifficultyEvidence

_MOST_DROP: Final = 1


def score_informed_profile(
    evidence: DifficultyEvidence, blind: Profile | None
) -> tuple[Profile, dict[str, str]]:
    """Score the six dimensions from the revealed evidence, with a reason for each."""
    counted, reasons = score_difficulty_evidence(evidence)
    if blind is None:
        return counted, reasons
    scores = {
        letter: max(score, getattr(blind, letter) - _MOST_DROP)
        for letter, score in zip("IDCBTX", counted.scores, strict=True)
    }
    for letter, score in scores.items():
        if score != getattr(counted, letter):
            reasons[letter] += (
                f"; that alone is {getattr(counted, letter)}, and read blind it was {getattr(blind, letter)}, which I do "
                f"not undercut by more than {_MOST_DROP}"
            )
    return Profile(**scores), reasons
