"""The execution of a plan for readers: each step in words, on the clock, with its margins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict
from impossible_moments.evaluation.interpretation.credit_reasons import find_stopping_call
from impossible_moments.evaluation.interpretation.interpreted_answer import InterpretedAnswer
from impossible_moments.evaluation.interpretation.plain_words import (
    describe_call,
    describe_condition,
    describe_end,
)
from impossible_moments.evaluation.interpretation.plan_execution import (
    ExecutedInterpretation,
    execute_interpreted_plan,
)
from impossible_moments.mechanics.execution import ExecutedStep, Move, PlanOutcome
from impossible_moments.mechanics.world import NeverRuleSource

NamedExecution = tuple[str, ExecutedInterpretation]
"""An execution and the conditions under which it was made, in words."""


@dataclass(frozen=True)
class TimedStep:
    """An executed step: its words, its start and duration in seconds, and its margins."""

    words: str
    started: float
    took: float
    margins: tuple[tuple[str, float], ...]
    """The conditions that a number decides, in words, each with its relative margin; the tightest first."""
    is_added: bool = False
    """Whether the answer leaves the step out because it follows by itself."""


@dataclass(frozen=True)
class ExplainedExecution:
    """A plan as it was executed."""

    title: str
    steps: tuple[TimedStep, ...]
    end: str
    time: float
    deadline: float | None
    reaches_goal: bool
    blocked_step: str = ""
    """The step at which the plan ended early, or an empty text."""
    failing_margin: float | None = None
    not_reached: tuple[str, ...] = ()
    """The steps after it."""
    faults: tuple[str, ...] = ()


def execute_for_explanation(answer: InterpretedAnswer, key: AnswerKey) -> tuple[NamedExecution, ...]:
    """Execute the plan of an answer as its rubric does: at both ends of a dispute, or without an assumption."""
    if not answer.calls:
        return ()
    if key.status == "PX" and answer.verdict is AnswerVerdict.IMPOSSIBLE:
        return (("Beside its verdict, the answer has a plan", execute_interpreted_plan(answer.calls, key)),)
    if key.status == "CT":
        return tuple(_execute_at_ends(answer, key))
    if key.status == "MT":
        unfounded = frozenset(
            rule.name for rule in key.analysis.world.never_rules if rule.by is NeverRuleSource.PREMISE
        )
        lifted = frozenset(answer.premises & unfounded) or unfounded
        return (("Without the assumption", execute_interpreted_plan(answer.calls, key, lifted=lifted)),)
    return (("", execute_interpreted_plan(answer.calls, key)),)


def execute_further_plans(answer: InterpretedAnswer, key: AnswerKey) -> tuple[NamedExecution, ...]:
    """Execute the further plans of an answer in the same way."""
    found = []
    for number, steps in enumerate(answer.other_plans, start=1):
        for title, executed in execute_for_explanation(replace(answer, steps=steps, other_plans=()), key):
            name = f"Further plan {number}"
            found.append((f"{name}, {title[0].lower()}{title[1:]}" if title else name, executed))
    return tuple(found)


def _execute_at_ends(answer: InterpretedAnswer, key: AnswerKey) -> Iterator[NamedExecution]:
    crux = key.block.crux
    quantity = key.analysis.world.quantities[crux]
    words = key.wording.uncertainties.get(crux, "the disputed quantity")
    for end, value in (("low", quantity.low), ("high", quantity.high)):
        changes = {} if value is None else {quantity.name: value}
        executed = execute_interpreted_plan(answer.calls, key, changes=changes)
        yield f"If the disputed quantity is at its {end} end ({words})", executed


def describe_execution(
    executed: ExecutedInterpretation, key: AnswerKey, title: str = ""
) -> ExplainedExecution:
    """Return an executed plan in words."""
    found = _describe_outcome(executed.outcome, executed.moves, key, title)
    steps = tuple(
        _describe_step(step, key, is_added=step.inserted or step.call in executed.added)
        for step in executed.outcome.steps
    )
    return replace(found, steps=steps, reaches_goal=executed.reaches_goal, faults=executed.faults)


def describe_key_plan(name: str, key: AnswerKey) -> ExplainedExecution:
    """Return an approach of the record in words, as it was executed when the record was checked."""
    return _describe_outcome(key.analysis.outcomes[name], key.analysis.plans[name], key, "")


def _describe_outcome(
    outcome: PlanOutcome, moves: Sequence[Move], key: AnswerKey, title: str
) -> ExplainedExecution:
    done = len([step for step in outcome.steps if not step.inserted]) + len(outcome.said)
    stopping = find_stopping_call(ExecutedInterpretation(tuple(moves), outcome))
    return ExplainedExecution(
        title=title,
        steps=tuple(_describe_step(step, key, is_added=step.inserted) for step in outcome.steps),
        end=describe_end(outcome.end, key, stopping),
        time=outcome.time,
        deadline=outcome.deadline,
        reaches_goal=outcome.reaches_goal,
        blocked_step=describe_call(stopping, key) if stopping else "",
        failing_margin=outcome.failing_margin,
        not_reached=tuple(describe_call(move.text, key) for move in moves[done + 1 :]) if stopping else (),
    )


def _describe_step(step: ExecutedStep, key: AnswerKey, *, is_added: bool) -> TimedStep:
    margins = sorted(
        (margin, describe_condition(name, key, step.call))
        for name, margin in step.margins
        if margin is not None and name not in key.wording.bookkeeping and not _is_role(name, key)
    )
    return TimedStep(
        describe_call(step.call, key),
        step.started,
        step.took,
        tuple((words, margin) for margin, words in margins),
        is_added,
    )


def _is_role(name: str, key: AnswerKey) -> bool:
    """Return whether a condition only says which kinds of things an act takes."""
    verb, _, last = name.partition(".")
    action = key.analysis.world.actions.get(verb)
    return action is not None and last in {slot.name for slot in action.slots}
