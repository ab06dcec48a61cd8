"""The reason for each step of a plan: an insight, the tightest condition in words, or the step that needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from impossible_moments.agents.orchestrator.documents.wording.record_wording import RecordWording
from impossible_moments.mechanics.checks import matches_any_call
from impossible_moments.mechanics.execution import ExecutedStep
from impossible_moments.mechanics.language import expressions as ex

STATEMENTS: Final = ("challenge(", "claim(", "impossible(")
"""The calls that state something and take no time."""
_FETCHING: Final = "It brings you to the place, or the thing to hand, that the next step needs."
_REACHES_GOAL: Final = "With it the goal is reached."
_DEADLINE: Final = "deadline"
_CHOICE: Final = "choose("


def explain_step(
    wording: RecordWording, steps: Sequence[ExecutedStep], at: int, insights: Mapping[str, str]
) -> str:
    """Explain why a step is taken and why it works. `at` is its position in the executed steps."""
    step = steps[at]
    for pattern, text in insights.items():
        if not pattern.startswith(STATEMENTS) and matches_any_call(pattern, [step.call]):
            return text
    reason = _describe_tightest_condition(wording, step)
    if reason:
        return reason
    if step.inserted:
        return _FETCHING
    dependent = _find_dependent_step(wording, steps, at)
    if dependent is not None:
        needed_by, condition = dependent
        sentence = wording.acts.find_condition(condition)
        later = f"“{wording.describe_call(steps[needed_by].call)}”"
        return (
            f"Step {needed_by + 1} rests on it: {sentence}."
            if sentence
            else f"Without it {later} is not possible."
        )
    if at == len(steps) - 1:
        in_time = wording.acts.find_condition(_DEADLINE)
        return f"It is the last step: {in_time}." if in_time else _REACHES_GOAL
    return _describe_purpose(wording, step)


def explain_statement(call: str, insights: Mapping[str, str]) -> str:
    """Explain a call that states something."""
    verb = call.partition("(")[0]
    found = next((text for pattern, text in insights.items() if pattern.startswith(f"{verb}(")), "")
    return found or "The answer must state it; it takes no time."


def _describe_tightest_condition(wording: RecordWording, step: ExecutedStep) -> str:
    margins = sorted((margin, name) for name, margin in step.margins if margin is not None)
    for margin, name in margins:
        compared = wording.describe_condition(step.call, name)
        if compared is not None:
            text = wording.explain_condition(name, compared)
            return f"{text[:1].upper()}{text[1:]}, with {margin:.0%} to spare."
    return ""


def _find_dependent_step(
    wording: RecordWording, steps: Sequence[ExecutedStep], at: int
) -> tuple[int, str] | None:
    """Return the first later step with a condition that reads what this step changes, and that condition."""
    move = wording.find_move(steps[at].call)
    changed = {change.name for change in move.changes} if move is not None else set()
    for later in range(at + 1, len(steps)):
        found = wording.find_move(steps[later].call)
        tests = found.tests if found is not None else ()
        read = [test.name for test in tests if changed & ex.collect_paths(test.tree)]
        if found is not None and read:
            return later, f"{found.verb}.{read[0].rpartition('.')[2]}"
    return None


def _describe_purpose(wording: RecordWording, step: ExecutedStep) -> str:
    """Describe what a step changes that only the goal, a rate or a danger reads."""
    move = wording.find_move(step.call)
    changed = [change.name for change in move.changes] if move is not None else []
    if any(name in ex.collect_paths(wording.world.goal) for name in changed):
        return "The goal asks for it."
    if step.call.startswith(_CHOICE):
        return "A danger or the deadline turns on what is chosen."
    names = ", ".join(wording.name_quantity(name) for name in changed)
    return f"It changes {names}." if names else "It lets the time pass that the plan needs."
