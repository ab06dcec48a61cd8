"""Plain words for the calls, values, conditions and premises of a record, resolved against its world."""

from impossible_moments.mechanics.wording.call_wording import CallWording, NeededStatement, find_call_pattern
from impossible_moments.mechanics.wording.record_wording import RecordWording

__all__ = ["CallWording", "NeededStatement", "RecordWording", "find_call_pattern"]
