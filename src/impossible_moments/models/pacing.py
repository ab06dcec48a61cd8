"""How calls to one model are paced: so many at a time, a pause that all callers keep, a stop where pausing does not help."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
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
    """Refusals in a row, over all callers, after which nobody calls for a while; what is refused together is one."""
    longest_answer: float = 600.0
    """Seconds one answer may take: long thought is allowed, a dead connection is not."""


class Lane:
    """The way to one model."""

    def __init__(self, model: str, at_once: int = AT_ONCE, patience: Patience | None = None) -> None:
        self._model = model
        self.patience = patience or Patience()
        self._room = asyncio.Semaphore(at_once)
        self._refused_in_a_row = 0
        self._refused_at = 0.0
        self._paused_until = 0.0
        self._closed_until = 0.0
        self._probing = False

    async def through(self, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call, and again where it fails for a passing reason; nobody holds a place while waiting."""
        for attempt in range(1, self.patience.tries + 1):
            async with self._place() as began:
                try:
                    result = await call()
                except ModelFailure as failure:
                    wait = self._noted(failure, attempt, began)
                    if not failure.passes or attempt == self.patience.tries:
                        raise
                else:
                    self._refused_in_a_row = 0
                    return result
            await asyncio.sleep(wait)
        raise AssertionError("the last try returns or raises")

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[float]:
        """A place among the calls under way, once no pause is to be kept; when it was taken."""
        while True:
            async with self._room:
                now = asyncio.get_running_loop().time()
                if now >= self._paused_until:
                    probes = self._closed(now)
                    try:
                        yield now
                    finally:
                        self._probing = self._probing and not probes
                    return
            await asyncio.sleep(self._paused_until - now)

    def _closed(self, now: float) -> bool:
        """Whether a call finds out if the way is open again; raise where it is closed, or somebody does already."""
        if self._refused_in_a_row < self.patience.breaks_after:
            return False
        if now >= self._closed_until and not self._probing:
            self._probing = True
            return True
        left = max(self._closed_until - now, 0.0)
        until = f"for {left:.0f} s" if left else "until one is answered"
        raise ModelFailure(
            FailureKind.RATE,
            self._model,
            f"{self._refused_in_a_row} calls in a row were refused; no further one is made {until}",
        )

    def _noted(self, failure: ModelFailure, attempt: int, began: float) -> float:
        """Take a failure in; how long to wait before the next try."""
        asked = failure.retry_after if failure.retry_after is not None else 0.0
        usual = self.patience.first_wait * 2.0 ** (attempt - 1)
        wait = min(max(asked, usual), self.patience.longest_wait)
        if failure.kind not in _CROWDED:
            self._refused_in_a_row = 0
            return wait
        now = asyncio.get_running_loop().time()
        self._paused_until = max(self._paused_until, now + wait)
        if began >= self._refused_at:
            # what was under way together is refused together: that is one refusal
            self._refused_in_a_row += 1
            self._refused_at = now
        if self._refused_in_a_row >= self.patience.breaks_after:
            self._closed_until = now + self.patience.longest_wait
        return wait
