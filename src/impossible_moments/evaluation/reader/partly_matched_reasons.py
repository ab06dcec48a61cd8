"""Reasons against the goal that name a part of the conflict by their words, and may say the rest in other words."""

from __future__ import annotations

from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict
from impossible_moments.evaluation.interpretation import InterpretedAnswer

FEWEST_REASONS: Final = 2
"""The fewest reasons that are an argument. One alone is credited by what its words name."""


def list_partly_matched_reasons(answer: InterpretedAnswer, key: AnswerKey) -> tuple[str, ...]:
    """Return what a reader has to look for if an answer gives as many true reasons as the conflict has main parts.

    A reason is matched with the conditions that its words name. What it implies is for a reader to say.
    """
    if key.status != "PX" or answer.verdict is not AnswerVerdict.IMPOSSIBLE:
        return ()
    true = frozenset(key.conflict) | key.failing_conditions
    main = (key.breaking_conditions - key.wording.bookkeeping) & frozenset(key.conflict)
    missing = sorted(main.difference(*answer.conflict))
    is_true = all(reason & true for reason in answer.conflict)
    if not missing or not is_true or len(answer.conflict) < max(len(main), FEWEST_REASONS):
        return ()
    sentences = "; ".join(key.wording.conditions.get(name, name) for name in missing)
    return (f"whether the reasons also say this was not read: {sentences}",)
