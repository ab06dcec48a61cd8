"""A conversation with a language model in words that belong to no provider.

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
"""Why an answer ended. A refusal is the model's own, a filter cuts off what it had begun to say."""


class Unreadable(Exception):
    """The body is no request of its protocol; the message says what the provider would."""


@dataclass(frozen=True)
class Call:
    """A tool call. `written` holds its arguments word for word where they are not a JSON object."""

    name: str
    arguments: Mapping[str, Any]
    id: str = ""
    written: str | None = None

    @property
    def json(self) -> str:
        """The arguments as they are sent, and as they are counted on the bill."""
        return compact(self.arguments) if self.written is None else self.written

    @classmethod
    def read(cls, name: str, text: str, identifier: str) -> Call:
        """A call from a history, whose arguments may be anything that was once answered."""
        try:
            arguments = json.loads(text)
        except ValueError:
            arguments = None
        if isinstance(arguments, dict):
            return cls(name, arguments, identifier)
        return cls(name, {}, identifier, written=text)


@dataclass(frozen=True)
class Result:
    """What a tool gave back to the call `id`."""

    id: str
    text: str


@dataclass(frozen=True)
class Message:
    """What one side said in one turn: text, tool calls (of the assistant), tool results (of the user)."""

    role: Role
    text: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()


@dataclass(frozen=True)
class Tool:
    """A tool on offer, with the JSON schema of its arguments."""

    name: str
    description: str
    schema: Json


@dataclass(frozen=True)
class Question:
    """A request for an answer. `tool_choice` is "auto", "any", "none" or the name of the tool that is demanded."""

    model: str
    system: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    tool_choice: str
    max_tokens: int | None
    protocol: str
    raw: Json = field(repr=False)

    @property
    def last(self) -> Message:
        """The newest message: in a running conversation what the user, or a tool, has just said."""
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
    is charged and the client is not told.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    finish: Finish | None = None
    usage: Usage | None = None
    reports_usage: bool = True

    @property
    def ending(self) -> Finish:
        """Why the answer ended."""
        return self.finish or ("tool" if self.calls else "stop")


Brain: TypeAlias = Callable[[Question], Reply]
"""Answers questions. It runs in the server's thread, one question at a time."""


def compact(value: object) -> str:
    """`value` as JSON without spaces: what is counted must not depend on how a client spaces its JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def folded(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The messages with neighbours of one role made one."""
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
        raise Unreadable("messages: at least one message is required")
    open_calls: set[str] = set()
    for message in messages:
        given = {result.id for result in message.results}
        if given != open_calls:
            wrong = ", ".join(sorted(given ^ open_calls))
            raise Unreadable(
                f"messages: every tool call needs a result in the next message, and no other: {wrong}"
            )
        open_calls = {call.id for call in message.calls}
    if open_calls:
        raise Unreadable(f"messages: no results for the tool calls {', '.join(sorted(open_calls))}")


def text_of(content: object) -> str:
    """The text of a content that is a string or a list of parts; a part without text leaves its type in brackets."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        raise Unreadable("messages: content must be a string or a list of parts")
    return "\n\n".join(str(part.get("text", f"[{part.get('type')}]")) for part in content)


def required(body: Json, name: str, kind: type) -> Any:
    """The field `name` of a request, which the provider demands."""
    if not isinstance(body.get(name), kind):
        raise Unreadable(f"{name}: field required")
    return body[name]
