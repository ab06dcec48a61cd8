"""The deterministic reader: plain words read as calls by the wording of the record, or left for review."""

from impossible_moments.evaluation.reader.answer_reader import read_answer
from impossible_moments.evaluation.reader.repeated_calls import select_working_order
from impossible_moments.evaluation.reader.step_reader import StepReader

__all__ = ["StepReader", "read_answer", "select_working_order"]
