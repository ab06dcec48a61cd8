"""Handling of one request: key, planned fault, reply of the brain, and charge."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final, TypeAlias

from support.providers.anthropic_messages import ANTHROPIC
from support.providers.bill import Bill, count_tokens
from support.providers.conversation import Brain, Json, Question, UnreadableRequest, to_compact_json
from support.providers.dialect import Answer, Error, ProviderProtocol
from support.providers.faults import Break, Failure, Fault, Plan, ReplyChange, Slow, find_planned_fault
from support.providers.openai_chat import OPENAI, build_model_list
from support.providers.wire import Incoming, Outgoing, take_first_part

DIALECTS: Final[Mapping[str, ProviderProtocol]] = {"/v1/chat/completions": OPENAI, "/v1/messages": ANTHROPIC}
OVERFLOW: Final = 200_001  # tokens: more than either provider's window
Gate: TypeAlias = Callable[[Question], bool]
"""Whether a question may be answered now."""
PAGE: Final = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in first.</body></html>"


@dataclass(frozen=True)
class Request:
    """The content and time of one request; `at` is of the monotonic clock."""

    protocol: str
    path: str
    headers: Mapping[str, str]
    body: Json | None
    at: float


@dataclass(frozen=True)
class ProviderBehaviour:
    """The behaviour of the provider: its answers, latency, keys and models.

    Without `models` every name is served; without a `key` every key is accepted. A question waits until the `gate`
    lets it pass, for tests in which questions have to meet.
    """

    brain: Brain
    faults: Plan | None = None
    latency: float = 0.0
    key: str | None = None
    models: tuple[str, ...] = ()
    gate: Gate | None = None


@dataclass
class RequestHandler:
    """Handles requests one by one and records charges, in the server's thread."""

    house: ProviderBehaviour
    requests: list[Request] = field(default_factory=list)
    bill: Bill = field(default_factory=Bill)
    mistakes: list[Exception] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    async def handle(self, incoming: Incoming) -> Outgoing:
        """Return the response to a request."""
        path = incoming.path.partition("?")[0]
        body = _parse_body(incoming.body)
        dialect = DIALECTS.get(path, ANTHROPIC if "anthropic-version" in incoming.headers else OPENAI)
        self.requests.append(Request(dialect.name, incoming.path, incoming.headers, body, time.monotonic()))
        if self.house.key is not None and dialect.key(incoming.headers) != self.house.key:
            return _build_refusal(dialect, Error.AUTHENTICATION)
        if (incoming.method, path) == ("GET", "/v1/models"):
            return _build_json_response(200, build_model_list(self.house.models))
        if incoming.method != "POST" or path not in DIALECTS:
            return _build_refusal(dialect, Error.NO_PATH, f"{incoming.method} {incoming.path}")
        number = next(self._numbers)
        named = {dialect.request_id_header: f"req_{number:06}"}
        outgoing = await self._answer_request(dialect, number, body)
        return replace(outgoing, headers={**named, **outgoing.headers})

    async def _answer_request(self, dialect: ProviderProtocol, number: int, body: Json | None) -> Outgoing:
        if body is None:
            return _build_refusal(dialect, Error.INVALID, "The body of the request is not a JSON object.")
        try:
            question = dialect.read(body)
        except UnreadableRequest as reason:
            return _build_refusal(dialect, Error.INVALID, str(reason))
        except (AttributeError, KeyError, TypeError) as reason:
            return _build_refusal(dialect, Error.INVALID, f"The request has the wrong shape: {reason!r}.")
        if self.house.models and question.model not in self.house.models:
            return _build_refusal(dialect, Error.NO_MODEL, question.model)
        try:
            fault = find_planned_fault(self.house.faults, number, question)
            while self.house.gate and not self.house.gate(question):  # noqa: ASYNC110 - the gate only answers
                await asyncio.sleep(0.001)
            await asyncio.sleep(self.house.latency + (fault.seconds if isinstance(fault, Slow) else 0.0))
            return self._build_outcome(dialect, number, question, fault)
        except Exception as mistake:  # noqa: BLE001 - the edge of the thread: kept, and raised again by `provider`
            self.mistakes.append(mistake)
            return _build_refusal(dialect, Error.INTERNAL, f"The brain failed: {mistake!r}")

    def _build_outcome(
        self, dialect: ProviderProtocol, number: int, question: Question, fault: Fault | None
    ) -> Outgoing:
        match fault:
            case Failure(error):
                detail = {
                    Error.NO_MODEL: question.model,
                    Error.CONTEXT: str(OVERFLOW),
                    Error.INVALID: "Bad request.",
                }
                return replace(_build_refusal(dialect, error, detail.get(error, "")), headers=fault.headers)
            case Break.HTML:
                return Outgoing(200, "text/html; charset=utf-8", (PAGE,))
            case Break.EMPTY:
                return Outgoing(200, "application/json", ())
            case Break.RESET_BEFORE:
                return Outgoing(200, "application/json", (), ending="nothing")
            case Break.ERROR_EVENT if not question.raw.get("stream"):
                return _build_refusal(dialect, Error.OVERLOADED)
        reply = self.house.brain(question)
        if isinstance(fault, ReplyChange):
            reply = fault.bent(reply, question)
        usage = count_tokens(question, reply)
        self.bill = self.bill.add_usage(usage)
        answer = Answer(number, question, reply, usage if reply.reports_usage else None)
        return _apply_break(dialect, _write_answer(dialect, answer), fault)


def _parse_body(body: bytes) -> Json | None:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _build_json_response(status: int, body: Json) -> Outgoing:
    return Outgoing(status, "application/json", (to_compact_json(body).encode(),))


def _build_refusal(dialect: ProviderProtocol, error: Error, detail: str = "") -> Outgoing:
    return _build_json_response(*dialect.failure(error, detail))


def _write_answer(dialect: ProviderProtocol, answer: Answer) -> Outgoing:
    if not answer.question.raw.get("stream"):
        return _build_json_response(200, dialect.whole(answer))
    events = tuple(event.encode() for event in dialect.events(answer))
    return Outgoing(200, "text/event-stream; charset=utf-8", events, streamed=True)


def _apply_break(dialect: ProviderProtocol, outgoing: Outgoing, fault: Fault | None) -> Outgoing:
    """Return the response as changed by the fault."""
    match fault:
        case Break.RESET_MIDDLE:
            return replace(outgoing, ending="reset")
        case Break.CUT:
            return replace(outgoing, ending="cut")
        case Break.ERROR_EVENT:
            _status, body = dialect.failure(Error.OVERLOADED, "")
            begun = take_first_part(outgoing.pieces)
            return replace(outgoing, pieces=(*begun, dialect.error_event(body).encode()))
        case Break.GARBLED:
            return replace(outgoing, pieces=tuple(piece.replace(b"{", b"{{", 1) for piece in outgoing.pieces))
        case _:
            return outgoing
