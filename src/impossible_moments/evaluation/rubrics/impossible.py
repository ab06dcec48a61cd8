"""Rubric for paradox scenarios (PX): the goal is impossible because of certain conditions."""

from __future__ import annotations

from typing import Final

from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import Answer, Verdict
from impossible_moments.evaluation.reading.conflicts import conflict_named
from impossible_moments.evaluation.reading.playing import played
from impossible_moments.evaluation.rubrics.standing import Standing, physical, told

UNREAD: Final = "steps nobody read"
"""Flag of a proposed solution with unknown steps; it earns nothing, but maintainers may review it."""


def paradox(answer: Answer, key: AnswerKey) -> Standing:
    """Score an answer to a paradox scenario.

    The verdict `impossible` earns 40, naming the conflict up to 30, and a sound argument up to 30. A proposed
    solution earns nothing.
    """
    if answer.verdict is not Verdict.IMPOSSIBLE:
        tried = played(answer.plan, key)
        flags = [*(["false solution"] if answer.plan else []), *([UNREAD] if tried.unknown else [])]
        valid = max(physical(tried) - 20.0, 0.0)
        return Standing(0.0, valid, 0.0, f"the goal cannot be reached; {told(tried)}", tuple(flags), tried)
    found = conflict_named(answer, key)
    # rigour: irrelevant lines reduce the points, so listing everything does not pay
    outcome = 40.0 + 30.0 * found.share + 30.0 * found.share * found.held
    named = ", ".join(sorted(found.conditions)) or "none that holds"
    return Standing(outcome, 100.0 * found.held, 100.0 * found.share, f"conflicts named: {named}")
