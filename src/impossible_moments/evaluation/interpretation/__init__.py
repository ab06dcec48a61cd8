"""Answers read as calls of the record, however they were written, and their scores."""

from impossible_moments.evaluation.interpretation.interpreted_answer import (
    InterpretedAnswer,
    InterpretedStep,
    StepKind,
)
from impossible_moments.evaluation.interpretation.interpreted_scoring import score_interpreted_answer
from impossible_moments.evaluation.interpretation.plan_execution import (
    ExecutedInterpretation,
    execute_interpreted_plan,
)
from impossible_moments.evaluation.interpretation.score_explanation import explain_score

__all__ = [
    "ExecutedInterpretation",
    "InterpretedAnswer",
    "InterpretedStep",
    "StepKind",
    "execute_interpreted_plan",
    "explain_score",
    "score_interpreted_answer",
]
