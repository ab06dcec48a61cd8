"""Diagnoses that an answer leaves open although its plan would work with the right one."""

from __future__ import annotations

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import InterpretedStep, StepKind, execute_interpreted_plan
from impossible_moments.mechanics.records import DiagnosisPuzzle


def list_open_diagnoses(
    steps: tuple[InterpretedStep, ...], lifted: frozenset[str], key: AnswerKey
) -> list[str]:
    """Return the questions of which an answer states no cause, if this alone keeps its plan from working.

    Such an answer does the right thing. Whether it knows why is for a reader to say.
    """
    calls = [step.call for step in steps if step.kind is StepKind.CALL]
    open_puzzles = [
        puzzle
        for puzzle in key.analysis.world.record.puzzles
        if isinstance(puzzle, DiagnosisPuzzle)
        and not any(call.startswith(f"answer({puzzle.name},") for call in calls)
    ]
    if not calls or not open_puzzles:
        return []
    right = [
        f"answer({puzzle.name}, '{answer}')"
        for puzzle in open_puzzles
        for answer in key.analysis.world.puzzles[puzzle.name].answers[:1]
    ]
    if not execute_interpreted_plan([*right, *calls], key, lifted=lifted).reaches_goal:
        return []
    return ["the plan would work, but no cause was read among the words of the answer"]
