"""Answers that a model should not give, as the official clients see them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from support.providers import faults
from support.providers.asking import ALL_OPTIONS, WEIGH, ClientOptions, ask, import_client_library
from support.providers.conversation import Call, Question, Reply
from support.providers.dialect import REFUSAL
from support.providers.faults import Fault, plan_always
from support.providers.server import serve_provider

pytestmark = pytest.mark.parametrize("asking", ALL_OPTIONS.values(), ids=ALL_OPTIONS)
TEXT = "I put it on the scales and read what they say."


def brain(question: Question) -> Reply:
    return Reply(TEXT, (Call("weigh", {"thing": "brick"}),) if question.tools else ())


def test_a_fault_of_arguments_needs_a_tool(asking: ClientOptions) -> None:
    with (
        pytest.raises(ValueError, match="offers no tools"),
        serve_provider(brain, faults=plan_always(faults.WRONG_SCHEMA)) as server,
        pytest.raises(
            (
                import_client_library("openai").InternalServerError,
                import_client_library("anthropic").InternalServerError,
            )
        ),
    ):
        ask(server, asking)


def test_arguments_can_be_no_json(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(faults.MALFORMED_ARGUMENTS)) as server:
        seen = ask(server, replace(asking, tools=(WEIGH,)))
    ((name, arguments),) = seen.calls
    assert name == "weigh"
    with pytest.raises(json.JSONDecodeError):
        json.loads(arguments)


def test_arguments_can_break_the_schema(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(faults.WRONG_SCHEMA)) as server:
        seen = ask(server, replace(asking, tools=(WEIGH,)))
    assert [json.loads(arguments) for _name, arguments in seen.calls] == [faults.OFF_SCHEMA]


def test_prose_can_stand_for_a_tool_call(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(faults.PROSE)) as server:
        seen = ask(server, replace(asking, tools=(WEIGH,)))
    assert seen.text
    assert (seen.calls, seen.finish) == ([], {"openai": "stop", "anthropic": "end_turn"}[asking.protocol])


def test_a_text_can_be_cut_off_by_the_limit_of_tokens(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(faults.TRUNCATED)) as server:
        seen = ask(server, asking)
    assert seen.text == TEXT[: len(TEXT) // 2]
    assert seen.finish == {"openai": "length", "anthropic": "max_tokens"}[asking.protocol]


def test_a_tool_call_can_be_cut_off_by_the_limit_of_tokens(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(faults.TRUNCATED)) as server:
        seen = ask(server, replace(asking, tools=(WEIGH,)))
    # Anthropic sends whole arguments as a value, and loses what it cannot read.
    rest = "{}" if asking == ALL_OPTIONS["anthropic"] else '{"thing"'
    assert seen.calls == [("weigh", rest)]
    assert seen.finish == {"openai": "length", "anthropic": "max_tokens"}[asking.protocol]


def test_a_refusal_is_the_message_of_openai_and_the_stop_reason_of_anthropic(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(faults.REFUSED)) as server:
        seen = ask(server, replace(asking, tools=(WEIGH,)))
    expected = {"openai": ("", REFUSAL, "stop"), "anthropic": ("", "", "refusal")}
    assert (seen.text, seen.refusal, seen.finish) == expected[asking.protocol]
    assert seen.calls == []


@pytest.mark.parametrize(
    ("fault", "said"), [(faults.FILTERED, ""), (faults.REFUSED_PARTWAY, TEXT[: len(TEXT) // 2])]
)
def test_a_filter_leaves_what_was_said_before_it(asking: ClientOptions, fault: Fault, said: str) -> None:
    with serve_provider(brain, faults=plan_always(fault)) as server:
        seen = ask(server, asking)
    assert seen.text == said
    assert seen.finish == {"openai": "content_filter", "anthropic": "refusal"}[asking.protocol]


def test_usage_can_be_missing_and_is_charged_all_the_same(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(faults.NO_USAGE)) as server:
        seen = ask(server, asking)
    assert (seen.text, seen.usage) == (TEXT, None)
    assert server.bill.output_tokens > 0


def test_an_answer_of_a_megabyte_arrives_whole(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(faults.HUGE)) as server:
        seen = ask(server, asking)
    assert len(seen.text) == faults.HUGE_BYTES
    assert seen.usage is not None
    assert seen.usage[1] == faults.HUGE_BYTES // 4
