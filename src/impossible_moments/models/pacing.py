"""How calls to one model are paced: so many at a time, a pause that all callers keep, a stop where pausing does not help."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from impossible_moments.models.failures import FailureKind, ModelFailure

T = TypeVar("T")
AT_ONCE: Final = 64
"""Calls under way to one model, over all pipelines of a process."""
_CROWDED: Final = frozenset({FailureKind.RATE, FailureKind.OVERLOADED})


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a call is made again, and how long it is waited for."""

    tries: int = 5
    first_wait: float = 1.0
    """Seconds; each further wait is twice as long."""
    longest_wait: float = 60.0
    """Whatever a provider asks for: one that wants two hours is not waited for."""
    breaks_after: int = 12
    """Refusals in a row, over all callers, after which nobody calls for a while."""


class Lane:
    """The way to one model."""

    def __init__(self, model: str, at_once: int = AT_ONCE, patience: Patience | None = None) -> None:
        self._model = model
        self._patience = patience or Patience()
        self._room = asyncio.Semaphore(at_once)
        self._refused_in_a_row = 0
        self._paused_until = 0.0
        self._closed_until = 0.0

    async def through(self, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call, and again where it fails for a passing reason."""
        for attempt in range(1, self._patience.tries + 1):
            await self._open()
            try:
                async with self._room:
                    result = await call()
            except ModelFailure as failure:
                wait = self._noted(failure, attempt)
                if not failure.passes or attempt == self._patience.tries:
                    raise
                await asyncio.sleep(wait)
            else:
                self._refused_in_a_row = 0
                return result
        raise AssertionError("the last try returns or raises")

    async def _open(self) -> None:
        """Wait out a pause that somebody was told to keep; raise where the way is closed."""
        now = asyncio.get_running_loop().time()
        if now < self._closed_until:
            raise ModelFailure(
                FailureKind.RATE,
                self._model,
                f"{self._refused_in_a_row} calls in a row were refused; no further one is made for "
                f"{self._closed_until - now:.0f} s",
            )
        if now < self._paused_until:
            await asyncio.sleep(self._paused_until - now)

    def _noted(self, failure: ModelFailure, attempt: int) -> float:
        """Take a failure in; how long to wait before the next try."""
        asked = failure.retry_after if failure.retry_after is not None else 0.0
        usual = self._patience.first_wait * 2.0 ** (attempt - 1)
        wait = min(max(asked, usual), self._patience.longest_wait)
        if failure.kind in _CROWDED:
            now = asyncio.get_running_loop().time()
            self._refused_in_a_row += 1
            self._paused_until = max(self._paused_until, now + wait)
            if self._refused_in_a_row >= self._patience.breaks_after:
                self._closed_until = now + self._patience.longest_wait
        return wait
