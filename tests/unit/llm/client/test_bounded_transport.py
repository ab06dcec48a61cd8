"""A hostile server, over real connections: bombs, endless bodies, redirects, and a usage that cannot be true."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pytest

from impossible_moments.llm.api_keys import ApiKeys
from impossible_moments.llm.client.bounded_transport import (
    LARGEST_RESPONSE,
    RefusedResponse,
    create_http_client,
)
from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from impossible_moments.llm.model_references import parse_model_reference
from impossible_moments.llm.spending_limits import SpendingBudget

MIB = 2**20
Answer = Callable[[BaseHTTPRequestHandler], None]


class Handler(BaseHTTPRequestHandler):
    """Answers every request with the function of its server, and keeps what was sent."""

    server: ThreadingHTTPServer

    def do_POST(self) -> None:
        self.server.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))  # type: ignore[attr-defined]  # set below
        with suppress(OSError):  # the client hangs up on what it refuses
            self.server.answer(self)  # type: ignore[attr-defined]  # set below

    def log_message(self, *_given: object) -> None:
        """Keep silent."""


@contextmanager
def serving(answer: Answer) -> Iterator[tuple[str, list[bytes]]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    bodies: list[bytes] = []
    server.answer, server.bodies = answer, bodies  # type: ignore[attr-defined]  # read by the handler
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", bodies
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def send(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    for name, value in {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **headers,
    }.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def send_completion(handler: BaseHTTPRequestHandler, **usage: int) -> None:
    message = {"role": "assistant", "content": "word " * 400}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    data = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    send(handler, json.dumps(data | {"usage": usage}).encode())


def send_endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    while True:
        handler.wfile.write(b" " * MIB)


def send_bomb(handler: BaseHTTPRequestHandler) -> None:
    send(handler, gzip.compress(bytes(256 * MIB)), Content_Encoding="gzip")


def ask(url: str, budget: SpendingBudget | None = None) -> str:
    """Ask the model at an address through the real client of the provider."""

    async def request() -> str:
        pool = ConnectionPool(ApiKeys({}))
        try:
            answer = await pool.request_text(
                parse_model_reference(f"local:m@{url}/v1"),
                "a prompt that nobody else may read " * 100,
                most=2000,
                budget=budget or SpendingBudget(),
                temperature=None,
            )
        finally:
            await pool.close()
        return answer.text

    return asyncio.run(request())


HOSTILE: dict[str, tuple[Answer, str]] = {
    "bomb": (send_bomb, "larger than 16 MiB"),
    "endless": (send_endless, "larger than 16 MiB"),
    "large": (lambda handler: send(handler, bytes(LARGEST_RESPONSE + 1)), "larger than 16 MiB"),
    "broken": (lambda handler: send(handler, b"no gzip", Content_Encoding="gzip"), "cannot be read"),
    "unasked": (lambda handler: send(handler, b"x", Content_Encoding="zstd"), "was not asked for"),
}


@pytest.mark.parametrize("mode", HOSTILE)
def test_a_response_without_bounds_is_refused_in_one_sentence_and_little_memory(mode: str) -> None:
    answer, reason = HOSTILE[mode]
    with serving(answer) as (url, bodies):
        tracemalloc.start()
        with pytest.raises(ModelFailure, match=reason) as raised:
            ask(url)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

    assert raised.value.kind is FailureKind.GARBLED
    assert len(bodies) == 1
    # the server, whose bomb is compressed here, runs in the same process
    assert peak < (400 if mode == "bomb" else 80) * MIB


def test_a_compressed_answer_is_read() -> None:
    body = gzip.compress(b'{"a": "' + b"x" * MIB + b'"}')

    async def fetch(url: str) -> bytes:
        async with create_http_client(httpx2.Timeout(10)) as client:
            return (await client.post(url, content=b"{}")).content

    with serving(lambda handler: send(handler, body, Content_Encoding="gzip")) as (url, _):
        assert asyncio.run(fetch(url)) == gzip.decompress(body)


def test_the_bound_is_reached_before_the_memory_is_used() -> None:
    async def fetch(url: str) -> None:
        async with create_http_client(httpx2.Timeout(10)) as client:
            with pytest.raises(RefusedResponse):
                await client.post(url, content=b"{}")

    with serving(send_endless) as (url, _):
        asyncio.run(fetch(url))


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_does_not_carry_the_prompt_to_another_address(status: int) -> None:
    with (
        serving(send_completion) as (elsewhere, stolen),
        serving(lambda handler: send(handler, b"", status, Location=f"{elsewhere}/v1/chat/completions")) as (
            url,
            _,
        ),
        pytest.raises(ModelFailure, match="redirects"),
    ):
        ask(url)
    assert stolen == []


@pytest.mark.parametrize("tokens", [0, 1])
def test_a_usage_that_cannot_be_true_is_estimated(tokens: int) -> None:
    budget = SpendingBudget()
    reported = {"prompt_tokens": tokens, "completion_tokens": tokens, "total_tokens": 2 * tokens}
    with serving(lambda handler: send_completion(handler, **reported)) as (url, _):
        ask(url, budget)
    assert budget.input_tokens > 500
    assert budget.output_tokens == 500


def test_a_usage_near_the_estimate_is_believed() -> None:
    budget = SpendingBudget()
    reported = {"prompt_tokens": 700, "completion_tokens": 410, "total_tokens": 1110}
    with serving(lambda handler: send_completion(handler, **reported)) as (url, _):
        ask(url, budget)
    assert (budget.input_tokens, budget.output_tokens) == (700, 410)
