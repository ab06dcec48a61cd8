"""Explanation of a score in words: how each step was read, what the execution did, and what was credited."""

from __future__ import annotations

from collections.abc import Iterator

from impossible_moments.domain.scoring_rubrics import COMPONENTS
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.durations import format_duration
from impossible_moments.evaluation.interpretation.interpreted_answer import (
    InterpretedAnswer,
    InterpretedStep,
    StepKind,
)
from impossible_moments.evaluation.interpretation.plan_execution import (
    ExecutedInterpretation,
    execute_interpreted_plan,
)
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.mechanics.records import PlannedCall, parse_call
from impossible_moments.mechanics.world import NeverRuleSource


def explain_score(answer: InterpretedAnswer, scored: ScoredAnswer, key: AnswerKey) -> str:
    """Return the explanation of a score as plain text."""
    parts = [
        "How the answer was read",
        f"  verdict: {answer.verdict}",
        *(f"  {line}" for line in _describe_steps(answer, key)),
        *(f"  {line}" for line in _describe_statements(answer, key)),
        "",
        "What was executed",
        *(f"  {line}" for line in _describe_execution(_execute(answer, key), key)),
        "",
        "What was credited",
        *(f"  {line}" for line in _describe_credit(scored)),
    ]
    return "\n".join(parts)


def _execute(answer: InterpretedAnswer, key: AnswerKey) -> ExecutedInterpretation:
    premises = {rule.name for rule in key.analysis.world.never_rules if rule.by is NeverRuleSource.PREMISE}
    lifted = frozenset(answer.premises & premises or premises) if key.status == "MT" else frozenset()
    return execute_interpreted_plan(answer.calls, key, lifted=lifted)


def _describe_steps(answer: InterpretedAnswer, key: AnswerKey) -> Iterator[str]:
    if not answer.steps:
        yield "plan: none"
    for number, step in enumerate(answer.steps, start=1):
        yield f"{number}. {step.text[:300]!r}"
        yield f"   {_describe_reading(step, key)}"


def _describe_reading(step: InterpretedStep, key: AnswerKey) -> str:
    if step.kind is not StepKind.CALL:
        reason = f": {step.reason}" if step.reason else ""
        return f"read as {step.kind}{reason}"
    said = ", ".join(f"{name} by {words!r}" for name, words in step.said.items())
    return f"read as: {describe_call(step.call, key)}{f' ({said})' if said else ''}"


def describe_call(call: str, key: AnswerKey) -> str:
    """Return a call in the words of the record, or as it is written if it has none."""
    parsed = parse_call(call)
    found = key.wording.find_wording(PlannedCall(parsed.verb, parsed.arguments))
    return found.menu if found is not None else call


def _describe_statements(answer: InterpretedAnswer, key: AnswerKey) -> Iterator[str]:
    wording = key.wording
    for name in sorted(answer.premises):
        yield f"assumption named: {wording.premises.get(name, name)}"
    if answer.names_decoy:
        yield "assumption named: another statement of the text, which is imposed"
    for names in answer.conflict:
        words = "; ".join(sorted(wording.conditions.get(name, name) for name in names))
        yield f"reason against the goal: {words or 'not one of the conditions'}"
    if answer.names_crux:
        yield "the crux is named"
    yield from (f"open: {point}" for point in (*answer.open_points, *answer.doubts))


def _describe_execution(executed: ExecutedInterpretation, key: AnswerKey) -> Iterator[str]:
    yield from (f"not allowed here: {fault}" for fault in executed.faults)
    for step in executed.outcome.steps:
        margins = [(margin, name) for name, margin in step.margins if margin is not None]
        tightest = min(margins, default=None)
        margin = (
            f"; tightest: {key.wording.conditions.get(tightest[1], tightest[1])}, {tightest[0]:+.0%}"
            if tightest is not None
            else ""
        )
        added = ", added because it follows by itself" if step.call in executed.added else ""
        began, took = format_duration(step.started), format_duration(step.took)
        yield f"after {began}: {describe_call(step.call, key)}{added}; takes {took}{margin}"
    outcome = executed.outcome
    deadline = "" if outcome.deadline is None else f" of {format_duration(outcome.deadline)}"
    yield f"ends: {_describe_end(outcome.end, key)} after {format_duration(outcome.time)}{deadline}"


def _describe_end(end: str, key: AnswerKey) -> str:
    kind, _, name = end.partition(" ")
    words = key.wording.conditions.get(name, name)
    match kind:
        case "goal":
            return "the goal is reached in time"
        case "late":
            return "the goal is reached too late"
        case "short":
            return "every act succeeds, and the goal is not reached"
        case "blocked":
            return f"blocked, because this does not hold: {words}"
        case _:
            return f"ended by: {words}"


def _describe_credit(scored: ScoredAnswer) -> Iterator[str]:
    if scored.components is not None:
        values = scored.components.model_dump()
        for component in COMPONENTS:
            yield f"{component.name}: {values[component.key]:.0f} of 100, weight {component.weight:.0%}"
    yield f"score: {'none' if scored.score is None else f'{scored.score:.1f}'} ({scored.state})"
    yield f"reason: {scored.note}"
    if scored.flags:
        yield f"flags: {', '.join(scored.flags)}"
