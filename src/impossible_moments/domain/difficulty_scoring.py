"""Scores of the six dimensions from evidence that execution gives. What a record only states does not raise a score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.domain.difficulty import AMPLE_TIME, Profile
from impossible_moments.mechanics.difficulty import DifficultyEvidence

HABIT_STRENGTHS: Final[Mapping[str, int]] = {
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
"""C: how hard the habit holds that an insight must break, 1 to 5."""
DOMAIN_FAMILIES: Final = (
    frozenset({"structures", "motion", "materials", "scale"}),
    frozenset({"fluids", "heat", "chemistry", "biology", "medicine"}),
    frozenset({"electricity", "optics", "acoustics", "signals", "computing"}),
    frozenset({"rules", "logic", "language", "economics"}),
    frozenset({"navigation", "astronomy", "optics"}),
)
"""B: groups of related domains."""
WITHOUT_PLAN: Final = frozenset({"PX", "OF"})
"""The statuses in which no plan works, so that no executed plan shows which insights it needs."""
PARADOX_MOST: Final = 4
"""D and X of a paradox: if nothing works, everything misleads; this alone must not give the highest score."""
MANY_INSIGHTS: Final = 4
"""I: so many needed insights, chained, are more than a few."""
LATE_DEAD_END: Final = 2
"""X: so many calls that are possible after a wrong turn make a trap that shows late; twice as many, a stepping stone."""
LITTLE_TIME: Final = 0.1
"""T: an answer that leaves at most this share of the deadline must be planned around the clock."""


def score_difficulty_evidence(evidence: DifficultyEvidence) -> tuple[Profile, dict[str, str]]:
    """Return the difficulty profile that evidence gives, and the reason for each letter."""
    most = PARADOX_MOST if evidence.status == "PX" else 5
    scored = {
        "I": _score_insights(evidence),
        "D": _score_distractors(evidence, most),
        "C": _score_counter_intuition(evidence),
        "B": _score_bridge(evidence),
        "T": _score_time(evidence),
        "X": _score_traps(evidence, most),
    }
    return (
        Profile(**{letter: score for letter, (score, _) in scored.items()}),
        {letter: reason for letter, (_, reason) in scored.items()},
    )


def _score_insights(evidence: DifficultyEvidence) -> tuple[int, str]:
    """Score one 1, two 2, three 3, four or more in a chain 4, and 5 if the whole frame goes besides.

    A step at which another possible move loses counts like an insight that depends on the step before. Twice as many
    such steps as make a chain of many leave no part of the first picture standing.
    """
    needed = max(evidence.needed_insights, evidence.decisions)
    chain = max(evidence.insight_chain, evidence.decisions)
    score = min(max(needed, 1), 3)
    if needed >= MANY_INSIGHTS and chain >= 2:  # noqa: PLR2004 - the framework's scale
        rebuilds_frame = evidence.drops_premise and chain >= 3  # noqa: PLR2004
        score = 5 if rebuilds_frame or evidence.decisions >= 2 * MANY_INSIGHTS else 4
    lost = f"; {evidence.decisions} steps can be lost" if evidence.decisions else ""
    return score, _describe_needed_insights(evidence) + lost


def _describe_needed_insights(evidence: DifficultyEvidence) -> str:
    """Describe how many insights are needed. Where no plan works, they are those about failing alternatives."""
    needed, listed = evidence.needed_insights, evidence.listed_insights
    verb = "is" if needed == 1 else "are"
    if evidence.status in WITHOUT_PLAN:
        return f"{needed} of {listed} insights {verb} about alternatives that must be worked out to see that they fail"
    chain = f", the longest chain has {evidence.insight_chain}" if needed > 1 else ""
    return f"{needed} of {listed} insights {verb} needed{chain}"


def _score_distractors(evidence: DifficultyEvidence, most: int) -> tuple[int, str]:
    """Score none 1, mild ones 2, several with a strong one 3, strong ones in one false story 4, most of the text 5."""
    strengths = list(evidence.distractors.values())
    strong, tempting = strengths.count("strong"), sum(each != "weak" for each in strengths)
    score = 1 + bool(strengths)
    if len(strengths) > 1 and (strong or tempting > 1):
        score = 3
    if tempting >= 3 and strong >= 2 and (evidence.false_story >= 2 or strong >= 4):  # noqa: PLR2004 - the framework's scale
        score = 5 if strong >= 4 and 2 * strong > evidence.things else 4  # noqa: PLR2004
    return (
        min(score, most),
        (
            f"{len(strengths)} distractors, {strong} strong, {tempting - strong} moderate; at most "
            f"{evidence.false_story} strong ones in one alternative"
        ),
    )


def _score_counter_intuition(evidence: DifficultyEvidence) -> tuple[int, str]:
    """Score the strongest needed habit, as far as executed alternatives show that it misleads.

    Without a deep alternative the score is at most 2, with one at most 3, with one that opposes the habit of an insight
    at most 4, and with several such at most 5.
    """
    strongest = max(evidence.habits, key=lambda habit: HABIT_STRENGTHS.get(habit, 1), default="none")
    opposed = len(evidence.opposed_habits)
    shown = 2 + bool(evidence.deep_alternatives) + min(opposed, 2) if evidence.deep_alternatives else 2
    score = min(HABIT_STRENGTHS.get(strongest, 1), shown)
    return (
        score,
        (
            f"the strongest habit of a needed insight is {strongest}; {evidence.deep_alternatives} alternatives must be "
            f"worked out, and {opposed} needed insights are opposed by one"
        ),
    )


def _score_bridge(evidence: DifficultyEvidence) -> tuple[int, str]:
    """Score one domain 1, two related 2, two unrelated 3, three 4, more 5."""
    domains = set(evidence.domains)
    reason = f"domains whose conditions bind: {', '.join(sorted(domains)) or 'none'}"
    if len(domains) > 2:  # noqa: PLR2004 - the framework's scale
        return min(len(domains) + 1, 5), reason
    if len(domains) < 2:  # noqa: PLR2004
        return 1, reason
    return (2 if any(domains <= family for family in DOMAIN_FAMILIES) else 3), reason


def _score_time(evidence: DifficultyEvidence) -> tuple[int, str]:
    """Score no clock 1, a soft one 2, a window 3, one that ends most valid approaches 4, the clock as the puzzle 5."""
    if not evidence.has_deadline:
        return 1, "there is no deadline"
    late, left = evidence.late, evidence.time_left
    words = "nothing answers in time" if left is None else f"an answer leaves {left:.0%} of the deadline"
    reason = f"{words}; {late} of {evidence.failing} failing approaches fail by time alone"
    kills_most = late > evidence.working and 2 * late >= evidence.failing
    if kills_most:
        return (5 if left is not None and left <= LITTLE_TIME else 4), reason
    return (2 if left is not None and left > AMPLE_TIME else 3), reason


def _score_traps(evidence: DifficultyEvidence, most: int) -> tuple[int, str]:
    """Score no trap 1, none that must be worked out 2, some 3, at several levels 4, the trap as stepping stone 5."""
    deep = evidence.deep_alternatives
    reason = (
        f"{deep} alternatives must be worked out; they fail after {evidence.trap_levels} different numbers of calls at "
        f"{evidence.trap_ends} conditions; {evidence.stepping_stones} begin like an answer"
    )
    further = evidence.calls_after_wrong_turn
    if further >= LATE_DEAD_END:
        score = 5 if further >= 2 * LATE_DEAD_END else 4
        return min(score, most), f"{reason}; {further:.1f} calls are possible after a wrong turn"
    if not deep:
        return 1 + bool(evidence.failing), reason
    has_levels = deep >= 3 and evidence.trap_levels >= 2 and evidence.trap_ends >= 2  # noqa: PLR2004 - the framework's scale
    score = 3 + has_levels + (has_levels and evidence.stepping_stones >= 2)  # noqa: PLR2004
    return min(score, most), reason
