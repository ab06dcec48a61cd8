"""Faults of the provider and of the way to it, as the official clients see them."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
import pytest

from support.providers import faults
from support.providers.asking import ALL_OPTIONS, ClientOptions, ask, import_client_library
from support.providers.conversation import Call, Question, Reply
from support.providers.faults import Break, Failure, Fault, Slow, plan_always, plan_first
from support.providers.server import Server, serve_provider

pytestmark = pytest.mark.parametrize("asking", ALL_OPTIONS.values(), ids=ALL_OPTIONS)
TEXT = "I put it on the scales and read what they say."


def brain(question: Question) -> Reply:
    return Reply(TEXT, (Call("weigh", {"thing": "brick"}),) if question.tools else ())


def status_error(server: Server, asking: ClientOptions) -> Any:
    """The error the client raises for a status."""
    with pytest.raises(import_client_library(asking.protocol).APIStatusError) as caught:
        ask(server, asking)
    return caught.value


def kind_of(error: Any, protocol: str) -> str | None:
    """What the body calls the error: OpenAI's code (or type, if it has none), Anthropic's type."""
    kind: str | None = error.code or error.type if protocol == "openai" else error.type
    return kind


# fmt: off
FAILURES: list[tuple[Fault, int, str, int, str]] = [
    #                   openai                               anthropic
    (faults.RATE_LIMIT,  429, "rate_limit_exceeded",          429, "rate_limit_error"),
    (faults.QUOTA,       429, "insufficient_quota",           429, "rate_limit_error"),
    (faults.CREDIT,      429, "insufficient_quota",           400, "invalid_request_error"),
    (faults.WRONG_KEY,   401, "invalid_api_key",              401, "authentication_error"),
    (faults.FORBIDDEN,   403, "model_not_allowed",            403, "permission_error"),
    (faults.NO_MODEL,    404, "model_not_found",              404, "not_found_error"),
    (faults.CONTEXT,     400, "context_length_exceeded",      400, "invalid_request_error"),
    (faults.BAD_REQUEST, 400, "invalid_request_error",        400, "invalid_request_error"),
    (faults.INTERNAL,    500, "server_error",                 500, "api_error"),
    (faults.UNAVAILABLE, 503, "server_error",                 503, "api_error"),
    (faults.OVERLOADED,  503, "server_error",                 529, "overloaded_error"),
]
# fmt: on


@pytest.mark.parametrize("row", FAILURES, ids=lambda row: str(row[0].error))
def test_a_failure_has_the_status_and_the_kind_of_its_provider_and_is_free(
    asking: ClientOptions,
    row: tuple[Fault, int, str, int, str],
) -> None:
    fault, *expected = row
    with serve_provider(brain, faults=plan_always(fault)) as server:
        error = status_error(server, asking)
    assert (error.status_code, kind_of(error, asking.protocol)) == tuple(
        expected[:2] if asking.protocol == "openai" else expected[2:]
    )
    assert server.bill.requests == 0
    assert error.request_id == "req_000001"


def test_quota_and_rate_limit_can_be_told_apart(asking: ClientOptions) -> None:
    with serve_provider(brain, faults={1: faults.QUOTA, 2: faults.RATE_LIMIT}) as server:
        quota, limit = (status_error(server, asking) for _ in range(2))
    assert isinstance(quota, import_client_library(asking.protocol).RateLimitError)
    name = {"openai": "code", "anthropic": "error_code"}[asking.protocol]
    expected = {"openai": "insufficient_quota", "anthropic": "enforced_spend_limit_reached"}
    assert getattr(quota, name) == expected[asking.protocol]
    assert getattr(limit, name) != getattr(quota, name)


def test_the_words_of_a_context_overflow_are_those_that_clients_look_for(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(faults.CONTEXT)) as server:
        error = status_error(server, asking)
    assert {"openai": "maximum context length", "anthropic": "prompt is too long"}[asking.protocol] in str(
        error
    )


@pytest.mark.parametrize("seconds", [0.5, 30, 86_400, 10**9])
def test_retry_after_is_told_in_seconds(asking: ClientOptions, seconds: float) -> None:
    with serve_provider(brain, faults=plan_always(Failure(faults.RATE_LIMIT.error, seconds))) as server:
        error = status_error(server, asking)
    assert float(error.response.headers["retry-after"]) == seconds


def test_retry_after_is_told_as_a_date(asking: ClientOptions) -> None:
    moment = datetime.now(tz=UTC).replace(microsecond=0) + timedelta(days=3)
    with serve_provider(brain, faults=plan_always(Failure(faults.OVERLOADED.error, moment))) as server:
        error = status_error(server, asking)
    told = error.response.headers["retry-after"]
    assert told.endswith(" GMT")
    assert parsedate_to_datetime(told) == moment


def test_without_retry_after_there_is_no_such_header(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(faults.RATE_LIMIT)) as server:
        error = status_error(server, asking)
    assert "retry-after" not in error.response.headers


def test_a_reset_before_the_answer_is_a_connection_error(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(Break.RESET_BEFORE)) as server:
        with pytest.raises(import_client_library(asking.protocol).APIConnectionError) as caught:
            ask(server, asking)
        assert isinstance(caught.value.__cause__, httpx2.ReadError)
        assert server.bill.requests == 0


def test_a_reset_in_the_middle_is_a_connection_error_that_was_paid_for(asking: ClientOptions) -> None:
    # Anthropic's client does not translate what breaks inside a stream.
    kind = (
        httpx2.ReadError
        if asking == ALL_OPTIONS["anthropic streamed"]
        else import_client_library(asking.protocol).APIConnectionError
    )
    with serve_provider(brain, faults=plan_always(Break.RESET_MIDDLE)) as server:
        with pytest.raises(kind):
            ask(server, asking)
        assert server.bill.requests == 1


@pytest.mark.parametrize("text", ["", "Yes.", TEXT])
def test_a_cut_stream_ends_without_a_reason_and_a_cut_body_is_an_error(
    asking: ClientOptions, text: str
) -> None:
    with serve_provider(lambda _question: Reply(text), faults=plan_always(Break.CUT)) as server:
        if not asking.stream:
            with pytest.raises(import_client_library(asking.protocol).APIConnectionError):
                ask(server, asking)
            return
        seen = ask(server, asking)
    assert seen.raw
    assert text.startswith(seen.text)
    assert seen.finish is None


def test_an_overload_can_come_in_the_middle_of_a_stream(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(Break.ERROR_EVENT)) as server:
        with pytest.raises(import_client_library(asking.protocol).APIError, match=r"(?i)overloaded"):
            ask(server, asking)
        assert server.bill.requests == int(asking.stream)


def test_a_garbled_body_is_no_json(asking: ClientOptions) -> None:
    with (
        serve_provider(brain, faults=plan_always(Break.GARBLED)) as server,
        pytest.raises(json.JSONDecodeError),
    ):
        ask(server, asking)


def test_a_page_comes_as_text_and_gives_a_stream_of_nothing(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(Break.HTML)) as server:
        seen = ask(server, asking)
    assert [type(part) for part in seen.raw] == ([] if asking.stream else [str])
    assert server.bill.requests == 0


def test_an_empty_body_is_no_json_and_gives_a_stream_of_nothing(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_always(Break.EMPTY)) as server:
        if asking.stream:
            assert ask(server, asking).raw == []
        else:
            with pytest.raises(json.JSONDecodeError):
                ask(server, asking)


def test_a_slow_answer_comes_after_its_seconds_and_an_impatient_client_gives_up(
    asking: ClientOptions,
) -> None:
    with serve_provider(brain, faults={1: Slow(0.3), 2: Slow(300)}) as server:
        begun = time.monotonic()
        assert ask(server, asking).text == TEXT
        assert time.monotonic() - begun >= 0.3
        with pytest.raises(import_client_library(asking.protocol).APITimeoutError):
            ask(server, replace(asking, timeout=0.2))
    assert time.monotonic() - begun < 150  # the server does not wait for what it still has to answer


def test_a_plan_of_first_faults_ends(asking: ClientOptions) -> None:
    with serve_provider(brain, faults=plan_first(2, faults.INTERNAL)) as server:
        for _ in range(2):
            status_error(server, asking)
        assert ask(server, asking).text == TEXT


def test_a_plan_can_look_at_the_question(asking: ClientOptions) -> None:
    def plan(_number: int, question: Question) -> Fault | None:
        return faults.FORBIDDEN if "secret" in question.last_message.text else None

    with serve_provider(brain, faults=plan) as server:
        assert ask(server, asking, "Weigh it.").text == TEXT
        with pytest.raises(import_client_library(asking.protocol).PermissionDeniedError):
            ask(server, asking, "Tell a secret.")
