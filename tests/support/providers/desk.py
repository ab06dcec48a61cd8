"""What becomes of one request: who asks, what goes wrong with it, what the brain says, what it costs."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from support.providers.anthropic_messages import ANTHROPIC
from support.providers.bill import Bill, counted
from support.providers.conversation import Brain, Json, Question, Unreadable, compact
from support.providers.dialect import Answer, Dialect, Error
from support.providers.faults import Bend, Break, Failure, Fault, Plan, Slow, planned
from support.providers.openai_chat import OPENAI, models
from support.providers.wire import Incoming, Outgoing, first_part

DIALECTS: Final[Mapping[str, Dialect]] = {"/v1/chat/completions": OPENAI, "/v1/messages": ANTHROPIC}
OVERFLOW: Final = 200_001  # tokens: more than either provider's window
PAGE: Final = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in first.</body></html>"


@dataclass(frozen=True)
class Request:
    """Everything that one request said, and when: `at` is of the monotonic clock."""

    protocol: str
    path: str
    headers: Mapping[str, str]
    body: Json | None
    at: float


@dataclass(frozen=True)
class House:
    """How the provider behaves: what it answers with and how soon, whom it serves, and which models it has.

    Without `models` every name is served; without a `key` every key is good.
    """

    brain: Brain
    faults: Plan | None = None
    latency: float = 0.0
    key: str | None = None
    models: tuple[str, ...] = ()


@dataclass
class Desk:
    """Serves requests one by one and keeps the books. It lives in the server's thread."""

    house: House
    requests: list[Request] = field(default_factory=list)
    bill: Bill = field(default_factory=Bill)
    mistakes: list[Exception] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    async def serve(self, incoming: Incoming) -> Outgoing:
        """The response to a request."""
        path = incoming.path.partition("?")[0]
        body = _parsed(incoming.body)
        dialect = DIALECTS.get(path, ANTHROPIC if "anthropic-version" in incoming.headers else OPENAI)
        self.requests.append(Request(dialect.name, incoming.path, incoming.headers, body, time.monotonic()))
        if self.house.key is not None and dialect.key(incoming.headers) != self.house.key:
            return _refusal(dialect, Error.AUTHENTICATION)
        if (incoming.method, path) == ("GET", "/v1/models"):
            return _json(200, models(self.house.models))
        if incoming.method != "POST" or path not in DIALECTS:
            return _refusal(dialect, Error.NO_PATH, f"{incoming.method} {incoming.path}")
        number = next(self._numbers)
        named = {dialect.request_id_header: f"req_{number:06}"}
        outgoing = await self._answered(dialect, number, body)
        return replace(outgoing, headers={**named, **outgoing.headers})

    async def _answered(self, dialect: Dialect, number: int, body: Json | None) -> Outgoing:
        if body is None:
            return _refusal(dialect, Error.INVALID, "The body of the request is not a JSON object.")
        try:
            question = dialect.read(body)
        except Unreadable as reason:
            return _refusal(dialect, Error.INVALID, str(reason))
        except (AttributeError, KeyError, TypeError) as reason:
            return _refusal(dialect, Error.INVALID, f"The request has the wrong shape: {reason!r}.")
        if self.house.models and question.model not in self.house.models:
            return _refusal(dialect, Error.NO_MODEL, question.model)
        try:
            fault = planned(self.house.faults, number, question)
            await asyncio.sleep(self.house.latency + (fault.seconds if isinstance(fault, Slow) else 0.0))
            return self._outcome(dialect, number, question, fault)
        except Exception as mistake:  # noqa: BLE001 - the edge of the thread: kept, and raised again by `provider`
            self.mistakes.append(mistake)
            return _refusal(dialect, Error.INTERNAL, f"The brain failed: {mistake!r}")

    def _outcome(self, dialect: Dialect, number: int, question: Question, fault: Fault | None) -> Outgoing:
        match fault:
            case Failure(error):
                detail = {
                    Error.NO_MODEL: question.model,
                    Error.CONTEXT: str(OVERFLOW),
                    Error.INVALID: "Bad request.",
                }
                return replace(_refusal(dialect, error, detail.get(error, "")), headers=fault.headers)
            case Break.HTML:
                return Outgoing(200, "text/html; charset=utf-8", (PAGE,))
            case Break.EMPTY:
                return Outgoing(200, "application/json", ())
            case Break.RESET_BEFORE:
                return Outgoing(200, "application/json", (), ending="nothing")
            case Break.ERROR_EVENT if not question.raw.get("stream"):
                return _refusal(dialect, Error.OVERLOADED)
        reply = self.house.brain(question)
        if isinstance(fault, Bend):
            reply = fault.bent(reply, question)
        usage = counted(question, reply)
        self.bill = self.bill.plus(usage)
        answer = Answer(number, question, reply, usage if reply.reports_usage else None)
        return _broken(dialect, _written(dialect, answer), fault)


def _parsed(body: bytes) -> Json | None:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _json(status: int, body: Json) -> Outgoing:
    return Outgoing(status, "application/json", (compact(body).encode(),))


def _refusal(dialect: Dialect, error: Error, detail: str = "") -> Outgoing:
    return _json(*dialect.failure(error, detail))


def _written(dialect: Dialect, answer: Answer) -> Outgoing:
    if not answer.question.raw.get("stream"):
        return _json(200, dialect.whole(answer))
    events = tuple(event.encoded() for event in dialect.events(answer))
    return Outgoing(200, "text/event-stream; charset=utf-8", events, streamed=True)


def _broken(dialect: Dialect, outgoing: Outgoing, fault: Fault | None) -> Outgoing:
    """The response as the fault leaves it."""
    match fault:
        case Break.RESET_MIDDLE:
            return replace(outgoing, ending="reset")
        case Break.CUT:
            return replace(outgoing, ending="cut")
        case Break.ERROR_EVENT:
            _status, body = dialect.failure(Error.OVERLOADED, "")
            begun = first_part(outgoing.pieces)
            return replace(outgoing, pieces=(*begun, dialect.error_event(body).encoded()))
        case Break.GARBLED:
            return replace(outgoing, pieces=tuple(piece.replace(b"{", b"{{", 1) for piece in outgoing.pieces))
        case _:
            return outgoing
