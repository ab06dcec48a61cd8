"""Interface of a provider protocol: parse questions, write answers, and report errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from support.providers.conversation import Json, Question, Reply, Usage

CREATED = 1_750_000_000  # a fixed time, so that two runs give the same bytes
REFUSAL = "I cannot help with this."  # where a refusal must have words and the brain gave none


class Error(StrEnum):
    """Reasons for refusing a request; each protocol has its own status and body for each."""

    RATE_LIMIT = "rate limit"
    QUOTA = "quota"
    CREDIT = "credit"
    AUTHENTICATION = "authentication"
    PERMISSION = "permission"
    NO_MODEL = "no model"
    NO_PATH = "no path"
    CONTEXT = "context"
    INVALID = "invalid"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"
    OVERLOADED = "overloaded"


@dataclass(frozen=True)
class Answer:
    """A reply to be sent. `number` identifies it; a `usage` of None is not reported."""

    number: int
    question: Question
    reply: Reply
    usage: Usage | None


@dataclass(frozen=True)
class Event:
    """One server-sent event."""

    data: str
    name: str = ""

    def encode(self) -> bytes:
        """Return the bytes of the event in the stream."""
        return (f"event: {self.name}\n" if self.name else "").encode() + f"data: {self.data}\n\n".encode()


@dataclass(frozen=True)
class ProviderProtocol:
    """A provider's protocol as functions: from its JSON to a question, and from an answer to its JSON or events."""

    name: str
    request_id_header: str
    key: Callable[[Mapping[str, str]], str]
    read: Callable[[Json], Question]
    whole: Callable[[Answer], Json]
    events: Callable[[Answer], Iterator[Event]]
    failure: Callable[[Error, str], tuple[int, Json]]
    error_event: Callable[[Json], Event]


def split_into_pieces(text: str) -> Iterator[str]:
    """Split a text as in a stream: pieces of a few words, at most about fifty."""
    size = max(24, -(-len(text) // 50))
    return (text[start : start + size] for start in range(0, len(text), size))


def parse_bearer_key(headers: Mapping[str, str]) -> str:
    """Return the key in an Authorization header, or an empty string."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    return key if scheme.lower() == "bearer" else ""
