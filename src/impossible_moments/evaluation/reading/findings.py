"""What an answer found out, where its plan does not say so: a diagnosis told to somebody, or only given as a reason.

A plan that opens the heating tape has found the cause, though it nowhere says `answer`. The finding is taken from what it
tells, and else from its reasons, if these point to one explanation and no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import Answer, Step
from impossible_moments.evaluation.reading.values import found_in
from impossible_moments.evaluation.reading.verbs import family_of

_TELLING: Final = frozenset({"tell", "write", "claim", "trust", "show"})


def with_findings(answer: Answer, key: AnswerKey) -> tuple[Step, ...]:
    """The plan of an answer, led by what it found out where it does not answer a puzzle that is there."""
    puzzles = key.analysis.world.puzzles
    if not puzzles or any("answer" in family_of(step.do) for step in answer.plan):
        return answer.plan
    for lines in (tuple(_told(answer)), (*answer.because, *answer.conflict)):
        found = {each for line in lines for each in found_in(line, key.analysis.world)}
        if len(found) == 1:
            return (Step("answer", (), found.pop()), *answer.plan)
    return answer.plan


def _told(answer: Answer) -> Iterator[str]:
    return (step.value for step in answer.plan if step.value and _TELLING & set(family_of(step.do)))
