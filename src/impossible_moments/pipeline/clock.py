"""Clocks, and identifiers that are the same whenever a run is repeated."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID

_VERSION: Final = 0x8 << 76
_VARIANT: Final = 0b10 << 62


class Clock(Protocol):
    """A source of the current time."""

    def now(self) -> float:
        """Return the seconds since 1970."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Return the seconds since 1970."""
        return time.time()


@dataclass
class FixedClock:
    """A clock that stands still, for tests and for runs that must give the same bytes."""

    at: float = 0.0

    def now(self) -> float:
        """Return the seconds since 1970."""
        return self.at


def derive_message_id(run: str, key: str) -> str:
    """Derive the identifier of a message, a UUID of version 8, from its run and its key."""
    digest = hashlib.sha256(f"{run}\0{key}".encode()).digest()
    number = int.from_bytes(digest[:16], "big")
    number = number & ~(0xF << 76) | _VERSION
    return str(UUID(int=number & ~(0b11 << 62) | _VARIANT))
