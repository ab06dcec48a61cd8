"""Answers as the official clients read them: both protocols, whole and streamed."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from pydantic import TypeAdapter

from support.providers.asking import (
    ALL_OPTIONS,
    WEIGH,
    ClientOptions,
    ask,
    import_client_library,
    open_anthropic_client,
    open_openai_client,
)
from support.providers.conversation import Call, Question, Reply, Usage
from support.providers.server import Server, serve_provider

if TYPE_CHECKING:
    from anthropic.types import Message as AnthropicMessage

TEXT = "A brick, as far as one can see: it is red, “burnt” and about 215 × 102.5 × 65 mm.\nThat is all."
BRICK, FEATHER = (
    Call("weigh", {"thing": "a brick", "in": ["kg", 1.5, None]}),
    Call("weigh", {"thing": "a feather"}),
)
EVERY_WAY = pytest.mark.parametrize("asking", ALL_OPTIONS.values(), ids=ALL_OPTIONS)


def says(reply: Reply) -> Any:
    def brain(_question: Question) -> Reply:
        return reply

    return brain


@EVERY_WAY
def test_a_text_arrives_as_it_was_said(asking: ClientOptions) -> None:
    with serve_provider(says(Reply(TEXT))) as server:
        seen = ask(server, asking)
    assert (seen.text, seen.calls) == (TEXT, [])
    assert seen.finish == {"openai": "stop", "anthropic": "end_turn"}[asking.protocol]


@EVERY_WAY
def test_several_tool_calls_arrive_after_the_text_in_their_order(asking: ClientOptions) -> None:
    with serve_provider(says(Reply("Both.", (BRICK, FEATHER)))) as server:
        seen = ask(server, replace(asking, tools=(WEIGH,)))
    assert seen.text == "Both."
    assert [(name, json.loads(text)) for name, text in seen.calls] == [
        ("weigh", BRICK.arguments),
        ("weigh", FEATHER.arguments),
    ]
    assert seen.finish == {"openai": "tool_calls", "anthropic": "tool_use"}[asking.protocol]


@EVERY_WAY
def test_a_call_without_arguments_is_an_empty_object(asking: ClientOptions) -> None:
    with serve_provider(says(Reply(calls=(Call("weigh", {}),)))) as server:
        seen = ask(server, replace(asking, tools=(WEIGH,)))
    assert seen.calls == [("weigh", "{}")]


@EVERY_WAY
def test_the_usage_the_client_is_told_is_on_the_bill(asking: ClientOptions) -> None:
    with serve_provider(says(Reply(TEXT, (BRICK,)))) as server:
        seen = ask(server, replace(asking, tools=(WEIGH,)))
    assert seen.usage == (server.bill.input_tokens, server.bill.output_tokens)
    assert min(seen.usage) > 0


@EVERY_WAY
def test_a_usage_stated_by_the_brain_is_told_and_charged(asking: ClientOptions) -> None:
    with serve_provider(says(Reply("Hm.", usage=Usage(7_000, 900)))) as server:
        seen = ask(server, asking)
    assert seen.usage == (7_000, 900) == (server.bill.input_tokens, server.bill.output_tokens)


@EVERY_WAY
def test_what_the_client_read_is_valid_by_the_types_it_publishes(asking: ClientOptions) -> None:
    """The clients build their types without checking them; here they are checked."""
    openai, anthropic = import_client_library("openai").types.chat, import_client_library("anthropic").types
    types: dict[tuple[str, bool], Any] = {
        ("openai", False): openai.ChatCompletion,
        ("openai", True): openai.ChatCompletionChunk,
        ("anthropic", False): anthropic.Message,
        ("anthropic", True): anthropic.RawMessageStreamEvent,
    }
    with serve_provider(says(Reply(TEXT, (BRICK, FEATHER)))) as server:
        seen = ask(server, replace(asking, tools=(WEIGH,)))
    adapter: TypeAdapter[Any] = TypeAdapter(types[asking.protocol, asking.stream])
    assert seen.raw
    for part in seen.raw:
        adapter.validate_python(part.model_dump(warnings="error", exclude_unset=True), strict=False)


def streamed(server: Server, path: str) -> list[str]:
    """The lines of a stream as they come over the wire: the clients do not mind what is missing at its end."""
    connection = HTTPConnection(urlsplit(server.anthropic_url).netloc)
    body = {
        "model": "m",
        "max_tokens": 9,
        "stream": True,
        "messages": [{"role": "user", "content": "What is it?"}],
    }
    connection.request("POST", path, json.dumps(body))
    response = connection.getresponse()
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    lines = response.read().decode().split("\n")
    connection.close()
    return lines


def test_a_stream_of_openai_is_data_alone_and_ends_with_done() -> None:
    with serve_provider(says(Reply("Yes.", (FEATHER,)))) as server:
        lines = streamed(server, "/v1/chat/completions")
    assert lines[1::2] == [""] * (len(lines) // 2)
    *chunks, done = [line.removeprefix("data: ") for line in lines[:-1:2]]
    assert {json.loads(chunk)["object"] for chunk in chunks} == {"chat.completion.chunk"}
    assert done == "[DONE]"


def test_a_stream_of_anthropic_opens_and_closes_every_block_and_the_message() -> None:
    with serve_provider(says(Reply("Yes.", (FEATHER,)))) as server:
        lines = streamed(server, "/v1/messages")
    names = [line.removeprefix("event: ") for line in lines[:-1:3]]
    assert names == [json.loads(line.removeprefix("data: "))["type"] for line in lines[1::3]]
    text = ["content_block_start", "content_block_delta", "content_block_stop"]
    call = ["content_block_start", "content_block_delta", "content_block_delta", "content_block_stop"]
    assert names == ["message_start", "ping", *text, *call, "message_delta", "message_stop"]


def test_a_stream_of_openai_has_no_usage_unless_the_client_asks() -> None:
    async def usages() -> list[object]:
        async with open_openai_client(server, ClientOptions("openai", stream=True)) as client:
            messages: Any = [{"role": "user", "content": "What is it?"}]
            stream = await client.chat.completions.create(model="small-1", messages=messages, stream=True)
            return [chunk.usage async for chunk in stream]

    with serve_provider(says(Reply(TEXT))) as server:
        assert set(asyncio.run(usages())) == {None}


def test_the_stream_helper_of_anthropic_puts_the_message_together_again() -> None:
    async def final() -> AnthropicMessage:
        async with open_anthropic_client(server, ClientOptions("anthropic", stream=True)) as client:
            messages: Any = [{"role": "user", "content": "What is it?"}]
            async with client.messages.stream(model="small-1", max_tokens=9, messages=messages) as stream:
                return await stream.get_final_message()

    with serve_provider(says(Reply(TEXT, (BRICK, FEATHER)))) as server:
        message = asyncio.run(final())
    text, first, second = message.content
    assert text.type == "text"
    assert text.text == TEXT
    assert first.type == second.type == "tool_use"
    assert (first.input, second.input) == (BRICK.arguments, FEATHER.arguments)
    assert first.id != second.id
    assert message.usage.output_tokens == server.bill.output_tokens


def test_the_models_of_the_house_are_listed() -> None:
    async def listed() -> list[str]:
        async with open_openai_client(server, ClientOptions("openai", stream=False)) as client:
            return [model.id async for model in client.models.list()]

    with serve_provider(says(Reply(TEXT)), models=("small-1", "large-2")) as server:
        assert asyncio.run(listed()) == ["small-1", "large-2"]
