"""What a protocol must be able to do for the server: read questions, write answers, and say what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from support.providers.conversation import Json, Question, Reply, Usage

CREATED = 1_750_000_000  # a fixed time, so that two runs give the same bytes
REFUSAL = "I cannot help with this."  # where a refusal must have words and the brain gave none


class Error(StrEnum):
    """What a provider refuses a request with; each protocol has its own status and body for it."""

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
    """A reply on its way out. `number` names it; a `usage` of None is not reported."""

    number: int
    question: Question
    reply: Reply
    usage: Usage | None


@dataclass(frozen=True)
class Event:
    """One server-sent event."""

    data: str
    name: str = ""

    def encoded(self) -> bytes:
        """The event's bytes in the stream."""
        return (f"event: {self.name}\n" if self.name else "").encode() + f"data: {self.data}\n\n".encode()


@dataclass(frozen=True)
class Dialect:
    """A provider's protocol as functions: from its JSON to a question, and from an answer to its JSON or events."""

    name: str
    request_id_header: str
    key: Callable[[Mapping[str, str]], str]
    read: Callable[[Json], Question]
    whole: Callable[[Answer], Json]
    events: Callable[[Answer], Iterator[Event]]
    failure: Callable[[Error, str], tuple[int, Json]]
    error_event: Callable[[Json], Event]


def pieces(text: str) -> Iterator[str]:
    """The text cut as a stream would bring it: pieces of some words, and no more than about fifty of them."""
    size = max(24, -(-len(text) // 50))
    return (text[start : start + size] for start in range(0, len(text), size))


def bearer(headers: Mapping[str, str]) -> str:
    """The key in an Authorization header, or nothing."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    return key if scheme.lower() == "bearer" else ""
