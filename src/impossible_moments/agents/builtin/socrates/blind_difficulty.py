"""The blind difficulty profile: the six dimensions as they appear to a first reader, with a reason for each."""

from __future__ import annotations

from typing import Final

from impossible_moments.agents.builtin.socrates.blind_reading import BlindReading
from impossible_moments.agents.builtin.socrates.knowledge_fields import find_knowledge_fields
from impossible_moments.agents.builtin.socrates.text_facts import TIME
from impossible_moments.domain.difficulty import AMPLE_TIME, NEAR_MISS, Profile
from impossible_moments.domain.vocabulary import Status

_INSIGHTS_EXPECTED: Final[dict[Status, int]] = {"DG": 1, "KS": 2, "CT": 3, "PX": 3, "MT": 3, "OF": 5}
"""How many insights a reader expects behind a text of each status."""
_COUNTER_INTUITION: Final[dict[Status, int]] = {"DG": 2, "KS": 2, "CT": 3, "PX": 3, "MT": 4, "OF": 4}
_MANY: Final = 3


def score_blind_profile(reading: BlindReading) -> tuple[Profile, dict[str, str]]:
    """Score the six dimensions from what was read."""
    facts = reading.facts
    missed_needs = sorted({each.needed.passage for each in reading.conflicts})
    misleading = [option.thing.name for option in reading.options if option.is_excluded or option.remarks]
    fields = find_knowledge_fields(facts)
    near = [each for each in reading.conflicts if each.ratio > 1 - NEAR_MISS]
    pulling = [
        each.sign.name
        for each in reading.signs
        if each.sign.name in {"insistence that a way must exist", "retold with a difference", "learned fuss"}
    ]
    time_score, time_reason = _score_time(reading)
    profile = Profile(
        I=min(_INSIGHTS_EXPECTED[reading.status] + (len(missed_needs) > 1), 5),
        D=min(1 + len(misleading), 4),
        C=min(_COUNTER_INTUITION[reading.status] + bool(pulling), 5),
        B=min(max(len(fields) - 1, 1), 4),
        T=time_score,
        X=min(1 + bool(reading.conflicts or misleading) + len(near) + bool(pulling), 5),
    )
    reasons = {
        "I": f"As {reading.status} it should take about {_INSIGHTS_EXPECTED[reading.status]} insights; {len(missed_needs)} stated needs are missed by what comes to mind.",
        "D": f"{len(misleading)} of {len(reading.options)} named things are excluded or warned of in the text: {', '.join(misleading[:_MANY]) or 'none'}.",
        "C": f"The text pulls the reader by {', '.join(pulling)}."
        if pulling
        else "Nothing in the text pushes the reader one way; what counts is what the figures say.",
        "B": f"It draws on {', '.join(fields) or 'no special field'}.",
        "T": time_reason,
        "X": f"{len(reading.conflicts)} stated figures end against an idea, {len(near)} of them by less than {NEAR_MISS:.0%}.",
    }
    return profile, reasons


def _score_time(reading: BlindReading) -> tuple[int, str]:
    """Score the pressure of time by how many stated times exceed or nearly fill the deadline."""
    deadline = reading.facts.deadline
    if deadline is None:
        return 1, "No deadline is stated."
    timed = [each for each in reading.comparisons if each.needed is deadline]
    late = [each for each in timed if not each.holds]
    steps = [
        each
        for each in reading.facts.conditions
        if each.dimension == TIME and each is not deadline and each.value <= deadline.value
    ]
    filled = sum(each.value for each in steps) / deadline.value if deadline.value else 0.0
    if len(late) > 1 and 2 * len(late) >= len(timed):
        return 5, f"{len(late)} of {len(timed)} things come too late for `{deadline.passage}`."
    if late:
        return 4, f"{late[0].thing} comes too late for `{deadline.passage}`."
    if filled > 1 - AMPLE_TIME:
        return 3, f"The stated times add up to {filled:.0%} of {deadline.printed}."
    return 2, f"{deadline.printed} are stated, and what is timed in the text takes {filled:.0%} of them."
