"""GALILEO's difficulty scores: how rarely each habit is broken, and how strongly distractors pull."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.builtin.galileo.performance_prediction import (
    build_insight_chain,
    rank_hardest_insights,
)
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.domain.difficulty import AMPLE_TIME, Profile, score_time_pressure_of_late_approaches
from impossible_moments.domain.seed import SeedDocument

FRAME_SHARE: Final = 0.2
"""An insight that so few find rebuilds the whole frame."""
_DURATION: Final = re.compile(
    r"\b(?:too late|too long|too slow\w*|in time)\b|\d\s?(?:s|min|h|days?|weeks?|years?)\b", re.IGNORECASE
)
_ALL_FOUND: Final = (0.55, 0.3, 0.15, 0.0)
_HARDEST_FOUND: Final = (0.7, 0.55, 0.4, 0.25)
# fmt: off
_DISTANCE: Final = {
    # fields of knowledge that are taught together
    "structures": "mechanics", "motion": "mechanics", "fluids": "mechanics", "mechanics": "mechanics",
    "chemistry": "matter", "heat": "matter", "materials": "matter", "electricity": "matter",
    "logic": "formal", "computing": "formal", "signals": "formal", "mathematics": "formal", "information": "formal",
    "rules": "society", "economics": "society", "law": "society", "language": "society",
    "medicine": "life", "biology": "life", "ecology": "life",
}
# fmt: on


def score_by_research(seed: SeedDocument, margin: float | None) -> tuple[Profile, Mapping[str, str]]:
    """Score the six dimensions. `margin` is the share of the deadline that EULER found left, if known."""
    chain = build_insight_chain(seed)
    ranked = rank_hardest_insights(seed)
    rarest = ranked[0][0] if ranked else 0.8
    strong = sum(each.strength == "strong" for each in seed.distractor_inventory)
    tempting = sum(each.strength != "weak" for each in seed.distractor_inventory)
    domains = sorted({each.domain for each in seed.insight_chain if each.domain})
    groups = sorted({_DISTANCE.get(domain, domain) for domain in domains})
    found = chain.compute_share_finding_all()
    timed = bool(seed.mechanics.get("deadline"))
    profile = Profile(
        I=5 if rarest <= FRAME_SHARE else _count_steps_above(found, _ALL_FOUND),
        D=1 if not seed.distractor_inventory else min(2 + (strong > 0) + (tempting > 2), 4),  # noqa: PLR2004 - more than a pair
        C=_count_steps_above(rarest, _HARDEST_FOUND),
        B=_score_bridge(len(domains), len(groups)),
        T=_score_time(seed, margin) if timed else 1,
        X=min(1 + len(seed.wrong_answers), 2 + (strong > 0) + (strong > 1)),
    )
    reasons = {
        "I": f"p^N = {found:.2f} over {format_count(chain.length, 'insight')}",
        "D": f"{format_count(len(seed.distractor_inventory), 'distractor')}, {tempting} more than weak, {strong} strong",
        "C": f"the hardest insight ({ranked[0][1].fixedness_type if ranked else 'none'}) is found by a share of {rarest:.2f}",
        "B": f"{len(domains)} domains ({', '.join(domains) or 'none named'}) from {len(groups)} fields that are taught apart",
        "T": _explain_time(seed, margin) if timed else "no deadline",
        "X": f"{format_count(len(seed.wrong_answers), 'wrong answer')}, {strong} of them behind a strong distractor",
    }
    return profile, reasons


def _score_bridge(domains: int, groups: int) -> int:
    """Score the bridge: one domain, two related, two unrelated, or three and more."""
    if domains <= 1:
        return 1
    if domains == 2:  # noqa: PLR2004 - a pair is related or not
        return 1 + groups
    return 4 if groups > 1 else 3


def _score_time(seed: SeedDocument, margin: float | None) -> int:
    """Score the pressure of time by the wrong answers that fail by time, else by the margin."""
    late = count_late_answers(seed)
    if late:
        return score_time_pressure_of_late_approaches(late, len(seed.wrong_answers))
    return 3 if margin is None or margin < AMPLE_TIME else 2


def _explain_time(seed: SeedDocument, margin: float | None) -> str:
    left = "the margin is unknown" if margin is None else f"{margin:.0%} of the deadline is left"
    return f"{count_late_answers(seed)} of {len(seed.wrong_answers)} wrong answers fail by time; {left}"


def count_late_answers(seed: SeedDocument) -> int:
    """Return how many wrong answers fail because they take too long, by the reason that is stated for them."""
    return sum(_DURATION.search(each.why_wrong) is not None for each in seed.wrong_answers)


def _count_steps_above(value: float, steps: tuple[float, ...]) -> int:
    """Return 1 plus the number of steps that the value is below."""
    return 1 + sum(value < step for step in steps)
