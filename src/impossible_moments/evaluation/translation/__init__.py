"""Translation bound to the record: answers in plain words become calls of the record, with quotes for all they say."""

from impossible_moments.evaluation.translation.mapping_review import build_mapping_task, build_sample_items
from impossible_moments.evaluation.translation.reading_request import build_reading_task
from impossible_moments.evaluation.translation.record_codes import CodedRecord, build_coded_record
from impossible_moments.evaluation.translation.record_translator import (
    AnswerInterpretation,
    RecordTranslator,
)

__all__ = [
    "AnswerInterpretation",
    "CodedRecord",
    "RecordTranslator",
    "build_coded_record",
    "build_mapping_task",
    "build_reading_task",
    "build_sample_items",
]
