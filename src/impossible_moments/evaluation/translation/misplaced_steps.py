"""Steps that follow by themselves and that an answer states where they cannot be done."""

from __future__ import annotations

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import InterpretedStep, StepKind, execute_interpreted_plan


def list_misplaced_steps(
    steps: tuple[InterpretedStep, ...], lifted: frozenset[str], key: AnswerKey
) -> list[str]:
    """Return the stated steps that follow by themselves, if their place alone keeps the plan from working.

    An answer may mention such a step late and mean it in its place. Whether it does is for a reader to say.
    """
    unsaid = {move.text for move in key.unsaid_moves}
    calls = [step.call for step in steps if step.kind is StepKind.CALL]
    if unsaid.isdisjoint(calls) or execute_interpreted_plan(calls, key, lifted=lifted).reaches_goal:
        return []
    others = [call for call in calls if call not in unsaid]
    if not execute_interpreted_plan(others, key, lifted=lifted).reaches_goal:
        return []
    return [
        f"the plan would work if {step.text[:120]!r} were done in its place"
        for step in steps
        if step.call in unsaid
    ]
