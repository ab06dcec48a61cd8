"""Explanation of a score: how each step was read, what the execution did, and what was credited, as data and as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from impossible_moments.domain.scoring_rubrics import COMPONENTS, STEADY_BONUS
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.durations import format_duration
from impossible_moments.evaluation.interpretation.credit_reasons import (
    JUDGED,
    explain_components,
    find_stopping_call,
)
from impossible_moments.evaluation.interpretation.explained_execution import (
    ExplainedExecution,
    describe_execution,
    execute_for_explanation,
    execute_further_plans,
)
from impossible_moments.evaluation.interpretation.false_claims import (
    list_wrong_conclusions,
    refute_turning_points,
)
from impossible_moments.evaluation.interpretation.interpreted_answer import (
    InterpretedAnswer,
    InterpretedStep,
    StepKind,
)
from impossible_moments.evaluation.interpretation.interpreted_scoring import score_interpreted_answer
from impossible_moments.evaluation.interpretation.plain_words import (
    describe_call,
    describe_condition,
    describe_note,
)
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.scored_answer import ScoredAnswer

__all__ = [
    "CreditedComponent",
    "ExplainedStep",
    "ScoreExplanation",
    "build_score_explanation",
    "find_stopping_call",
    "format_score_explanation",
]

_LONGEST_STEP = 300
_KINDS: Mapping[StepKind, str] = {
    StepKind.HARMLESS: "changes nothing; it costs nothing",
    StepKind.NEAR_MISS: "no action of this situation; it has no effect",
    StepKind.UNMODELLED: "not known to the record; a person or a judge decides if it matters",
    StepKind.UNREAD: "could not be read as one act",
}


@dataclass(frozen=True)
class ExplainedStep:
    """A step of an answer in its own words, and what it was read as."""

    text: str
    reading: str
    is_act: bool
    recognized_by: tuple[str, ...] = ()
    """The words that make the statements which the act needs."""


@dataclass(frozen=True)
class CreditedComponent:
    """A component of a score: its value of 100, the points that it adds to the score, and why."""

    name: str
    value: float
    weight: float
    reason: str

    @property
    def points(self) -> float:
        """The points that the component adds to the score."""
        return self.value * self.weight


@dataclass(frozen=True)
class ScoreExplanation:
    """How a score came about."""

    verdict: str
    steps: tuple[ExplainedStep, ...]
    other_plans: tuple[tuple[ExplainedStep, ...], ...]
    statements: tuple[str, ...]
    open_points: tuple[str, ...]
    executions: tuple[ExplainedExecution, ...]
    credits: tuple[CreditedComponent, ...]
    score: float | None
    state: str
    note: str
    flags: tuple[str, ...]
    bonus: float = 0.0
    """Points beside the components."""
    disagreement: str = ""
    """What scoring the same reading now gives, if it differs from the recorded score."""

    advice: str = ""
    """What a reader can do who wants a score, or takes this one for wrong."""

    @property
    def unread_lines(self) -> tuple[str, ...]:
        """What was not read, with the effect that this has."""
        effect = "open, without effect on the score" if self.state == RunState.SCORED else "open"
        return tuple(f"{effect}: {point}" for point in self.open_points)


def build_score_explanation(
    answer: InterpretedAnswer,
    scored: ScoredAnswer,
    key: AnswerKey,
    *,
    menu_texts: Mapping[str, str] | None = None,
    is_rescored: bool = True,
) -> ScoreExplanation:
    """Explain a score.

    `menu_texts` are the sentences of the lines of a menu, by their codes. With `is_rescored` the answer is scored
    again, and a difference from the recorded score is stated.
    """
    executions = execute_for_explanation(answer, key)
    runs = [each for _, each in executions]
    refuted = refute_turning_points(answer, key)
    texts = menu_texts or {}
    return ScoreExplanation(
        verdict=str(answer.verdict),
        steps=_explain_steps(answer.steps, key, texts),
        other_plans=tuple(_explain_steps(each, key, texts) for each in answer.other_plans),
        statements=tuple(_iterate_statements(refuted, key)),
        open_points=(*answer.open_points, *answer.doubts),
        executions=tuple(
            describe_execution(each, key, title)
            for title, each in (*executions, *execute_further_plans(answer, key))
        ),
        credits=_explain_credits(scored, explain_components(refuted, scored, key, runs)),
        score=scored.score,
        state=str(scored.state),
        note=describe_note(scored.note, key),
        flags=scored.flags,
        bonus=STEADY_BONUS if "steady" in scored.flags else 0.0,
        disagreement=_find_disagreement(answer, scored, key) if is_rescored else "",
    )


def _explain_steps(
    steps: Sequence[InterpretedStep], key: AnswerKey, texts: Mapping[str, str]
) -> tuple[ExplainedStep, ...]:
    return tuple(
        ExplainedStep(
            _describe_step_text(step, key, texts),
            describe_call(step.call, key) if step.kind is StepKind.CALL else _describe_kind(step),
            step.kind is StepKind.CALL,
            tuple(dict.fromkeys(step.said.values())),
        )
        for step in steps
    )


def _describe_step_text(step: InterpretedStep, key: AnswerKey, texts: Mapping[str, str]) -> str:
    code = step.text.partition("=")[0].strip().upper()
    if code in texts:
        return f"{step.text[:_LONGEST_STEP]}: {texts[code]}"
    if step.text == step.call and step.call:
        return describe_call(step.call, key)  # an act of an episode, which has no other words
    return step.text[:_LONGEST_STEP] or "(an act without words)"


def _describe_kind(step: InterpretedStep) -> str:
    return f"{_KINDS[step.kind]}{f' ({step.reason})' if step.reason else ''}"


def _iterate_statements(answer: InterpretedAnswer, key: AnswerKey) -> Iterator[str]:
    for name in sorted(answer.premises):
        yield f"assumption named: {key.wording.premises.get(name, 'one of the text')}"
    if answer.names_decoy:
        yield "assumption named: another statement of the text, which is imposed"
    for names in answer.conflict:
        words = "; ".join(sorted(describe_condition(name, key) for name in names))
        meant = f"this does not hold: {words}" if words else "none of the conditions"
        yield f"reason against the goal, read as: {meant}"
    if answer.names_crux:
        yield "the quantity on which the answer depends is named"
    for claim in (*answer.false_claims, *list_wrong_conclusions(answer, key)):
        yield f"false, and the answer rests on it: {claim}"
    for claim in answer.false_asides:
        yield f"false, and nothing rests on it: {claim}"


def _explain_credits(scored: ScoredAnswer, reasons: Mapping[str, str]) -> tuple[CreditedComponent, ...]:
    if scored.components is None:
        return ()
    values = scored.components.model_dump()
    return tuple(
        CreditedComponent(each.name, values[each.key], each.weight, reasons[each.key]) for each in COMPONENTS
    )


def _find_disagreement(answer: InterpretedAnswer, scored: ScoredAnswer, key: AnswerKey) -> str:
    if JUDGED in scored.flags:
        return ""
    again = score_interpreted_answer(answer, key)
    if again.components == scored.components or scored.components is None:
        return ""
    value = "no score" if again.score is None else f"{again.score:.1f}"
    return (
        f"Scoring this answer again gives {value}. It was scored from another reading or by another version."
    )


def format_score_explanation(found: ScoreExplanation) -> str:
    """Return the explanation as plain text."""
    parts = [
        "How the answer was read",
        f"  verdict: {found.verdict}",
        *(f"  {line}" for line in _format_steps(found)),
        *(f"  {each}" for each in found.statements),
        *(f"  {each}" for each in found.unread_lines),
        "",
        "What was executed",
        *(f"  {line}" for line in _format_executions(found.executions)),
        "",
        "What was credited",
        *(f"  {line}" for line in _format_credits(found)),
    ]
    return "\n".join(parts)


def _format_steps(found: ScoreExplanation) -> Iterator[str]:
    if not found.steps:
        yield "plan: none"
    for at, plan in enumerate((found.steps, *found.other_plans)):
        if at:
            yield f"further plan {at}"
        for number, step in enumerate(plan, start=1):
            yield f"{number}. “{step.text}”"
            words = ", ".join(f"“{each}”" for each in step.recognized_by)
            yield f"   read as: {step.reading}{f' (recognized by {words})' if words else ''}"


def _format_executions(executions: Sequence[ExplainedExecution]) -> Iterator[str]:
    if not executions:
        yield "nothing: the answer has no act, and its verdict decides"
    for each in executions:
        if each.title:
            yield each.title
        yield from (f"not allowed here: {fault}" for fault in each.faults)
        for number, step in enumerate(each.steps, start=1):
            added = ", added because it follows by itself" if step.is_added else ""
            yield f"{number}. after {format_duration(step.started)}: {step.words}{added}; takes {format_duration(step.took)}"
            yield from (f"   margin {margin:+.0%}: {words}" for words, margin in step.margins)
        if each.blocked_step:
            yield f"✕ after {format_duration(each.time)}: {each.blocked_step}"
        deadline = "" if each.deadline is None else f" of {format_duration(each.deadline)}"
        margin = "" if each.failing_margin is None else f" (short by {abs(each.failing_margin):.0%})"
        yield f"ends after {format_duration(each.time)}{deadline}: {each.end}{margin}"
        yield from (f"not reached: {words}" for words in each.not_reached)


def _format_credits(found: ScoreExplanation) -> Iterator[str]:
    for each in found.credits:
        yield f"{each.name}: {each.value:.0f} of 100, weight {each.weight:.0%}, adds {each.points:.1f}"
        yield f"   {each.reason}"
    if found.bonus:
        yield f"bonus: {found.bonus:g} points, because the plan also works with other numbers"
    yield f"score: {'none' if found.score is None else f'{found.score:.1f}'} ({found.state})"
    if found.note and not found.credits:
        yield f"reason: {found.note}"
    if found.flags:
        yield f"flags: {', '.join(found.flags)}"
    if found.disagreement:
        yield found.disagreement
    if found.advice:
        yield found.advice
