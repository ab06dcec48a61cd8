"""HTTP/1.1 over asyncio streams: just enough for the clients, with the ways a connection can break."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal

HEAD_LIMIT = 1 << 20
READING_TIME = 0.05  # seconds in which the other side can read what came before a reset


@dataclass(frozen=True)
class Incoming:
    """A request as it arrived; header names are in small letters."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Outgoing:
    """A response to send: in one body, or piece by piece.

    An `ending` other than "whole" breaks it off half-way: "cut" closes the connection in good manner, "reset" tears
    it, and "nothing" tears it before the first byte.
    """

    status: int
    content_type: str
    pieces: tuple[bytes, ...]
    headers: Mapping[str, str] = field(default_factory=dict)
    streamed: bool = False
    ending: Literal["whole", "cut", "reset", "nothing"] = "whole"


async def receive(reader: asyncio.StreamReader) -> Incoming | None:
    """The next request of the connection, or None when the other side has closed it."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
        method, path, _version = first.split(" ")
        pairs = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    return Incoming(method, path, headers, body)


async def send(writer: asyncio.StreamWriter, outgoing: Outgoing) -> bool:
    """Send the response, as far as it goes, and say whether the connection can serve another request."""
    if outgoing.ending == "nothing":
        _reset(writer)
        return False
    writer.write(_head(outgoing))
    if outgoing.streamed:
        await _send_stream(writer, outgoing)
    else:
        body = b"".join(outgoing.pieces)
        writer.write(body if outgoing.ending == "whole" else body[: len(body) // 2])
        await writer.drain()
    if outgoing.ending == "reset":
        await asyncio.sleep(READING_TIME)
        _reset(writer)
    return outgoing.ending == "whole"


async def _send_stream(writer: asyncio.StreamWriter, outgoing: Outgoing) -> None:
    """Send the pieces as chunks. A stream that is cut still ends as HTTP demands: only its events are missing."""
    for piece in outgoing.pieces if outgoing.ending == "whole" else first_part(outgoing.pieces):
        writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        await writer.drain()
    if outgoing.ending != "reset":
        writer.write(b"0\r\n\r\n")
        await writer.drain()


def first_part(pieces: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Not quite half of a stream: however short it is, it begins, and what says that it is complete is missing."""
    return pieces[: max(1, (len(pieces) - 1) // 2)]


def _head(outgoing: Outgoing) -> bytes:
    length = (
        {"transfer-encoding": "chunked"}
        if outgoing.streamed
        else {"content-length": str(sum(map(len, outgoing.pieces)))}
    )
    headers = {"content-type": outgoing.content_type, **length, **outgoing.headers}
    try:
        reason = HTTPStatus(outgoing.status).phrase
    except ValueError:
        reason = "Overloaded"  # 529 is no registered status
    lines = (f"HTTP/1.1 {outgoing.status} {reason}", *(f"{name}: {value}" for name, value in headers.items()))
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode("latin-1")


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close so that the other side is told of a reset: without lingering, what is unsent is dropped."""
    sock: socket.socket = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
