"""The driver: the only code that performs what a flow asks.

Running and resuming are the same. The flow runs from its start, recorded asks are answered from the ledger,
and the rest is performed. A pending human decision is an ask without an answer, not a waiting process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeAlias, TypeVar

from impossible_moments.agents.orchestrator.flow import Ask, Flow
from impossible_moments.domain.labels import Labelled
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger import leases
from impossible_moments.ledger.leases import FINISHED, Closing, Lease, Scenario, State
from impossible_moments.ledger.ledger import answers_of
from impossible_moments.ledger.store import Store
from impossible_moments.runtime.clock import Clock
from impossible_moments.runtime.replay import Recording, replay
from impossible_moments.runtime.rounds import Awaiting, Performer, Rounds

T = TypeVar("T")
LEASE_SECONDS: Final = 30.0
LOOK_AGAIN_SECONDS: Final = 0.1
Replies: TypeAlias = Callable[[tuple[Ask, ...]], Awaitable[tuple[Labelled, ...]]]
"""Answers one round of asks."""


class LeaseHeld(ImpossibleMomentsError):
    """Another runner is working on the scenario."""

    def __init__(self, scenario: str, owner: str) -> None:
        super().__init__(scenario, owner)
        self.scenario, self.owner = scenario, owner

    def __str__(self) -> str:
        return (
            f"{self.scenario} is being run by {self.owner}. Only one runner can work on a scenario at a time: "
            "wait for it, or stop it. Its work is taken over when its lease ends."
        )


class LeaseLost(ImpossibleMomentsError):
    """Another runner has taken the scenario over, because this one did not renew its lease."""

    def __init__(self, scenario: str) -> None:
        super().__init__(scenario)
        self.scenario = scenario

    def __str__(self) -> str:
        return (
            f"{self.scenario} was taken over by another runner: this one did not renew its lease in time. "
            "Nothing is lost: all answers are in the ledger, and the other runner continues."
        )


def accepted(_result: object) -> Closing:
    """Return the closing of a flow that can only succeed."""
    return Closing(State.ACCEPTED)


@dataclass(frozen=True)
class Job(Generic[T]):
    """A scenario to be run."""

    scenario: str
    flow: Callable[[], Flow[T]]
    brief: str = ""
    """The brief from which another process can build the flow, as JSON."""
    priority: int = 0
    """Waiting scenarios with a higher priority run first."""


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """The outcome of a run."""

    scenario: str
    state: State
    result: T | None = None
    """What the flow returned, if it ended."""
    awaited: tuple[str, ...] = ()
    """The keys of the asks that humans have yet to answer."""
    error: Exception | None = None


@dataclass(frozen=True)
class Driver(Generic[T]):
    """A driver that runs flows to their end, or to the next human decision, with a ledger."""

    store: Store
    performer: Performer
    clock: Clock
    owner: str
    """The name of this runner, unique among all that share the ledger."""
    code_version: str
    closing: Callable[[T], Closing] = accepted
    """Derives from a flow's result how the scenario ended."""
    lease_seconds: float = LEASE_SECONDS

    async def run(self, job: Job[T]) -> Outcome[T]:
        """Run one scenario.

        A finished one is replayed. One whose runner died is taken over when its lease ends.
        """
        row = await self.store.commit(
            partial(
                leases.enrol,
                scenario=job.scenario,
                brief=job.brief,
                priority=job.priority,
                now=self.clock.now(),
            )
        )
        row = await self._claimed(row)
        if row.state in FINISHED:
            result = await asyncio.to_thread(replay, self.store, job.scenario, job.flow())
            return Outcome(job.scenario, row.state, result)
        return await self._run_claimed(job.scenario, job.flow)

    async def run_all(self, jobs: Iterable[Job[T]], *, pipelines: int) -> tuple[Outcome[T], ...]:
        """Run scenarios, at most `pipelines` at the same time. A failure does not affect the others."""
        room = asyncio.Semaphore(pipelines)

        async def one(job: Job[T]) -> Outcome[T]:
            async with room:
                return await _outcome(job.scenario, self.run(job))

        return tuple(await asyncio.gather(*map(one, jobs)))

    async def work(self, flow_of: Callable[[Scenario], Flow[T]], *, pipelines: int) -> tuple[Outcome[T], ...]:
        """Run the unfinished scenarios of the ledger without a runner, the most urgent first.

        `flow_of` builds the flow of a row.
        """

        async def one() -> list[Outcome[T]]:
            done = []
            while row := await self.store.commit(partial(leases.claim_next, lease=self._lease())):
                done.append(
                    await _outcome(row.scenario, self._run_claimed(row.scenario, partial(flow_of, row)))
                )
            return done

        pipes = await asyncio.gather(*(one() for _ in range(pipelines)))
        return tuple(sorted((each for pipe in pipes for each in pipe), key=lambda each: each.scenario))

    async def _run_claimed(self, scenario: str, flow: Callable[[], Flow[T]]) -> Outcome[T]:
        rounds = Rounds(
            store=self.store,
            performer=self.performer,
            clock=self.clock,
            owner=self.owner,
            code_version=self.code_version,
            recording=Recording(scenario, await self.store.read(partial(answers_of, scenario=scenario))),
        )
        try:
            result = await self._while_leased(scenario, drive(flow(), rounds.replies))
            rounds.recording.refuse_unused()
            closing = self.closing(result)
        except Awaiting as waiting:
            return Outcome(scenario, State.AWAITING_HUMAN, awaited=waiting.keys)
        except LeaseLost:
            raise
        except asyncio.CancelledError:
            await self.store.commit(partial(leases.release, scenario=scenario, owner=self.owner))
            raise
        except Exception as error:
            await self._close(scenario, Closing(State.FAILED, reason=f"{type(error).__name__}: {error}"))
            raise
        await self._close(scenario, closing)
        return Outcome(scenario, closing.state, result)

    async def _claimed(self, row: Scenario) -> Scenario:
        """Take the lease of a scenario, or return the row as another runner finished it.

        Waits for a lease that is not renewed. Raises `LeaseHeldError` if it is.
        """
        left = min(row.lease_until - self.clock.now(), max(LEASE_SECONDS, self.lease_seconds))
        while True:
            lease = self._lease()
            if claimed := await self.store.commit(partial(leases.claim, scenario=row.scenario, lease=lease)):
                return claimed
            found = await self.store.read(partial(leases.scenario_of, scenario=row.scenario))
            assert found is not None
            if found.state in FINISHED:
                return found
            if found.lease_until > row.lease_until or left < 0:
                raise LeaseHeld(row.scenario, found.owner)
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
            left -= LOOK_AGAIN_SECONDS

    async def _while_leased(self, scenario: str, work: Coroutine[Any, Any, T]) -> T:
        """Run some work while renewing the lease.

        The work is stopped when the lease is lost, because it would be paid for twice.
        """
        working, renewing = asyncio.create_task(work), asyncio.create_task(self._renewing(scenario))
        try:
            await asyncio.wait({working, renewing}, return_when=asyncio.FIRST_COMPLETED)
            # Work that waits for a human releases the lease itself, just before it ends.
            await asyncio.wait({working}, timeout=LOOK_AGAIN_SECONDS)
            return working.result() if working.done() else renewing.result()
        finally:
            for task in (working, renewing):
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task

    async def _renewing(self, scenario: str) -> T:
        while True:
            await asyncio.sleep(self.lease_seconds / 3)
            if not await self.store.commit(partial(leases.renew, scenario=scenario, lease=self._lease())):
                raise LeaseLost(scenario)

    async def _close(self, scenario: str, closing: Closing) -> None:
        now = self.clock.now()
        await self.store.commit(
            partial(leases.close, scenario=scenario, owner=self.owner, closing=closing, now=now)
        )

    def _lease(self) -> Lease:
        now = self.clock.now()
        return Lease(self.owner, now, now + self.lease_seconds)


async def drive(flow: Flow[T], replies: Replies) -> T:
    """Run a flow to its end, answering each round of asks with `replies`."""
    try:
        asks = next(flow)
        while True:
            asks = flow.send(await replies(asks))
    except StopIteration as finished:
        result: T = finished.value
        return result
    finally:
        flow.close()


async def _outcome(scenario: str, run: Awaitable[Outcome[T]]) -> Outcome[T]:
    try:
        return await run
    except Exception as error:  # noqa: BLE001 - the edge of a pipeline: the others continue, and the ledger holds the error
        state = State.RUNNING if isinstance(error, LeaseHeld | LeaseLost) else State.FAILED
        return Outcome(scenario, state, error=error)
