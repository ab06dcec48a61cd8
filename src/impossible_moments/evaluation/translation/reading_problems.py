"""What of a reading does not count, with the reason: unsound entries, and deeds whose needed words were not said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from impossible_moments.evaluation.interpretation import StepKind
from impossible_moments.evaluation.judging.answer_quotes import QuotableAnswer
from impossible_moments.evaluation.translation.reading_checks import (
    iterate_contradiction_faults,
    iterate_figure_faults,
    iterate_reason_faults,
    iterate_sentence_faults,
    iterate_statement_faults,
    iterate_time_faults,
    iterate_turning_point_faults,
    iterate_verdict_faults,
)
from impossible_moments.evaluation.translation.reading_forms import AnswerReading, ReadSentence
from impossible_moments.evaluation.translation.record_codes import CodedRecord

Place = tuple[str, int, int]
"""A part of a reading: its field, and its position in it. A sentence has the numbers of its plan and its place there."""
VERDICT: Place = ("verdict", 0, 0)
PREMISE: Place = ("premise", 0, 0)
CRUX: Place = ("crux", 0, 0)
PLAN_TIME: Place = ("time", 0, 0)


@dataclass(frozen=True, slots=True)
class ReadingProblem:
    """Why a part of a reading does not count."""

    reason: str
    kind: StepKind = StepKind.UNREAD


def find_reading_problems(
    form: AnswerReading, answer: QuotableAnswer, record: CodedRecord, situation: str
) -> Mapping[Place, ReadingProblem]:
    """Return what does not count although the translator handed it in, by place."""
    found: dict[Place, ReadingProblem] = {}
    for place, fault in (
        *_iterate_faults(form, answer, record),
        *_iterate_assertion_faults(form, answer, record, situation),
    ):
        found.setdefault(place, ReadingProblem(fault))
    for place, sentence in iterate_sentences(form):
        if place not in found and (unsaid := list_statements_not_said(sentence, record)):
            reason = f"the answer does not say {', '.join(map(repr, unsaid))}"
            found[place] = ReadingProblem(reason, StepKind.NEAR_MISS)
    return found


def iterate_sentences(form: AnswerReading) -> Iterator[tuple[Place, ReadSentence]]:
    """Yield the sentences of all plans with their places."""
    for number, plan in enumerate(form.plans):
        for position, sentence in enumerate(plan):
            yield ("plan", number, position), sentence


def list_statements_not_said(sentence: ReadSentence, record: CodedRecord) -> tuple[str, ...]:
    """Return the needed statements of a deed for which a reading quotes no words."""
    deed = record.deeds_by_code.get(sentence.code) if sentence.kind == "call" else None
    said = {each.name for each in sentence.said if each.quote.strip()}
    return tuple(each.name for each in deed.needed if each.name not in said) if deed is not None else ()


def _iterate_assertion_faults(
    form: AnswerReading, answer: QuotableAnswer, record: CodedRecord, situation: str
) -> Iterator[tuple[Place, str]]:
    """Yield faults of what an answer asserts beside its plan, verdict and reasons."""
    for number, statement in enumerate(form.further_premises):
        faults = iterate_statement_faults(statement, record.premises, answer)
        yield from ((("further premise", number, 0), fault) for fault in faults)
    for number, point in enumerate(form.turning_points):
        faults = iterate_turning_point_faults(point, record, answer)
        yield from ((("turning point", number, 0), fault) for fault in faults)
    if form.plan_time is not None:
        yield from ((PLAN_TIME, fault) for fault in iterate_time_faults(form.plan_time, answer))
    for number, each in enumerate(form.contradictions):
        faults = iterate_contradiction_faults(each, answer, situation)
        yield from ((("contradiction", number, 0), fault) for fault in faults)


def _iterate_faults(
    form: AnswerReading, answer: QuotableAnswer, record: CodedRecord
) -> Iterator[tuple[Place, str]]:
    yield from ((VERDICT, fault) for fault in iterate_verdict_faults(form, answer))
    for place, sentence in iterate_sentences(form):
        yield from ((place, fault) for fault in iterate_sentence_faults(sentence, answer, record))
    if form.premise is not None:
        yield from (
            (PREMISE, fault) for fault in iterate_statement_faults(form.premise, record.premises, answer)
        )
    if form.crux is not None:
        yield from (
            (CRUX, fault) for fault in iterate_statement_faults(form.crux, record.uncertainties, answer)
        )
    for number, reason in enumerate(form.reasons):
        yield from ((("reason", number, 0), fault) for fault in iterate_reason_faults(reason, record, answer))
    for number, figure in enumerate(form.figures):
        yield from ((("figure", number, 0), fault) for fault in iterate_figure_faults(figure, answer))
