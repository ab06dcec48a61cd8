"""The HTTP client of all providers: responses are bounded before and after decompression, and redirects are refused.

A server at a wrong or hostile address can send an endless body, a small one that expands without end, or a redirect
that would carry the prompt to another host.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

import httpx2

LARGEST_RESPONSE: Final = 16 * 2**20
"""Bytes. The longest answers of models are about a tenth of this."""
_PIECE: Final = 2**16
_ENCODINGS: Final = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
_ACCEPTED: Final = "gzip, deflate"


class RefusedResponse(Exception):
    """A response that is not read, with the reason."""


def create_http_client(timeout: httpx2.Timeout) -> httpx2.AsyncClient:
    """Create a client that follows no redirects and reads bounded responses."""
    limits = httpx2.Limits(max_connections=1000, max_keepalive_connections=100)
    return httpx2.AsyncClient(
        transport=BoundedTransport(httpx2.AsyncHTTPTransport(limits=limits)),
        timeout=timeout,
        follow_redirects=False,
        headers={"Accept-Encoding": _ACCEPTED},
    )


class BoundedTransport(httpx2.AsyncBaseTransport):
    """A transport that reads at most so many bytes of a response, as sent and as decompressed."""

    def __init__(self, transport: httpx2.AsyncBaseTransport, largest: int = LARGEST_RESPONSE) -> None:
        self._transport, self._largest = transport, largest

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request. Raise `RefusedResponse` if the response is a redirect or too large."""
        response = await self._transport.handle_async_request(request)
        try:
            stream = self._bound_stream(request, response)
        except RefusedResponse:
            await response.aclose()
            raise
        headers = [
            (name, value)
            for name, value in response.headers.raw
            if name.lower() not in {b"content-encoding", b"content-length"}
        ]
        return httpx2.Response(
            response.status_code, headers=headers, stream=stream, extensions=response.extensions
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._transport.aclose()

    def _bound_stream(self, request: httpx2.Request, response: httpx2.Response) -> _BoundedStream:
        if response.has_redirect_location:
            raise RefusedResponse(
                f"the server redirects the request from {request.url.host} to another address, where prompts are not sent"
            )
        announced = response.headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > self._largest:
            raise RefusedResponse(_describe_size(self._largest))
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in {*_ENCODINGS, "identity", ""}:
            raise RefusedResponse(f"the response is compressed with {encoding[:20]}, which was not asked for")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        return _BoundedStream(response.stream, _ENCODINGS.get(encoding), self._largest)


class _BoundedStream(httpx2.AsyncByteStream):
    """The decompressed bytes of a response, no more than so many."""

    def __init__(self, stream: httpx2.AsyncByteStream, window: int | None, largest: int) -> None:
        self._stream, self._largest = stream, largest
        self._inflater = None if window is None else zlib.decompressobj(window)
        self._sent = self._read = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the bytes. Raise `RefusedResponse` if there are too many."""
        async for data in self._stream:
            self._sent += len(data)
            if self._sent > self._largest:
                raise RefusedResponse(_describe_size(self._largest))
            for piece in self._inflate(data):
                self._read += len(piece)
                if self._read > self._largest:
                    raise RefusedResponse(_describe_size(self._largest))
                yield piece

    async def aclose(self) -> None:
        """Close the response."""
        await self._stream.aclose()

    def _inflate(self, data: bytes) -> Iterator[bytes]:
        """Yield what some bytes expand to, in small pieces."""
        if self._inflater is None:
            yield data
            return
        try:
            while data:
                piece = self._inflater.decompress(data, _PIECE)
                data = self._inflater.unconsumed_tail
                yield piece
        except zlib.error as problem:
            raise RefusedResponse(f"the compressed response cannot be read ({problem})") from None


def _describe_size(largest: int) -> str:
    return f"the response is larger than {largest // 2**20} MiB, which no answer is"


def find_refusal(problem: BaseException) -> RefusedResponse | None:
    """Return the refusal that led to an exception of a provider's client, or None."""
    seen: BaseException | None = problem
    while seen is not None:
        if isinstance(seen, RefusedResponse):
            return seen
        seen = seen.__cause__ or seen.__context__
    return None
