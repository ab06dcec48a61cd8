"""Translation bound to the record: answers in plain words become calls of the record, with quotes for all they say."""

from impossible_moments.evaluation.translation.mapping_review import MappedItem, build_mapping_task
from impossible_moments.evaluation.translation.reading_request import build_reading_task
from impossible_moments.evaluation.translation.record_codes import (
    CodedRecord,
    build_coded_record,
    has_wording,
)
from impossible_moments.evaluation.translation.record_translator import (
    TRANSLATED,
    AnswerInterpretation,
    RecordTranslator,
)

__all__ = [
    "TRANSLATED",
    "AnswerInterpretation",
    "CodedRecord",
    "MappedItem",
    "RecordTranslator",
    "build_coded_record",
    "build_mapping_task",
    "build_reading_task",
    "has_wording",
]
