"""Messages between agents and the orchestrator, with every field of the specification."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from impossible_moments.domain.vocabulary import MessageType, Phase

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class _FrozenMessageModel(BaseModel):
    """Frozen base model that forbids unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class MessageContent(_FrozenMessageModel):
    """The content of a message."""

    summary: str
    body: str
    evidence: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()


class MessageMetadata(_FrozenMessageModel):
    """The version of the sender and the size of its work."""

    agent_version: str = ""
    token_count: int = Field(default=0, ge=0)
    context_window_usage: Share = 0.0
    iteration: int = Field(default=0, ge=0)


class Message(_FrozenMessageModel):
    """A message. The runtime sets its identifier and time."""

    message_id: str
    timestamp: str
    phase: Phase
    sender: str
    recipient: str
    message_type: MessageType
    confidence: Share | None
    content: MessageContent
    metadata: MessageMetadata = MessageMetadata()


class Disposition(StrEnum):
    """What the orchestrator does with a message."""

    ACCEPTED = "accepted"
    DOWNGRADED = "downgraded to a challenge"
    LOGGED = "logged and not forwarded"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, order=True)
class MessagePlace:
    """The place of a message in its run: round, then requests before replies, then asks in their order."""

    round_number: int
    is_reply: bool
    ask_number: int
    part: int


@dataclass(frozen=True, slots=True)
class FiledMessage:
    """A message as the ledger keeps it, with the rules that it breaks."""

    place: MessagePlace
    ask_key: str
    message: Message
    problems: tuple[str, ...] = ()
    """The rules of communication that the message breaks, as sentences."""
    disposition: Disposition = Disposition.ACCEPTED
