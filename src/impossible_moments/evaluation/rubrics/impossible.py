"""PX: that it cannot be done, and which conditions really forbid it; a proposed solution earns nothing."""

from __future__ import annotations

from typing import Final

from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import Answer, Verdict
from impossible_moments.evaluation.reading.conflicts import conflict_named
from impossible_moments.evaluation.reading.playing import played
from impossible_moments.evaluation.rubrics.standing import Standing, physical, told

UNREAD: Final = "steps nobody read"
"""A proposed solution with steps that the record does not know: the proof stands against it, and maintainers may look."""


def paradox(answer: Answer, key: AnswerKey) -> Standing:
    """40 for saying so, 30 for the conflict, 30 for an argument that stands."""
    if answer.verdict is not Verdict.IMPOSSIBLE:
        tried = played(answer.plan, key)
        flags = [*(["false solution"] if answer.plan else []), *([UNREAD] if tried.unknown else [])]
        valid = max(physical(tried) - 20.0, 0.0)
        return Standing(0.0, valid, 0.0, f"no way exists; {told(tried)}", tuple(flags), tried)
    found = conflict_named(answer, key)
    # rigour: an argument is as good as the part of it that stands, so a list of everything argues for nothing
    outcome = 40.0 + 30.0 * found.share + 30.0 * found.share * found.held
    named = ", ".join(sorted(found.conditions)) or "none that really stands"
    return Standing(outcome, 100.0 * found.held, 100.0 * found.share, f"conflicts named: {named}")
