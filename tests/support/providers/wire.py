"""Minimal HTTP/1.1 over asyncio streams for the clients, with the ways in which a connection can break."""

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
    """A received request; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Outgoing:
    """A response to send: in one body, or piece by piece.

    An `ending` other than "whole" interrupts it half-way: "cut" closes the connection normally, "reset" resets
    it, and "nothing" resets it before the first byte.
    """

    status: int
    content_type: str
    pieces: tuple[bytes, ...]
    headers: Mapping[str, str] = field(default_factory=dict)
    streamed: bool = False
    ending: Literal["whole", "cut", "reset", "nothing"] = "whole"


async def receive_request(reader: asyncio.StreamReader) -> Incoming | None:
    """Return the next request of the connection, or None when the other side has closed it."""
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


async def send_response(writer: asyncio.StreamWriter, outgoing: Outgoing) -> bool:
    """Send as much of the response as intended, and return whether the connection can serve another request."""
    if outgoing.ending == "nothing":
        _reset_connection(writer)
        return False
    writer.write(_build_head(outgoing))
    if outgoing.streamed:
        await _send_stream(writer, outgoing)
    else:
        body = b"".join(outgoing.pieces)
        writer.write(body if outgoing.ending == "whole" else body[: len(body) // 2])
        await writer.drain()
    if outgoing.ending == "reset":
        await asyncio.sleep(READING_TIME)
        _reset_connection(writer)
    return outgoing.ending == "whole"


async def _send_stream(writer: asyncio.StreamWriter, outgoing: Outgoing) -> None:
    """Send the pieces as chunks. A truncated stream still ends as valid HTTP; only its events are missing."""
    for piece in outgoing.pieces if outgoing.ending == "whole" else take_first_part(outgoing.pieces):
        writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        await writer.drain()
    if outgoing.ending != "reset":
        writer.write(b"0\r\n\r\n")
        await writer.drain()


def take_first_part(pieces: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Return a little less than half of a stream, so that it starts but its end marker is missing."""
    return pieces[: max(1, (len(pieces) - 1) // 2)]


def _build_head(outgoing: Outgoing) -> bytes:
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


def _reset_connection(writer: asyncio.StreamWriter) -> None:
    """Close with a reset: without lingering, unsent data is dropped."""
    sock: socket.socket = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
