"""Calls that an answer says more than once: it repeats itself, or names a later step in passing."""

from __future__ import annotations

from collections.abc import Iterator

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import InterpretedStep, StepKind, execute_interpreted_plan


def select_working_order(
    steps: tuple[InterpretedStep, ...], lifted: frozenset[str], key: AnswerKey
) -> tuple[InterpretedStep, ...]:
    """Return the steps with each repeated call once: where it is said first or last, whichever works.

    If the steps work as they stand, or no call is repeated, they are returned unchanged.
    """
    for each in (steps, *_iterate_without_repetitions(steps)):
        calls = [step.call for step in each if step.kind is StepKind.CALL]
        if execute_interpreted_plan(calls, key, lifted=lifted).reaches_goal:
            return each
    return steps


def _iterate_without_repetitions(steps: tuple[InterpretedStep, ...]) -> Iterator[tuple[InterpretedStep, ...]]:
    calls = [step.call for step in steps if step.kind is StepKind.CALL]
    if len(set(calls)) == len(calls):
        return
    yield _keep_first(steps)
    yield tuple(reversed(_keep_first(tuple(reversed(steps)))))


def _keep_first(steps: tuple[InterpretedStep, ...]) -> tuple[InterpretedStep, ...]:
    seen: set[str] = set()
    kept = []
    for step in steps:
        if step.kind is StepKind.CALL and step.call in seen:
            continue
        seen.add(step.call)
        kept.append(step)
    return tuple(kept)
