"""Answers to signal puzzles, which a translator reads state by state: one choice for each thing to be signalled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import InterpretedStep, StepKind, execute_interpreted_plan
from impossible_moments.mechanics.records import SignalPuzzle

_ANSWER: Final = re.compile(r"answer\((\w+), '(\w+=\w+(?:, \w+=\w+)*)'\)")


def list_signals(puzzle: SignalPuzzle) -> tuple[str, ...]:
    """Return the names of the signals that can be sent."""
    return tuple(line.partition("=")[0].strip() for line in puzzle.signals)


def build_signal_call(place: str, signal: str) -> str:
    """Return the call that gives one state of a puzzle a signal. `place` is `puzzle.state`."""
    puzzle, _, state = place.partition(".")
    return f"answer({puzzle}, '{state}={signal.replace(' ', '_')}')"


def merge_signal_answers(steps: Sequence[InterpretedStep], key: AnswerKey) -> tuple[InterpretedStep, ...]:
    """Return the steps with all signals of a puzzle in one answer, where the first of them is given.

    States that get two different signals stay two answers.
    """
    found: list[InterpretedStep] = []
    for step in steps:
        at = _find_other_answer(step, found, key)
        if at is None:
            found.append(step)
        else:
            found[at] = _join_answers(found[at], step, key)
    return tuple(found)


def _find_other_answer(step: InterpretedStep, found: list[InterpretedStep], key: AnswerKey) -> int | None:
    """Return the position of an answer to the same puzzle that gives no state another signal."""
    puzzle, given = _read_signals(step, key)
    for at, each in enumerate(found):
        other, known = _read_signals(each, key)
        if given and other == puzzle and all(known.get(state, signal) == signal for state, signal in given.items()):  # fmt: skip
            return at
    return None


def _read_signals(step: InterpretedStep, key: AnswerKey) -> tuple[str, dict[str, str]]:
    """Return the signal puzzle that a step answers, with the signal for each state; empty if it answers none."""
    match = _ANSWER.fullmatch(step.call) if step.kind is StepKind.CALL else None
    if match is None or match[1] not in {each.name for each in _iterate_signal_puzzles(key)}:
        return "", {}
    return match[1], dict(part.split("=") for part in match[2].split(", "))


def _iterate_signal_puzzles(key: AnswerKey) -> Iterator[SignalPuzzle]:
    for puzzle in key.analysis.world.record.puzzles:
        if isinstance(puzzle, SignalPuzzle):
            yield puzzle


def _join_answers(first: InterpretedStep, second: InterpretedStep, key: AnswerKey) -> InterpretedStep:
    puzzle, known = _read_signals(first, key)
    given = {**known, **_read_signals(second, key)[1]}
    signals = ", ".join(f"{state}={signal}" for state, signal in given.items())
    text = first.text if second.text == first.text else f"{first.text} ... {second.text}"
    said = {**first.said, **second.said}
    return replace(first, text=text, call=f"answer({puzzle}, '{signals}')", said=said)


def list_missing_signals(
    steps: tuple[InterpretedStep, ...], lifted: frozenset[str], key: AnswerKey
) -> list[str]:
    """Return the states for which an answer gives no signal, if its plan works with right ones for them."""
    missing = []
    for puzzle in _iterate_signal_puzzles(key):
        answers = [_read_signals(step, key) for step in steps]
        given = {state: signal for name, each in answers if name == puzzle.name for state, signal in each.items()}  # fmt: skip
        left = [state for state in puzzle.states if state not in given]
        if given and left and _works_with_more(puzzle, given, steps, lifted, key):
            missing += [f"no signal was read for {state.replace('_', ' ')!r}" for state in left]
    return missing


def _works_with_more(
    puzzle: SignalPuzzle,
    given: dict[str, str],
    steps: tuple[InterpretedStep, ...],
    lifted: frozenset[str],
    key: AnswerKey,
) -> bool:
    own = f"answer({puzzle.name},"
    calls = [step.call for step in steps if step.kind is StepKind.CALL and not step.call.startswith(own)]
    for answer in key.analysis.world.puzzles[puzzle.name].answers:
        pairs = dict(part.strip().split("=") for part in answer.split(","))
        is_extension = all(pairs.get(state) == signal for state, signal in given.items())
        full = [f"answer({puzzle.name}, '{answer}')", *calls]
        if is_extension and execute_interpreted_plan(full, key, lifted=lifted).reaches_goal:
            return True
    return False
