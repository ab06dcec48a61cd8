"""What a brain is told: the same question from either protocol, and nothing of a request that breaks its rules."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from support.providers.asking import (
    WEIGH,
    ClientOptions,
    import_client_library,
    open_anthropic_client,
    open_openai_client,
)
from support.providers.conversation import Call, Message, Question, Reply, Result
from support.providers.server import Server, serve_provider

FUNCTION = {"name": WEIGH.name, "description": WEIGH.description, "parameters": WEIGH.schema}
OPENAI_BODY: dict[str, Any] = {
    "model": "small-1",
    "max_completion_tokens": 300,
    "tool_choice": "required",
    "tools": [{"type": "function", "function": FUNCTION}],
    "messages": [
        {"role": "system", "content": "Be exact."},
        {"role": "developer", "content": [{"type": "text", "text": "Be brief."}]},
        {"role": "user", "content": "Weigh these."},
        {
            "role": "assistant",
            "content": "Both.",
            "tool_calls": [
                {
                    "id": "a",
                    "type": "function",
                    "function": {"name": "weigh", "arguments": '{"thing": "brick"}'},
                },
                {
                    "id": "b",
                    "type": "function",
                    "function": {"name": "weigh", "arguments": '{"thing": "feather"}'},
                },
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "2 kg"},
        {"role": "tool", "tool_call_id": "b", "content": [{"type": "text", "text": "1 g"}]},
        {"role": "user", "content": "Well?"},
    ],
}
ANTHROPIC_BODY: dict[str, Any] = {
    "model": "small-1",
    "max_tokens": 300,
    "tool_choice": {"type": "any"},
    "tools": [{"name": WEIGH.name, "description": WEIGH.description, "input_schema": WEIGH.schema}],
    "system": [{"type": "text", "text": "Be exact."}, {"type": "text", "text": "Be brief."}],
    "messages": [
        {"role": "user", "content": "Weigh these."},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Both."},
                {"type": "tool_use", "id": "a", "name": "weigh", "input": {"thing": "brick"}},
                {"type": "tool_use", "id": "b", "name": "weigh", "input": {"thing": "feather"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "2 kg"},
                {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "1 g"}]},
                {"type": "text", "text": "Well?"},
            ],
        },
    ],
}


async def sent_to_openai(server: Server, body: dict[str, Any]) -> None:
    async with open_openai_client(server, ClientOptions("openai", stream=False)) as client:
        await client.chat.completions.create(**body)


async def sent_to_anthropic(server: Server, body: dict[str, Any]) -> None:
    async with open_anthropic_client(server, ClientOptions("anthropic", stream=False)) as client:
        await client.messages.create(**body)


def questions_of(*senders: tuple[Any, dict[str, Any]]) -> list[Question]:
    """The questions that a brain is asked when the bodies are sent."""
    questions: list[Question] = []

    def brain(question: Question) -> Reply:
        questions.append(question)
        return Reply("Yes.")

    with serve_provider(brain) as server:
        for send, body in senders:
            asyncio.run(send(server, body))
    return questions


def test_a_conversation_is_one_question_in_both_protocols() -> None:
    first, second = questions_of((sent_to_openai, OPENAI_BODY), (sent_to_anthropic, ANTHROPIC_BODY))
    assert replace(first, protocol="", raw={}) == replace(second, protocol="", raw={})
    assert (first.protocol, second.protocol) == ("openai", "anthropic")
    assert (first.model, first.system, first.tools) == ("small-1", "Be exact.\n\nBe brief.", (WEIGH,))
    assert (first.tool_choice, first.max_tokens) == ("any", 300)
    assert first.messages == (
        Message("user", "Weigh these."),
        Message(
            "assistant",
            "Both.",
            (Call("weigh", {"thing": "brick"}, "a"), Call("weigh", {"thing": "feather"}, "b")),
        ),
        Message("user", "Well?", results=(Result("a", "2 kg"), Result("b", "1 g"))),
    )


def test_a_system_prompt_may_be_a_string_in_either_protocol() -> None:
    short = ANTHROPIC_BODY | {"system": "Be exact."}
    (question,) = questions_of((sent_to_anthropic, short))
    assert question.system == "Be exact."


@pytest.mark.parametrize(
    ("openai_choice", "anthropic_choice", "neutral"),
    [
        ("auto", {"type": "auto"}, "auto"),
        ("none", {"type": "none"}, "none"),
        ({"type": "function", "function": {"name": "weigh"}}, {"type": "tool", "name": "weigh"}, "weigh"),
    ],
)
def test_a_choice_of_tools_has_one_name(openai_choice: Any, anthropic_choice: Any, neutral: str) -> None:
    questions = questions_of(
        (sent_to_openai, OPENAI_BODY | {"tool_choice": openai_choice}),
        (sent_to_anthropic, ANTHROPIC_BODY | {"tool_choice": anthropic_choice}),
    )
    assert [question.tool_choice for question in questions] == [neutral, neutral]


def test_arguments_in_a_history_that_are_no_json_are_kept_as_written() -> None:
    body: dict[str, Any] = {"model": "m", "messages": [{**message} for message in OPENAI_BODY["messages"]]}
    broken = {"id": "a", "type": "function", "function": {"name": "weigh", "arguments": '{"thing'}}
    body["messages"][3] = {"role": "assistant", "tool_calls": [broken]}
    del body["messages"][5]
    (question,) = questions_of((sent_to_openai, body))
    assert question.messages[1].calls == (Call("weigh", {}, "a", written='{"thing'),)


# fmt: off
BROKEN: dict[str, Any] = {
    "a result is missing":       lambda messages: [*messages[:-2], {"role": "user", "content": "Well?"}],
    "a call is not answered":    lambda messages: messages[:4],
    "a result answers no call":  lambda messages: [messages[0], messages[4]],
    "a role does not exist":     lambda messages: [{"role": "oracle", "content": "Hm."}, *messages],
    "there are no messages":     lambda _messages: [],
    "a call has no function":    lambda messages: [messages[0], {"role": "assistant", "tool_calls": [{"id": "a"}]}],
}
# fmt: on


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_history_that_openai_refuses_is_refused_and_free(broken: Any) -> None:
    with serve_provider(lambda _question: Reply("Yes.")) as server:
        body = OPENAI_BODY | {"messages": broken(OPENAI_BODY["messages"])}
        with pytest.raises(import_client_library("openai").BadRequestError):
            asyncio.run(sent_to_openai(server, body))
        assert server.bill.requests == 0


@pytest.mark.parametrize("kept", [0, 2], ids=["there are no messages", "the calls are not answered"])
def test_a_history_that_anthropic_refuses_is_refused_and_free(kept: int) -> None:
    with serve_provider(lambda _question: Reply("Yes.")) as server:
        body = ANTHROPIC_BODY | {"messages": ANTHROPIC_BODY["messages"][:kept]}
        with pytest.raises(import_client_library("anthropic").BadRequestError):
            asyncio.run(sent_to_anthropic(server, body))
        assert server.bill.requests == 0
