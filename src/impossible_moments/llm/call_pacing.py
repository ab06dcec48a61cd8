"""Pacing of the calls to one model: a limit on concurrent calls, shared pauses, and a circuit breaker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

from impossible_moments.llm.model_failures import FailureKind, ModelFailure

T = TypeVar("T")
AT_ONCE: Final = 64
"""Concurrent calls to one model, over all pipelines of a process."""
_CROWDED: Final = frozenset({FailureKind.RATE, FailureKind.OVERLOADED})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """The number of attempts, the waits between them, and the time limit of an answer."""

    tries: int = 5
    first_wait: float = 1.0
    """Seconds before the first retry. Each later wait is twice as long."""
    longest_wait: float = 60.0
    """Seconds. A longer wait requested by a provider is shortened to this."""
    breaks_after: int = 12
    """Consecutive refusals after which calls pause. Concurrent calls refused together count as one."""
    longest_answer: float = 600.0
    """Seconds one answer may take, long enough for slow reasoning."""


class CallPacer:
    """Pacer of the calls to one model: limits concurrency, keeps pauses, stops after repeated refusals."""

    def __init__(self, model: str, at_once: int = AT_ONCE, retry_policy: RetryPolicy | None = None) -> None:
        self._model = model
        self.retry_policy = retry_policy or RetryPolicy()
        self._room = asyncio.Semaphore(at_once)
        self._refused_in_a_row = 0
        self._refused_at = 0.0
        self._paused_until = 0.0
        self._closed_until = 0.0
        self._probing = False

    async def call_with_retries(self, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call and retry it after a transient failure. No slot is held while waiting."""
        for attempt in range(1, self.retry_policy.tries + 1):
            async with self._wait_for_slot() as began:
                try:
                    result = await call()
                except ModelFailure as failure:
                    wait = self._record_failure(failure, attempt, began)
                    if not failure.is_transient or attempt == self.retry_policy.tries:
                        raise
                else:
                    self._refused_in_a_row = 0
                    return result
            await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    @asynccontextmanager
    async def _wait_for_slot(self) -> AsyncIterator[float]:
        """Wait until no pause is in force, take a slot, and yield the time at which it was taken."""
        while True:
            async with self._room:
                now = asyncio.get_running_loop().time()
                if now >= self._paused_until:
                    probes = self._check_circuit_breaker(now)
                    try:
                        yield now
                    finally:
                        self._probing = self._probing and not probes
                    return
            await asyncio.sleep(self._paused_until - now)

    def _check_circuit_breaker(self, now: float) -> bool:
        """Return whether this call probes a closed model.

        Raise `ModelFailure` if the model is closed, or if another call is already probing it.
        """
        if self._refused_in_a_row < self.retry_policy.breaks_after:
            return False
        if now >= self._closed_until and not self._probing:
            self._probing = True
            return True
        left = max(self._closed_until - now, 0.0)
        until = f"for {left:.0f} s" if left else "until one is answered"
        raise ModelFailure(
            FailureKind.RATE,
            self._model,
            f"{self._refused_in_a_row} consecutive calls were refused; no further call is made {until}",
        )

    def _record_failure(self, failure: ModelFailure, attempt: int, began: float) -> float:
        """Record a failure and return how many seconds to wait before the next attempt."""
        asked = failure.retry_after if failure.retry_after is not None else 0.0
        usual = self.retry_policy.first_wait * 2.0 ** (attempt - 1)
        wait = min(max(asked, usual), self.retry_policy.longest_wait)
        if failure.kind not in _CROWDED:
            self._refused_in_a_row = 0
            return wait
        now = asyncio.get_running_loop().time()
        self._paused_until = max(self._paused_until, now + wait)
        if began >= self._refused_at:
            # calls that were in progress together count as one refusal
            self._refused_in_a_row += 1
            self._refused_at = now
        if self._refused_in_a_row >= self.retry_policy.breaks_after:
            self._closed_until = now + self.retry_policy.longest_wait
        return wait
