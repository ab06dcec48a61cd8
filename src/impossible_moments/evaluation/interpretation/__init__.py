"""Answers read as calls of the record, however they were written, and their scores."""

from impossible_moments.evaluation.interpretation.interpreted_answer import (
    REFUTED,
    InterpretedAnswer,
    InterpretedStep,
    OfferedChoices,
    StatedTurningPoint,
    StepKind,
)
from impossible_moments.evaluation.interpretation.interpreted_scoring import score_interpreted_answer
from impossible_moments.evaluation.interpretation.plan_execution import (
    ExecutedInterpretation,
    execute_interpreted_plan,
)

__all__ = [
    "REFUTED",
    "ExecutedInterpretation",
    "InterpretedAnswer",
    "InterpretedStep",
    "OfferedChoices",
    "StatedTurningPoint",
    "StepKind",
    "execute_interpreted_plan",
    "score_interpreted_answer",
]
