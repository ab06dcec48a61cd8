"""Plain words for the calls, values, conditions and premises of a record, resolved against its world."""

from impossible_moments.mechanics.wording.call_wording import CallWording, NeededStatement, find_call_pattern
from impossible_moments.mechanics.wording.quantity_names import QuantityNames
from impossible_moments.mechanics.wording.record_wording import WORDING_ERRORS, RecordWording
from impossible_moments.mechanics.wording.statement_matching import (
    list_unsaid_statements,
    match_statements,
    says_everything,
)
from impossible_moments.mechanics.wording.word_stems import (
    extract_particles,
    extract_word_stems,
    list_word_stems,
)

__all__ = [
    "WORDING_ERRORS",
    "CallWording",
    "NeededStatement",
    "QuantityNames",
    "RecordWording",
    "extract_particles",
    "extract_word_stems",
    "find_call_pattern",
    "list_unsaid_statements",
    "list_word_stems",
    "match_statements",
    "says_everything",
]
