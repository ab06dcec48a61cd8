"""Runs of an evaluation that are scored by a translation bound to the record."""

from __future__ import annotations

from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import ParsedAnswer
from impossible_moments.evaluation.breakthroughs.frontier_filter import build_frontier
from impossible_moments.evaluation.results import FOR_JUDGES, EvaluationRun, RunState
from impossible_moments.evaluation.runs.presentation import AnswerForm
from impossible_moments.evaluation.translation.record_translator import AnswerInterpretation
from impossible_moments.llm import FailureKind

TRANSLATED_FORMS: Final = frozenset({AnswerForm.FREE, AnswerForm.PLAN})
"""Forms of answers that are translated from their whole text."""
_REPLY_FLAGS: Final = frozenset(map(str, FailureKind))


def is_translatable(run: EvaluationRun, key: AnswerKey, form: str) -> bool:
    """Return whether a run has an answer that a translator can read as actions of its record."""
    return form in TRANSLATED_FORMS and not key.unscorable_reason and bool(run.answer.strip())


def apply_interpretation(run: EvaluationRun, found: AnswerInterpretation, key: AnswerKey) -> EvaluationRun:
    """Return a run scored by its translation. A failed translation leaves it unscored, for judges if there are any."""
    scored = found.compute_score(key)
    kept = [flag for flag in run.flags if flag in _REPLY_FLAGS]
    flags = scored.flags if found.answer is not None else (FOR_JUDGES,)
    if scored.state is RunState.UNSCORED and scored.components is None and found.answer is not None:
        flags = (*flags, FOR_JUDGES)
    return run.model_copy(
        update={
            "state": scored.state,
            "score": scored.score,
            "components": scored.components,
            "note": scored.note,
            "executed": scored.calls,
            "reading": found.entries,
            "flags": (*kept, *flags),
        }
    )


def build_claims_for_judges(found: AnswerInterpretation, key: AnswerKey) -> ParsedAnswer | None:
    """Return the figures of a design for an open question, as the envelope reads them; None if there are none."""
    if key.status != "OF" or found.answer is None or not found.answer.figures:
        return None
    claims = build_frontier(key).claims
    units = {name: claims[name].display_unit for name in found.answer.figures}
    return ParsedAnswer(
        claims={
            name: f"{value:.10g}"
            if (unit := units[name]) is None
            else f"{unit.from_si(value):.10g} {unit.text}"
            for name, value in found.answer.figures.items()
        }
    )
