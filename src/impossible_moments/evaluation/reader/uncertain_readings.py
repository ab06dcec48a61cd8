"""Readings that may be wrong although every step was read. They count against a rejection and not against an acceptance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import InterpretedStep, StepKind

_SPOKEN = ("choose(", "answer(")


def list_uncertain_readings(steps: tuple[InterpretedStep, ...], key: AnswerKey) -> tuple[str, ...]:
    """Return why a plan that fails may have been read wrongly.

    Values and answers to puzzles may be stated in words that were not read, and a sentence with several acts does not
    always say them in their order.
    """
    calls = [step.call for step in steps if step.kind is StepKind.CALL]
    return (*_list_missing_values(calls, key), *_list_sentences_with_several_acts(steps)) if steps else ()


def _list_missing_values(calls: list[str], key: AnswerKey) -> Iterator[str]:
    for quantity in key.analysis.engine.decisions:
        value = key.wording.values.get(quantity.name)
        if value is not None and not any(call.startswith(f"choose({quantity.name}=") for call in calls):
            yield f"no value was read for the {value.label}"
    for puzzle in key.analysis.world.record.puzzles:
        if not any(call.startswith(f"answer({puzzle.name},") for call in calls):
            value = key.wording.values.get(puzzle.name)
            yield f"no answer was read to the question of the {value.label if value is not None else puzzle.kind}"


def _list_sentences_with_several_acts(steps: tuple[InterpretedStep, ...]) -> Iterator[str]:
    acts = Counter(
        step.text for step in steps if step.kind is StepKind.CALL and not step.call.startswith(_SPOKEN)
    )
    for text, count in acts.items():
        if count > 1:
            yield f"{text[:120]!r} was read as {count} acts, whose order is not certain"
