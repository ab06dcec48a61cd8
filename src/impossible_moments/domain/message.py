"""Messages between agents and the orchestrator, with every field of the specification."""

from __future__ import annotations

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
