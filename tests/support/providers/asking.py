"""A common interface to the official clients, so that a test covers both protocols."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from support.providers.conversation import Json, Tool, to_compact_json
from support.providers.server import Server

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from openai import AsyncOpenAI

Protocol: TypeAlias = Literal["openai", "anthropic"]
MODEL: Final = "small-1"
WEIGH: Final = Tool(
    name="weigh",
    description="The weight of a thing.",
    schema={"type": "object", "properties": {"thing": {"type": "string"}}, "required": ["thing"]},
)


@dataclass(frozen=True)
class ClientOptions:
    """The options of a request: protocol, streaming, tools and key."""

    protocol: Protocol
    stream: bool
    tools: Sequence[Tool] = ()
    key: str = "any key"
    timeout: float = 10.0


ALL_OPTIONS: Final = {
    "openai": ClientOptions("openai", stream=False),
    "openai streamed": ClientOptions("openai", stream=True),
    "anthropic": ClientOptions("anthropic", stream=False),
    "anthropic streamed": ClientOptions("anthropic", stream=True),
}
"""All combinations of options, for parametrized tests."""


@dataclass
class ClientAnswer:
    """An answer as seen by a client: arguments as text, usage as input and output tokens."""

    text: str = ""
    refusal: str = ""
    calls: list[tuple[str, str]] = field(default_factory=list)
    finish: str | None = None
    usage: tuple[int, int] | None = None
    raw: list[Any] = field(default_factory=list)


def import_client_library(protocol: str) -> Any:
    """Import the official client when a test needs it, because that takes a second."""
    return import_module(protocol)


def ask(server: Server, asking: ClientOptions, prompt: str = "What is it?") -> ClientAnswer:
    """Ask one question through the official client. Its exceptions are not caught."""
    return asyncio.run(ask_async(server, asking, prompt))


async def ask_async(server: Server, asking: ClientOptions, prompt: str = "What is it?") -> ClientAnswer:
    """Ask one question from a running event loop."""
    seen = ClientAnswer()
    if asking.protocol == "openai":
        await _ask_openai(server, asking, prompt, seen)
    else:
        await _ask_anthropic(server, asking, prompt, seen)
    return seen


@asynccontextmanager
async def open_openai_client(server: Server, asking: ClientOptions) -> AsyncIterator[AsyncOpenAI]:
    """Open OpenAI's client for the server, without retries."""
    async with import_client_library("openai").AsyncOpenAI(
        base_url=server.openai_url, api_key=asking.key, max_retries=0, timeout=asking.timeout
    ) as client:
        yield client


@asynccontextmanager
async def open_anthropic_client(server: Server, asking: ClientOptions) -> AsyncIterator[AsyncAnthropic]:
    """Open Anthropic's client for the server, without retries."""
    async with import_client_library("anthropic").AsyncAnthropic(
        base_url=server.anthropic_url, api_key=asking.key, max_retries=0, timeout=asking.timeout
    ) as client:
        yield client


async def _ask_openai(server: Server, asking: ClientOptions, prompt: str, seen: ClientAnswer) -> None:
    body: Json = {"model": MODEL, "messages": [{"role": "user", "content": prompt}]}
    if asking.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": t.name, "description": t.description, "parameters": t.schema},
            }
            for t in asking.tools
        ]
    async with open_openai_client(server, asking) as client:
        if asking.stream:
            options: Any = {"include_usage": True}
            stream = await client.chat.completions.create(**body, stream=True, stream_options=options)
            async for chunk in stream:
                seen.raw.append(chunk)
                _add_chunk(chunk, seen)
            return
        completion = await client.chat.completions.create(**body)
    seen.raw.append(completion)
    if isinstance(completion, str):  # the client passes on what is not JSON
        return
    choice = completion.choices[0]
    seen.text, seen.refusal, seen.finish = (
        choice.message.content or "",
        choice.message.refusal or "",
        choice.finish_reason,
    )
    calls: Any = choice.message.tool_calls or ()
    seen.calls = [(call.function.name, call.function.arguments) for call in calls]
    seen.usage = _convert_usage(completion.usage)


def _add_chunk(chunk: Any, seen: ClientAnswer) -> None:
    seen.usage = _convert_usage(chunk.usage) or seen.usage
    for choice in chunk.choices:
        seen.text += choice.delta.content or ""
        seen.refusal += choice.delta.refusal or ""
        seen.finish = choice.finish_reason or seen.finish
        for call in choice.delta.tool_calls or ():
            if call.id:
                seen.calls.append((call.function.name, ""))
            name, arguments = seen.calls[call.index]
            seen.calls[call.index] = (name, arguments + call.function.arguments)


def _convert_usage(usage: Any) -> tuple[int, int] | None:
    return None if usage is None else (usage.prompt_tokens, usage.completion_tokens)


async def _ask_anthropic(server: Server, asking: ClientOptions, prompt: str, seen: ClientAnswer) -> None:
    body: Json = {"model": MODEL, "max_tokens": 1_000, "messages": [{"role": "user", "content": prompt}]}
    if asking.tools:
        body["tools"] = [
            {"name": t.name, "description": t.description, "input_schema": t.schema} for t in asking.tools
        ]
    async with open_anthropic_client(server, asking) as client:
        if asking.stream:
            async for event in await client.messages.create(**body, stream=True):
                seen.raw.append(event)
                _add_event(event, seen)
            return
        message = await client.messages.create(**body)
    seen.raw.append(message)
    if isinstance(message, str):
        return
    for block in message.content:
        if block.type == "text":
            seen.text += block.text
        elif block.type == "tool_use":
            value: object = block.input
            seen.calls.append((block.name, value if isinstance(value, str) else to_compact_json(value)))
    seen.finish = message.stop_reason
    if getattr(message, "usage", None) is not None:
        seen.usage = (message.usage.input_tokens, message.usage.output_tokens)


def _add_event(event: Any, seen: ClientAnswer) -> None:
    match event.type:
        case "message_start" if getattr(event.message, "usage", None) is not None:
            seen.usage = (event.message.usage.input_tokens, event.message.usage.output_tokens)
        case "content_block_start" if event.content_block.type == "tool_use":
            seen.calls.append((event.content_block.name, ""))
        case "content_block_delta" if event.delta.type == "text_delta":
            seen.text += event.delta.text
        case "content_block_delta":
            name, arguments = seen.calls[-1]
            seen.calls[-1] = (name, arguments + event.delta.partial_json)
        case "message_delta":
            seen.finish = event.delta.stop_reason
            if seen.usage is not None:
                seen.usage = (seen.usage[0], event.usage.output_tokens)
