"""Plain words for the calls, values, conditions and premises of a record, resolved against its world."""

from impossible_moments.mechanics.wording.call_wording import CallWording, NeededStatement, find_call_pattern
from impossible_moments.mechanics.wording.record_wording import RecordWording
from impossible_moments.mechanics.wording.statement_matching import (
    list_unsaid_statements,
    match_statements,
    says_everything,
)
from impossible_moments.mechanics.wording.word_stems import extract_word_stems, list_word_stems

__all__ = [
    "CallWording",
    "NeededStatement",
    "RecordWording",
    "extract_word_stems",
    "find_call_pattern",
    "list_unsaid_statements",
    "list_word_stems",
    "match_statements",
    "says_everything",
]
