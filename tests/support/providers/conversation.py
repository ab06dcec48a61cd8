"""A conversation with a language model, independent of the provider.

A brain answers a `Question` with a `Reply`; the protocols translate both ways. The same conversation gives the
same question in either protocol: neighbouring messages of one role are one message, system texts are one text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Json: TypeAlias = dict[str, Any]
Role: TypeAlias = Literal["user", "assistant"]
Finish: TypeAlias = Literal["stop", "tool", "length", "refusal", "filter"]
"""Why an answer ended. A refusal comes from the model; a filter cuts off its answer."""


class UnreadableRequest(Exception):
    """The body is not a request of its protocol; the message is that of the provider."""


@dataclass(frozen=True)
class Call:
    """A tool call. `written` holds its arguments verbatim if they are not a JSON object."""

    name: str
    arguments: Mapping[str, Any]
    id: str = ""
    written: str | None = None

    @property
    def json(self) -> str:
        """The arguments as they are sent and charged."""
        return to_compact_json(self.arguments) if self.written is None else self.written

    @classmethod
    def parse(cls, name: str, text: str, identifier: str) -> Call:
        """Parse a call of a history, whose arguments may be any earlier answer."""
        try:
            arguments = json.loads(text)
        except ValueError:
            arguments = None
        if isinstance(arguments, dict):
            return cls(name, arguments, identifier)
        return cls(name, {}, identifier, written=text)


@dataclass(frozen=True)
class Result:
    """The result of the tool call `id`."""

    id: str
    text: str


@dataclass(frozen=True)
class Message:
    """One turn of one side: text, tool calls (of the assistant), tool results (of the user)."""

    role: Role
    text: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()


@dataclass(frozen=True)
class Tool:
    """An available tool, with the JSON schema of its arguments."""

    name: str
    description: str
    schema: Json


@dataclass(frozen=True)
class Question:
    """A request for an answer. `tool_choice` is "auto", "any", "none" or the name of the required tool."""

    model: str
    system: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    tool_choice: str
    max_tokens: int | None
    protocol: str
    raw: Json = field(repr=False)

    @property
    def last_message(self) -> Message:
        """The newest message, by the user or a tool."""
        return self.messages[-1]


@dataclass(frozen=True)
class Usage:
    """Tokens of one request."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class Reply:
    """An answer. `finish` follows from the calls unless it is given.

    A given `usage` is reported and charged instead of the server's own count; with `reports_usage` off the answer
    is charged but not reported to the client.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    finish: Finish | None = None
    usage: Usage | None = None
    reports_usage: bool = True

    @property
    def finish_reason(self) -> Finish:
        """Why the answer ended."""
        return self.finish or ("tool" if self.calls else "stop")


Brain: TypeAlias = Callable[[Question], Reply]
"""Answers questions. It runs in the server's thread, one question at a time."""


def to_compact_json(value: object) -> str:
    """Return `value` as JSON without spaces, so that counts do not depend on a client's spacing."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def merge_messages(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Merge adjacent messages of one role."""
    turns: list[Message] = []
    for message in messages:
        if turns and turns[-1].role == message.role:
            before = turns.pop()
            text = "\n\n".join(text for text in (before.text, message.text) if text)
            calls, results = before.calls + message.calls, before.results + message.results
            turns.append(Message(message.role, text, calls, results))
        else:
            turns.append(message)
    return tuple(turns)


def check_history(messages: tuple[Message, ...]) -> None:
    """Refuse a history that both providers refuse: calls without results, or results without calls."""
    if not messages:
        raise UnreadableRequest("messages: at least one message is required")
    open_calls: set[str] = set()
    for message in messages:
        given = {result.id for result in message.results}
        if given != open_calls:
            wrong = ", ".join(sorted(given ^ open_calls))
            raise UnreadableRequest(
                f"messages: every tool call needs a result in the next message, and no other: {wrong}"
            )
        open_calls = {call.id for call in message.calls}
    if open_calls:
        raise UnreadableRequest(f"messages: no results for the tool calls {', '.join(sorted(open_calls))}")


def extract_text(content: object) -> str:
    """Return the text of a string or list of parts; a part without text becomes its type in brackets."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        raise UnreadableRequest("messages: content must be a string or a list of parts")
    return "\n\n".join(str(part.get("text", f"[{part.get('type')}]")) for part in content)


def require_field(body: Json, name: str, kind: type) -> Any:
    """Return the field `name` of a request, which the provider requires."""
    if not isinstance(body.get(name), kind):
        raise UnreadableRequest(f"{name}: field required")
    return body[name]
