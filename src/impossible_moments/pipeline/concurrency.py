"""Work that runs at the same time in one event loop, with a limit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


async def run_concurrently_with_limit(
    works: Iterable[Callable[[], Awaitable[T]]], *, at_once: int
) -> tuple[T, ...]:
    """Do some works, at most `at_once` at the same time, and return their results in the order given."""
    room = asyncio.Semaphore(at_once)

    async def run_when_free(work: Callable[[], Awaitable[T]]) -> T:
        async with room:
            return await work()

    return tuple(await asyncio.gather(*map(run_when_free, works)))


async def run_until_none_left(work: Callable[[], Awaitable[T | None]], *, at_once: int) -> list[T]:
    """Repeat a work, at most `at_once` times at the same time, until it returns None. Return the results."""

    async def repeat_work() -> list[T]:
        done = []
        while (result := await work()) is not None:
            done.append(result)
        return done

    lanes = await asyncio.gather(*(repeat_work() for _ in range(at_once)))
    return [each for lane in lanes for each in lane]
