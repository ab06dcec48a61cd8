"""The server itself: what it keeps, what it charges, whom it serves, and how it ends."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from http.client import HTTPConnection
from typing import Any

import pytest

from support.providers.asking import MODEL, ClientOptions, ask, ask_async, import_client_library
from support.providers.bill import Bill
from support.providers.conversation import Call, Question, Reply
from support.providers.faults import INTERNAL
from support.providers.server import Server, serve_provider

PROTOCOLS = pytest.mark.parametrize("protocol", ["openai", "anthropic"])
PARALLEL = 200
DEADLOCK = 300
"""Seconds after which a request that is never answered fails the test; reached only when the server is at fault."""


def echo(question: Question) -> Reply:
    return Reply(f"You said: {question.last_message.text}")


def port_of(server: Server) -> int:
    return int(server.anthropic_url.rpartition(":")[2])


async def posted(server: Server, body: dict[str, Any], path: str = "/v1/chat/completions") -> dict[str, Any]:
    """A body posted by hand, so that the time measured is the server's and not a client's."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port_of(server))
    text = json.dumps(body).encode()
    writer.write(
        f"POST {path} HTTP/1.1\r\nHost: local\r\nContent-Length: {len(text)}\r\n\r\n".encode() + text
    )
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = int(head.partition("content-length:")[2].partition("\r\n")[0])
    answer: dict[str, Any] = json.loads(await reader.readexactly(length))
    writer.close()
    await writer.wait_closed()
    return answer


def test_hundreds_of_requests_are_served_side_by_side() -> None:
    """No request is answered before all of them have arrived: a server that took them in turn would never answer."""
    arrived: set[str] = set()

    def have_all_arrived(question: Question) -> bool:
        arrived.add(question.last_message.text)
        return len(arrived) == PARALLEL

    async def all_at_once() -> list[dict[str, Any]]:
        bodies = ({"model": "m", "messages": [{"role": "user", "content": f"{i}"}]} for i in range(PARALLEL))
        async with asyncio.timeout(DEADLOCK):
            return await asyncio.gather(*(posted(server, body) for body in bodies))

    with serve_provider(echo, gate=have_all_arrived) as server:
        answers = asyncio.run(all_at_once())
    texts = {answer["choices"][0]["message"]["content"] for answer in answers}
    assert texts == {f"You said: {i}" for i in range(PARALLEL)}
    assert server.bill.requests == PARALLEL


@PROTOCOLS
def test_the_clients_ask_in_parallel_and_each_gets_its_own_answer(protocol: Any) -> None:
    async def all_at_once() -> list[str]:
        asking = ClientOptions(protocol, stream=True)
        return [
            seen.text
            for seen in await asyncio.gather(*(ask_async(server, asking, f"{i}") for i in range(20)))
        ]

    with serve_provider(echo, latency=0.05) as server:
        assert asyncio.run(all_at_once()) == [f"You said: {i}" for i in range(20)]


def test_a_connection_serves_one_request_after_the_other_also_after_a_failure() -> None:
    texts, sockets = [], set()
    with serve_provider(echo, faults={2: INTERNAL}) as server:
        connection = HTTPConnection("127.0.0.1", port_of(server))
        for text in ("one", "two", "three"):
            body = {"model": "m", "messages": [{"role": "user", "content": text}]}
            connection.request("POST", "/v1/chat/completions", json.dumps(body))
            answer = json.loads(connection.getresponse().read())
            texts.append("choices" in answer and answer["choices"][0]["message"]["content"])
            sockets.add(connection.sock)
        connection.close()
    assert texts == ["You said: one", False, "You said: three"]
    assert len(sockets) == 1


# Counted by hand, in bytes: a letter with an accent takes two.
#   [{"role":"user","content":"ß?"}]                   33
#   [{"type":"function","function":{"name":"go"}}]     46     OpenAI's:    33 + 46     = 79, a quarter of it 19.75
#   [{"name":"go"}]                                    15
#   "Be."                                               5     Anthropic's: 33 + 15 + 5 = 53, a quarter of it 13.25
#   Größe                                               7
#   {"thing":"é"}                                      14     The answer:  7 + 14      = 21, a quarter of it 5.25
ASKED = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "ß?"}]}
ON_OPENAI = ASKED | {"tools": [{"type": "function", "function": {"name": "go"}}]}
ON_ANTHROPIC = ASKED | {"tools": [{"name": "go"}], "system": "Be."}


@pytest.mark.parametrize(
    ("path", "body", "input_tokens"),
    [("/v1/chat/completions", ON_OPENAI, 20), ("/v1/messages", ON_ANTHROPIC, 14)],
    ids=["openai", "anthropic"],
)
def test_the_bill_is_exact(path: str, body: dict[str, Any], input_tokens: int) -> None:
    with serve_provider(lambda _question: Reply("Größe", (Call("go", {"thing": "é"}),))) as server:
        asyncio.run(posted(server, body, path))
        assert server.bill == Bill(requests=1, input_tokens=input_tokens, output_tokens=6)
        asyncio.run(posted(server, body, path))
        assert server.bill == Bill(requests=2, input_tokens=2 * input_tokens, output_tokens=12)


@PROTOCOLS
def test_everything_that_was_sent_is_kept(protocol: Any) -> None:
    with serve_provider(echo) as server:
        ask(server, ClientOptions(protocol, stream=False, key="sesame"), "One")
        ask(server, ClientOptions(protocol, stream=True), "Two")
    first, second = server.requests
    assert first.protocol == protocol
    assert first.path == {"openai": "/v1/chat/completions", "anthropic": "/v1/messages"}[protocol]
    assert "sesame" in (first.headers.get("x-api-key") or first.headers["authorization"])
    assert first.body is not None
    assert second.body is not None
    assert (first.body["model"], first.body["messages"]) == (MODEL, [{"role": "user", "content": "One"}])
    assert second.body["stream"] is True
    assert first.at < second.at <= time.monotonic()


@PROTOCOLS
def test_a_key_may_be_demanded(protocol: Any) -> None:
    with serve_provider(echo, key="right") as server:
        assert ask(server, ClientOptions(protocol, stream=False, key="right")).text
        with pytest.raises(import_client_library(protocol).AuthenticationError):
            ask(server, ClientOptions(protocol, stream=False, key="wrong"))
        assert server.bill.requests == 1


@PROTOCOLS
def test_a_model_the_house_does_not_have_is_not_found(protocol: Any) -> None:
    with (
        serve_provider(echo, models=("another",)) as server,
        pytest.raises(import_client_library(protocol).NotFoundError, match=MODEL),
    ):
        ask(server, ClientOptions(protocol, stream=False))


def test_a_path_that_does_not_exist_is_not_found() -> None:
    with serve_provider(echo) as server:
        answer = asyncio.run(posted(server, {}, "/v1/responses"))
    assert answer["error"]["code"] == "unknown_url"


def test_only_this_machine_can_reach_it() -> None:
    with serve_provider(echo) as server:
        assert server.openai_url == f"http://127.0.0.1:{port_of(server)}/v1"
        # 127.0.0.2 is this machine as well: a server on all addresses would answer there.
        with socket.socket() as other, pytest.raises(ConnectionRefusedError):
            other.connect(("127.0.0.2", port_of(server)))


def test_when_the_block_ends_the_port_and_the_thread_are_gone() -> None:
    before = threading.active_count()
    with serve_provider(echo) as server:
        ask(server, ClientOptions("openai", stream=False))
        port = port_of(server)
    assert threading.active_count() == before
    with socket.socket() as late, pytest.raises(ConnectionRefusedError):
        late.connect(("127.0.0.1", port))


def test_a_brain_that_fails_is_a_server_error_and_is_raised_when_the_block_ends() -> None:
    def fails(_question: Question) -> Reply:
        raise LookupError("no idea")

    with (
        pytest.raises(LookupError, match="no idea"),
        serve_provider(fails) as server,
        pytest.raises(import_client_library("openai").InternalServerError),
    ):
        ask(server, ClientOptions("openai", stream=False))
    assert server.bill.requests == 0


def test_a_brain_that_fails_is_told_of_beside_the_failure_of_a_test() -> None:
    def fails(_question: Question) -> Reply:
        raise LookupError("no idea")

    with (
        pytest.raises(import_client_library("openai").InternalServerError) as caught,
        serve_provider(fails) as server,
    ):
        ask(server, ClientOptions("openai", stream=False))
    assert "no idea" in "".join(caught.value.__notes__)
