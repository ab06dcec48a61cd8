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

from impossible_moments.agents.orchestrator import Ask, Flow
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger import (
    FINISHED,
    Lease,
    LedgerStore,
    ScenarioClosing,
    ScenarioRow,
    ScenarioState,
    leases,
    list_answers,
)
from impossible_moments.pipeline.ask_rounds import AskRounds, AwaitingHumanReview, Performer
from impossible_moments.pipeline.clock import Clock
from impossible_moments.pipeline.replay import FlowRecording, replay_flow

T = TypeVar("T")
LEASE_SECONDS: Final = 30.0
LOOK_AGAIN_SECONDS: Final = 0.1
Replies: TypeAlias = Callable[[tuple[Ask, ...]], Awaitable[tuple[LabelledModel, ...]]]
"""Answers one round of asks."""


class LeaseHeldError(ImpossibleMomentsError):
    """Another runner is working on the scenario."""

    def __init__(self, scenario: str, owner: str) -> None:
        super().__init__(scenario, owner)
        self.scenario, self.owner = scenario, owner

    def __str__(self) -> str:
        return (
            f"{self.scenario} is being run by {self.owner}. Only one runner can work on a scenario at a time: "
            "wait for it, or stop it. Its work is taken over when its lease ends."
        )


class LeaseLostError(ImpossibleMomentsError):
    """Another runner has taken the scenario over, because this one did not renew its lease."""

    def __init__(self, scenario: str) -> None:
        super().__init__(scenario)
        self.scenario = scenario

    def __str__(self) -> str:
        return (
            f"{self.scenario} was taken over by another runner: this one did not renew its lease in time. "
            "Nothing is lost: all answers are in the ledger, and the other runner continues."
        )


def make_accepted_closing(_result: object) -> ScenarioClosing:
    """Return the closing of a flow that can only succeed."""
    return ScenarioClosing(ScenarioState.ACCEPTED)


@dataclass(frozen=True)
class ScenarioJob(Generic[T]):
    """A scenario to be run."""

    scenario: str
    flow: Callable[[], Flow[T]]
    brief: str = ""
    """The brief from which another process can build the flow, as JSON."""
    priority: int = 0
    """Waiting scenarios with a higher priority run first."""


@dataclass(frozen=True)
class RunOutcome(Generic[T]):
    """The outcome of a run."""

    scenario: str
    state: ScenarioState
    result: T | None = None
    """What the flow returned, if it ended."""
    awaited: tuple[str, ...] = ()
    """The keys of the asks that humans have yet to answer."""
    error: Exception | None = None


@dataclass(frozen=True)
class Driver(Generic[T]):
    """A driver that runs flows to their end, or to the next human decision, with a ledger."""

    store: LedgerStore
    performer: Performer
    clock: Clock
    owner: str
    """The name of this runner, unique among all that share the ledger."""
    code_version: str
    closing: Callable[[T], ScenarioClosing] = make_accepted_closing
    """Derives from a flow's result how the scenario ended."""
    lease_seconds: float = LEASE_SECONDS

    async def run_scenario(self, job: ScenarioJob[T]) -> RunOutcome[T]:
        """Run one scenario.

        A finished one is replayed. One whose runner died is taken over when its lease ends.
        """
        row = await self.store.commit(
            partial(
                leases.enrol_scenario,
                scenario=job.scenario,
                brief=job.brief,
                priority=job.priority,
                now=self.clock.now(),
            )
        )
        row = await self._claim_scenario(row)
        if row.state in FINISHED:
            result = await asyncio.to_thread(replay_flow, self.store, job.scenario, job.flow())
            return RunOutcome(job.scenario, row.state, result)
        return await self._run_claimed_scenario(job.scenario, job.flow)

    async def run_scenarios(
        self, jobs: Iterable[ScenarioJob[T]], *, pipelines: int
    ) -> tuple[RunOutcome[T], ...]:
        """Run scenarios, at most `pipelines` at the same time. A failure does not affect the others."""
        room = asyncio.Semaphore(pipelines)

        async def run_job_when_free(job: ScenarioJob[T]) -> RunOutcome[T]:
            async with room:
                return await _capture_run_outcome(job.scenario, self.run_scenario(job))

        return tuple(await asyncio.gather(*map(run_job_when_free, jobs)))

    async def run_unclaimed_scenarios(
        self, flow_of: Callable[[ScenarioRow], Flow[T]], *, pipelines: int
    ) -> tuple[RunOutcome[T], ...]:
        """Run the unfinished scenarios of the ledger without a runner, the most urgent first.

        `flow_of` builds the flow of a row.
        """

        async def run_scenarios_until_none_left() -> list[RunOutcome[T]]:
            done = []
            while row := await self.store.commit(
                partial(leases.claim_next_scenario, lease=self._make_lease())
            ):
                done.append(
                    await _capture_run_outcome(
                        row.scenario, self._run_claimed_scenario(row.scenario, partial(flow_of, row))
                    )
                )
            return done

        pipes = await asyncio.gather(*(run_scenarios_until_none_left() for _ in range(pipelines)))
        return tuple(sorted((each for pipe in pipes for each in pipe), key=lambda each: each.scenario))

    async def _run_claimed_scenario(self, scenario: str, flow: Callable[[], Flow[T]]) -> RunOutcome[T]:
        rounds = AskRounds(
            store=self.store,
            performer=self.performer,
            clock=self.clock,
            owner=self.owner,
            code_version=self.code_version,
            recording=FlowRecording(
                scenario, await self.store.read(partial(list_answers, scenario=scenario))
            ),
        )
        try:
            result = await self._run_while_leased(scenario, drive_flow(flow(), rounds.answer_round))
            rounds.recording.require_all_answers_used()
            closing = self.closing(result)
        except AwaitingHumanReview as waiting:
            return RunOutcome(scenario, ScenarioState.AWAITING_HUMAN, awaited=waiting.keys)
        except LeaseLostError:
            raise
        except asyncio.CancelledError:
            await self.store.commit(partial(leases.release_lease, scenario=scenario, owner=self.owner))
            raise
        except Exception as error:
            await self._close_scenario(
                scenario, ScenarioClosing(ScenarioState.FAILED, reason=f"{type(error).__name__}: {error}")
            )
            raise
        await self._close_scenario(scenario, closing)
        return RunOutcome(scenario, closing.state, result)

    async def _claim_scenario(self, row: ScenarioRow) -> ScenarioRow:
        """Take the lease of a scenario, or return the row as another runner finished it.

        Waits for a lease that is not renewed. Raises `LeaseHeldError` if it is.
        """
        left = min(row.lease_until - self.clock.now(), max(LEASE_SECONDS, self.lease_seconds))
        while True:
            lease = self._make_lease()
            if claimed := await self.store.commit(
                partial(leases.claim_scenario, scenario=row.scenario, lease=lease)
            ):
                return claimed
            found = await self.store.read(partial(leases.get_scenario_row, scenario=row.scenario))
            assert found is not None
            if found.state in FINISHED:
                return found
            if found.lease_until > row.lease_until or left < 0:
                raise LeaseHeldError(row.scenario, found.owner)
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
            left -= LOOK_AGAIN_SECONDS

    async def _run_while_leased(self, scenario: str, work: Coroutine[Any, Any, T]) -> T:
        """Run some work while renewing the lease.

        The work is stopped when the lease is lost, because it would be paid for twice.
        """
        working, renewing = (
            asyncio.create_task(work),
            asyncio.create_task(self._renew_lease_repeatedly(scenario)),
        )
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

    async def _renew_lease_repeatedly(self, scenario: str) -> T:
        while True:
            await asyncio.sleep(self.lease_seconds / 3)
            if not await self.store.commit(
                partial(leases.renew_lease, scenario=scenario, lease=self._make_lease())
            ):
                raise LeaseLostError(scenario)

    async def _close_scenario(self, scenario: str, closing: ScenarioClosing) -> None:
        now = self.clock.now()
        await self.store.commit(
            partial(leases.close_scenario, scenario=scenario, owner=self.owner, closing=closing, now=now)
        )

    def _make_lease(self) -> Lease:
        now = self.clock.now()
        return Lease(self.owner, now, now + self.lease_seconds)


async def drive_flow(flow: Flow[T], replies: Replies) -> T:
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


async def _capture_run_outcome(scenario: str, run: Awaitable[RunOutcome[T]]) -> RunOutcome[T]:
    try:
        return await run
    except Exception as error:  # noqa: BLE001 - the edge of a pipeline: the others continue, and the ledger holds the error
        state = (
            ScenarioState.RUNNING
            if isinstance(error, LeaseHeldError | LeaseLostError)
            else ScenarioState.FAILED
        )
        return RunOutcome(scenario, state, error=error)
