"""Building of messages: identifiers, times, and bodies that are split if they are too long."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from impossible_moments.agents.orchestrator import split_message_body
from impossible_moments.domain.message import Message, MessageContent, MessageMetadata
from impossible_moments.domain.vocabulary import MessageType, Phase
from impossible_moments.llm import estimate_text_tokens
from impossible_moments.pipeline.clock import derive_message_id


@dataclass(frozen=True, slots=True)
class Envelope:
    """The fields of a message besides its content."""

    key: str
    """Identifies the message within its run."""
    sent_at: float
    phase: Phase
    sender: str
    recipient: str
    kind: MessageType
    confidence: float | None = None
    agent_version: str = ""
    """The model and prompt version of the sender. The orchestrator has neither."""
    context_window_usage: float = 0.0
    iteration: int = 0


def build_messages(scenario: str, envelope: Envelope, content: MessageContent) -> tuple[Message, ...]:
    """Build a message, or several that depend on each other if the body is too long for one."""
    parts = split_message_body(content.body)
    ids = [derive_message_id(scenario, f"{envelope.key}@{part.number}") for part in parts]
    timestamp = format_timestamp(envelope.sent_at)
    return tuple(
        Message(
            message_id=ids[part.number - 1],
            timestamp=timestamp,
            phase=envelope.phase,
            sender=envelope.sender,
            recipient=envelope.recipient,
            message_type=envelope.kind,
            confidence=envelope.confidence,
            content=MessageContent(
                summary=content.summary
                if part.parts == 1
                else f"{content.summary} ({part.number} of {part.parts})",
                body=part.text,
                evidence=content.evidence,
                concerns=content.concerns,
                dependencies=drop_duplicates(
                    (*content.dependencies, *(ids[number - 1] for number in part.depends_on))
                ),
            ),
            metadata=MessageMetadata(
                agent_version=envelope.agent_version,
                token_count=estimate_text_tokens(part.text),
                context_window_usage=envelope.context_window_usage,
                iteration=envelope.iteration,
            ),
        )
        for part in parts
    )


def format_timestamp(sent_at: float) -> str:
    """Return a Unix time as the timestamp of a message."""
    return datetime.fromtimestamp(sent_at, tz=UTC).isoformat(timespec="seconds")


def list_message_ids(messages: Iterable[Message]) -> tuple[str, ...]:
    """Return the identifiers of messages."""
    return tuple(each.message_id for each in messages)


def drop_duplicates(names: Iterable[str]) -> tuple[str, ...]:
    """Return names without repetitions, in the order of their first occurrence."""
    return tuple(dict.fromkeys(names))
