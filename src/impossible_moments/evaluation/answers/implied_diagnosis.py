"""Diagnoses that an answer states without an `answer` step.

A plan may act on a diagnosis without an `answer` step. The diagnosis is then taken from what the plan
communicates, or else from its reasons, provided that they point to exactly one hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerStep, ParsedAnswer
from impossible_moments.evaluation.answers.common_verbs import find_common_verbs_for_answer_phrase
from impossible_moments.evaluation.answers.step_values import iterate_stated_hypotheses

_STATING_VERBS: Final = frozenset({"tell", "write", "claim", "trust", "show"})


def prepend_implied_diagnosis(answer: ParsedAnswer, key: AnswerKey) -> tuple[AnswerStep, ...]:
    """Return the plan of an answer, with an `answer` step in front if its diagnosis is only implied.

    The plan is returned unchanged if the record has no puzzle or if the plan already has an `answer` step.
    """
    puzzles = key.analysis.world.puzzles
    if not puzzles or any("answer" in find_common_verbs_for_answer_phrase(step.do) for step in answer.plan):
        return answer.plan
    for lines in (tuple(_iterate_values_of_stating_steps(answer)), (*answer.because, *answer.conflict)):
        found = {each for line in lines for each in iterate_stated_hypotheses(line, key.analysis.world)}
        if len(found) == 1:
            return (AnswerStep("answer", (), found.pop()), *answer.plan)
    return answer.plan


def _iterate_values_of_stating_steps(answer: ParsedAnswer) -> Iterator[str]:
    return (
        step.value
        for step in answer.plan
        if step.value and _STATING_VERBS & set(find_common_verbs_for_answer_phrase(step.do))
    )
