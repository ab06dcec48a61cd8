"""Readings that may be wrong although every step was read. They count against a rejection and not against an acceptance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import InterpretedStep, StepKind, execute_interpreted_plan

MOST_ARRANGED: Final = 3
"""The most acts of a sentence that are tried in every order. A sentence with more is always uncertain."""
_SPOKEN: Final = ("choose(", "answer(")


def list_uncertain_readings(
    steps: tuple[InterpretedStep, ...], lifted: frozenset[str], key: AnswerKey
) -> tuple[str, ...]:
    """Return why a plan that fails may have been read wrongly.

    Values and answers to puzzles may be stated in words that were not read, and a sentence with several acts does not
    always say them in their order.
    """
    if not steps:
        return ()
    calls = [step.call for step in steps if step.kind is StepKind.CALL]
    return (
        *_list_missing_values(calls, key),
        *_list_repeated_values(calls, key),
        *_list_missing_answers(calls, lifted, key),
        *_list_sentences_with_several_acts(steps, lifted, key),
    )


def _list_missing_values(calls: list[str], key: AnswerKey) -> Iterator[str]:
    for quantity in key.analysis.engine.decisions:
        value = key.wording.values.get(quantity.name)
        if value is not None and not any(call.startswith(f"choose({quantity.name}=") for call in calls):
            yield f"no value was read for the {value.label}"


def _list_repeated_values(calls: list[str], key: AnswerKey) -> Iterator[str]:
    """Yield the decisions for which several values were read. One of them may be a figure of something else."""
    for quantity in key.analysis.engine.decisions:
        values = {call for call in calls if call.startswith(f"choose({quantity.name}=")}
        if len(values) > 1:
            value = key.wording.values.get(quantity.name)
            yield f"several values were read for the {quantity.name if value is None else value.label}"


def _list_missing_answers(calls: list[str], lifted: frozenset[str], key: AnswerKey) -> Iterator[str]:
    """Yield the questions to which no answer was read, if the acts would work with the right answers.

    Without any act, the answer may be all that was read.
    """
    world = key.analysis.world
    missing = [
        puzzle
        for puzzle in world.record.puzzles
        if not any(call.startswith(f"answer({puzzle.name},") for call in calls)
    ]
    right = [
        f"answer({puzzle.name}, '{answer}')"
        for puzzle in missing
        for answer in world.puzzles[puzzle.name].answers[:1]
    ]
    if calls and not execute_interpreted_plan([*right, *calls], key, lifted=lifted).reaches_goal:
        return
    for puzzle in missing:
        value = key.wording.values.get(puzzle.name)
        yield f"no answer was read to the question of the {value.label if value is not None else puzzle.kind}"


def _list_sentences_with_several_acts(
    steps: tuple[InterpretedStep, ...], lifted: frozenset[str], key: AnswerKey
) -> Iterator[str]:
    """Yield the sentences of whose acts some would work, in some order."""
    acts = Counter(step.text for step in steps if _is_act(step))
    for text, count in acts.items():
        if count > MOST_ARRANGED or (count > 1 and _works_arranged(text, steps, lifted, key)):
            yield f"{text[:120]!r} was read as {count} acts, whose order is not certain"


def _works_arranged(
    text: str, steps: tuple[InterpretedStep, ...], lifted: frozenset[str], key: AnswerKey
) -> bool:
    said = [step.call for step in steps if _is_act(step) and step.text == text]
    place = next(at for at, step in enumerate(steps) if _is_act(step) and step.text == text)
    before, after = (
        [
            step.call
            for step in part
            if step.kind is StepKind.CALL and not (_is_act(step) and step.text == text)
        ]
        for part in (steps[:place], steps[place:])
    )
    return any(
        execute_interpreted_plan([*before, *some, *after], key, lifted=lifted).reaches_goal
        for size in range(1, len(said) + 1)
        for some in permutations(said, size)
    )


def _is_act(step: InterpretedStep) -> bool:
    return step.kind is StepKind.CALL and not step.call.startswith(_SPOKEN)
