"""A local server that speaks the providers' protocols, so that tests run the real clients.

    with serve_provider(brain, faults={2: RATE_LIMIT}) as server:
        client = AsyncOpenAI(base_url=server.openai_url, api_key="any", max_retries=0)

It listens on a free port of 127.0.0.1 and stops when the block ends.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Final

from support.providers.bill import Bill
from support.providers.conversation import Brain
from support.providers.desk import Gate, ProviderBehaviour, Request, RequestHandler
from support.providers.faults import Plan
from support.providers.wire import HEAD_LIMIT, receive_request, send_response

HOST: Final = "127.0.0.1"
BACKLOG: Final = 1024  # connections that may wait, so that hundreds can come at once
PATIENCE: Final = 60.0  # seconds for the thread to start or stop

__all__ = ["Request", "Server", "serve_provider"]


@contextmanager
def serve_provider(
    brain: Brain,
    *,
    faults: Plan | None = None,
    latency: float = 0.0,
    gate: Gate | None = None,
    key: str | None = None,
    models: tuple[str, ...] = (),
) -> Iterator[Server]:
    """Serve the brain's answers until the block ends; an error in the brain or the plan is raised there."""
    desk = RequestHandler(ProviderBehaviour(brain, faults, latency, key, models, gate))
    server = Server(desk)
    server.start()
    try:
        yield server
    except BaseException as error:
        for mistake in desk.mistakes:
            error.add_note(f"The brain of the provider had failed: {mistake!r}")
        raise
    finally:
        server.stop()
    if desk.mistakes:
        raise desk.mistakes[0]


class Server:
    """A running provider: its URLs, its requests and its bill."""

    def __init__(self, desk: RequestHandler) -> None:
        self._desk = desk
        self._started: Future[int] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="provider", daemon=True)

    @property
    def openai_url(self) -> str:
        """The base URL for OpenAI's client."""
        return f"{self.anthropic_url}/v1"

    @property
    def anthropic_url(self) -> str:
        """The base URL for Anthropic's client."""
        return f"http://{HOST}:{self._started.result()}"

    @property
    def requests(self) -> list[Request]:
        """All requests, in order of arrival."""
        return list(self._desk.requests)

    @property
    def bill(self) -> Bill:
        """The charges so far."""
        return self._desk.bill

    def start(self) -> None:
        """Start listening."""
        self._thread.start()
        self._started.result(timeout=PATIENCE)

    def stop(self) -> None:
        """Stop listening, and drop unfinished answers."""
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(timeout=PATIENCE)
        if self._thread.is_alive():
            raise RuntimeError(
                f"The provider still runs {PATIENCE:g} s after it was told to stop: its brain blocks."
            )

    async def _run(self) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        self._connections: set[asyncio.Task[None]] = set()
        try:
            listener = await asyncio.start_server(
                self._accept_connection, HOST, 0, limit=HEAD_LIMIT, backlog=BACKLOG
            )
        except OSError as error:
            self._started.set_exception(error)
            return
        self._started.set_result(listener.sockets[0].getsockname()[1])
        await self._stopping.wait()
        listener.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await listener.wait_closed()

    def _accept_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.ensure_future(self._serve_connection(reader, writer))
        self._connections.add(connection)
        connection.add_done_callback(self._connections.discard)

    async def _serve_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection until either side closes it."""
        try:
            while (incoming := await receive_request(reader)) is not None:
                if not await send_response(writer, await self._desk.handle(incoming)):
                    break
        except ConnectionError:
            pass  # the client went away: its own affair
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
