"""The driver: the only code that acts on what a flow asks.

Running and resuming are the same: the flow runs from its start, what the ledger holds is answered from it, and the
rest is performed. A human who has not answered is an ask without an answer, not a process that waits.
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
    """Another runner works on the scenario."""

    def __init__(self, scenario: str, owner: str) -> None:
        super().__init__(scenario, owner)
        self.scenario, self.owner = scenario, owner

    def __str__(self) -> str:
        return (
            f"{self.scenario} is being run by {self.owner}. One runner works on a scenario at a time: "
            "wait for it, or stop it; what it leaves is taken over when its lease ends."
        )


class LeaseLost(ImpossibleMomentsError):
    """Another runner has taken the scenario over, because this one was silent for too long."""

    def __init__(self, scenario: str) -> None:
        super().__init__(scenario)
        self.scenario = scenario

    def __str__(self) -> str:
        return (
            f"{self.scenario} was taken over by another runner: this one did not renew its lease in time. "
            "Nothing is lost; what was answered is in the ledger, and the other runner goes on."
        )


def accepted(_result: object) -> Closing:
    """The closing of a flow that can only succeed."""
    return Closing(State.ACCEPTED)


@dataclass(frozen=True)
class Job(Generic[T]):
    """A scenario to be run."""

    scenario: str
    flow: Callable[[], Flow[T]]
    brief: str = ""
    """What another process would make the flow from, as JSON."""
    priority: int = 0
    """The higher the sooner, where scenarios wait."""


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """What came of a run."""

    scenario: str
    state: State
    result: T | None = None
    """What the flow returned, if it came to its end."""
    awaited: tuple[str, ...] = ()
    """The keys of the asks that humans have yet to answer."""
    error: Exception | None = None


@dataclass(frozen=True)
class Driver(Generic[T]):
    """Runs flows to their end, or to the next human, against a ledger."""

    store: Store
    performer: Performer
    clock: Clock
    owner: str
    """Names this runner among all that share the ledger."""
    code_version: str
    closing: Callable[[T], Closing] = accepted
    """Reads from a flow's result how the scenario ended."""
    lease_seconds: float = LEASE_SECONDS

    async def run(self, job: Job[T]) -> Outcome[T]:
        """Run one scenario. A finished one is replayed; one whose runner died is taken over when its lease ends."""
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
        """Run scenarios, so many side by side; one that fails leaves the others alone."""
        room = asyncio.Semaphore(pipelines)

        async def one(job: Job[T]) -> Outcome[T]:
            async with room:
                return await _outcome(job.scenario, self.run(job))

        return tuple(await asyncio.gather(*map(one, jobs)))

    async def work(self, flow_of: Callable[[Scenario], Flow[T]], *, pipelines: int) -> tuple[Outcome[T], ...]:
        """Run whatever scenarios of the ledger nobody works on, the most urgent first, until none is left."""

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
        """The row with its lease taken, or as another runner finished it. A lease that is not renewed is waited for."""
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
        """Do some work and renew the lease the while; stop it when the lease is lost, for it would be paid twice."""
        working, renewing = asyncio.create_task(work), asyncio.create_task(self._renewing(scenario))
        try:
            await asyncio.wait({working, renewing}, return_when=asyncio.FIRST_COMPLETED)
            # Work that suspends gives the lease back itself, a moment before it is done.
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
    """Run a flow to its end, each round's asks side by side."""
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
    except Exception as error:  # noqa: BLE001 - a pipeline's edge: the others go on, and the ledger holds the error
        state = State.RUNNING if isinstance(error, LeaseHeld | LeaseLost) else State.FAILED
        return Outcome(scenario, state, error=error)
