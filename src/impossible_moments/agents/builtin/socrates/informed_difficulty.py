"""The informed difficulty profile: what the reveal shows, held against the blind impression.

A reader who knows the answer finds it easier than it is. So a score may exceed the blind impression by any amount, and
fall below it by one at most.
"""

from __future__ import annotations

from typing import Final

from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.agents.builtin.socrates.informed_classification import RevealedEvidence
from impossible_moments.domain.difficulty import AMPLE_TIME, Profile

_OVERRIDES: Final = {
    "surprise": 1,
    "functional fixedness": 2,
    "overlooked property": 2,
    "implicit constraint": 3,
    "mental set": 3,
    "misleading salience": 3,
    "causal misattribution": 3,
    "scale intuition": 4,
    "inversion": 4,
    "frame": 5,
}
"""How strongly each habit resists, as a reader judges it: from merely unexpected to the whole frame."""
_MOST_DROP: Final = 1


def score_informed_profile(
    evidence: RevealedEvidence, blind: Profile | None
) -> tuple[Profile, dict[str, str]]:
    """Score the six dimensions from the revealed evidence, with a reason for each."""
    seed = evidence.seed
    kinds = [each.fixedness_type for each in seed.insight_chain]
    chained = sum(bool(each.depends_on) for each in seed.insight_chain)
    strong = [each.name for each in seed.distractor_inventory if each.strength == "strong"]
    domains = sorted({each.domain for each in seed.insight_chain if each.domain})
    framed = "frame" in kinds or (evidence.frontier and not seed.solution_sketch.steps)
    hardest = max(kinds, key=lambda kind: _OVERRIDES.get(kind, 2), default="surprise")
    counted = {
        "I": 5 if framed else min(max(len(kinds) + bool(chained), 1), 4),
        "D": 1
        if not seed.distractor_inventory
        else min(2 + bool(strong) + (bool(strong) and len(seed.distractor_inventory) > 2), 4),  # noqa: PLR2004 - more than a pair
        "C": max(_OVERRIDES.get(hardest, 2), 2) if kinds else 1,
        "B": min(max(len(domains), 1) + (len(domains) > 1), 4),
        "T": _score_time(evidence, blind),
        "X": min(1 + bool(seed.wrong_answers) + min(len(strong), 2) + (len(seed.wrong_answers) > 3), 5),  # noqa: PLR2004 - more than three ways to go wrong
    }
    scores = {
        letter: score if blind is None else max(score, getattr(blind, letter) - _MOST_DROP)
        for letter, score in counted.items()
    }
    reasons = {
        "I": f"{format_count(len(kinds), 'insight')}, {chained} of them dependent on another"
        + (", and the whole frame has to go" if framed else ""),
        "D": f"{format_count(len(seed.distractor_inventory), 'distractor')}, strong: {', '.join(strong) or 'none'}",
        "C": f"the hardest habit to override is {hardest}",
        "B": f"the insights come from {', '.join(domains) or 'one domain'}",
        "T": "no deadline is computed"
        if evidence.margin is None
        else f"{evidence.margin:.0%} of the deadline is left",
        "X": f"{format_count(len(seed.wrong_answers), 'plausible wrong answer')}, {format_count(len(strong), 'strong distractor')} that lead to them",
    }
    for letter, score in counted.items():
        if scores[letter] != score:
            reasons[letter] += (
                f"; that alone is {score}, and read blind it was {getattr(blind, letter)}, which I do not undercut by more than {_MOST_DROP}"
            )
    return Profile(**scores), reasons


def _score_time(evidence: RevealedEvidence, blind: Profile | None) -> int:
    """Score the time as it pressed at first reading. A plan that leaves ample time relieves it by one."""
    if not evidence.seed.mechanics.get("deadline"):
        return 1
    pressed = blind.T if blind is not None else 3
    ample = evidence.margin is not None and evidence.margin > AMPLE_TIME
    return max(pressed - ample, 2)
