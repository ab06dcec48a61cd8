"""Messages of a run: built from asks and answers, stored in the ledger, and read as a timeline."""

from impossible_moments.pipeline.messages.message_history import MessageHistory, describe_refusal
from impossible_moments.pipeline.messages.message_records import (
    MessageTimeline,
    convert_to_row,
    load_messages,
    map_documents_by_message,
)

__all__ = [
    "MessageHistory",
    "MessageTimeline",
    "convert_to_row",
    "describe_refusal",
    "load_messages",
    "map_documents_by_message",
]
