"""Plain words for the calls, values, conditions and premises of a record, resolved against its world."""

from impossible_moments.mechanics.wording.call_wording import CallWording, NeededStatement, find_call_pattern
from impossible_moments.mechanics.wording.record_wording import RecordWording
from impossible_moments.mechanics.wording.statement_matching import (
    extract_word_stems,
    find_said_words,
    list_unsaid_statements,
    says_everything,
)

__all__ = [
    "CallWording",
    "NeededStatement",
    "RecordWording",
    "extract_word_stems",
    "find_call_pattern",
    "find_said_words",
    "list_unsaid_statements",
    "says_everything",
]
