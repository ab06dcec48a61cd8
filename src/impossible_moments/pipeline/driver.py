"""The driver: the only code that performs what a flow asks.

Running and resuming are the same. The flow runs from its start, recorded asks are answered from the ledger,
and the rest is performed. A pending human decision is an ask without an answer, not a waiting process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeAlias, TypeVar

from impossible_moments.agents.adapters import Performer
from impossible_moments.agents.orchestrator import Ask, Flow
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.vocabulary import EULER, NEWTON
from impossible_moments.ledger import (
    FINISHED,
    Lease,
    LedgerStore,
    NewScenario,
    ScenarioClosing,
    ScenarioRow,
    ScenarioState,
    leases,
    list_answers,
    list_message_ids,
)
from impossible_moments.pipeline.ask_rounds import AskRounds, AwaitingHumanReview
from impossible_moments.pipeline.clock import Clock
from impossible_moments.pipeline.lease_errors import LeaseHeldError, LeaseLostError
from impossible_moments.pipeline.lease_watch import LEASE_SECONDS, HolderState, LeaseWatch
from impossible_moments.pipeline.messages import MessageHistory
from impossible_moments.pipeline.replay import FlowRecording, replay_flow

T = TypeVar("T")
LOOK_AGAIN_SECONDS: Final = 0.1
Replies: TypeAlias = Callable[[tuple[Ask, ...]], Awaitable[tuple[LabelledModel, ...]]]
"""Answers one round of asks."""


@dataclass(frozen=True)
class ScenarioJob(Generic[T]):
    """A scenario to be run."""

    scenario: str
    flow: Callable[[], Flow[T]]
    brief: str = ""
    """The brief from which another process can build the flow, as JSON."""
    performers: str = ""
    """The cast as the ledger records it."""
    priority: int = 0
    """Waiting scenarios with a higher priority run first."""


@dataclass(frozen=True)
class RunOutcome(Generic[T]):
    """The outcome of a run."""

    scenario: str
    state: ScenarioState
    """The state in the ledger. A flow that has just ended is still running until its scenario is closed."""
    result: T | None = None
    """What the flow returned, if it ended."""
    awaited: tuple[str, ...] = ()
    """The keys of the asks that humans have yet to answer."""


@dataclass(frozen=True)
class Driver(Generic[T]):
    """A driver that runs flows to their end, or to the next human decision, with a ledger.

    It does not act on results. The caller does, and closes the scenario afterwards. A scenario whose caller dies
    before that is still running in the ledger, so the next run replays it and its caller acts on the result again.
    """

    store: LedgerStore
    performer: Performer
    clock: Clock
    owner: str
    """The name of this runner, unique among all that share the ledger."""
    code_version: str
    lease_seconds: float = LEASE_SECONDS
    on_ask: Callable[[Ask], None] = lambda _ask: None
    """Called with every ask before it is performed."""
    vetoers: frozenset[str] = frozenset({NEWTON, EULER})
    """The agents with veto power."""

    async def run_scenario(self, job: ScenarioJob[T]) -> RunOutcome[T]:
        """Run one scenario.

        A finished one is replayed. One whose runner died is taken over when its lease ends.
        """
        new = NewScenario(job.brief, self.clock.now(), job.priority, job.performers)
        row = await self.store.commit(partial(leases.enrol_scenario, scenario=job.scenario, new=new))
        row = await self._claim_scenario(row)
        if row.state in FINISHED:
            result = await asyncio.to_thread(replay_flow, self.store, job.scenario, job.flow())
            return RunOutcome(job.scenario, row.state, result)
        return await self.run_claimed_scenario(job.scenario, job.flow)

    async def claim_next_scenario(self, performers: str = leases.ANY_PERFORMERS) -> ScenarioRow | None:
        """Claim the most urgent unfinished scenario of a cast that has no runner. Return None if there is none."""
        return await self.store.commit(
            partial(leases.claim_next_scenario, lease=self._make_lease(), performers=performers)
        )

    async def release_held_scenarios(self) -> tuple[ScenarioRow, ...]:
        """Watch the scenarios that other runners hold, and return those whose runners are alive.

        The leases of the others are given back. This takes a term at most.
        """
        watch, alive = LeaseWatch(self.lease_seconds), dict[str, ScenarioRow]()
        while True:
            found = await self.release_leases_of_gone_runners(watch)
            alive |= {row.scenario: row for row, state in found if state is HolderState.ALIVE}
            if all(row.scenario in alive for row, _ in found):
                return tuple(alive.values())
            await asyncio.sleep(LOOK_AGAIN_SECONDS)

    async def release_leases_of_gone_runners(
        self, watch: LeaseWatch
    ) -> tuple[tuple[ScenarioRow, HolderState], ...]:
        """Look once at the scenarios that other runners hold, and give back the leases of those that are gone.

        Return the others, with what is known of their runners.
        """
        held = []
        for row in await self.store.read(leases.list_held_scenarios):
            if row.owner == self.owner:
                continue
            state = watch.look_at(row)
            if state is HolderState.GONE:
                await self.store.commit(partial(leases.release_still_lease, row=row))
            else:
                held.append((row, state))
        return tuple(held)

    async def run_claimed_scenario(self, scenario: str, flow: Callable[[], Flow[T]]) -> RunOutcome[T]:
        """Run a scenario whose lease this driver holds. If its flow ends, the caller closes the scenario."""
        rounds = AskRounds(
            store=self.store,
            performer=self.performer,
            clock=self.clock,
            owner=self.owner,
            code_version=self.code_version,
            recording=FlowRecording(
                scenario, await self.store.read(partial(list_answers, scenario=scenario))
            ),
            messages=MessageHistory(scenario, self.vetoers),
            stored_messages=await self.store.read(partial(list_message_ids, scenario=scenario)),
            on_ask=self.on_ask,
        )
        try:
            result = await self._run_while_leased(scenario, drive_flow(flow(), rounds.answer_round))
            rounds.recording.require_all_answers_used()
        except AwaitingHumanReview as waiting:
            return RunOutcome(scenario, ScenarioState.AWAITING_HUMAN, awaited=waiting.keys)
        except LeaseLostError:
            raise
        except asyncio.CancelledError:
            await self.store.commit(partial(leases.release_lease, scenario=scenario, owner=self.owner))
            raise
        except Exception as error:
            await self.record_failure(scenario, error)
            raise
        return RunOutcome(scenario, ScenarioState.RUNNING, result)

    async def close_scenario(self, scenario: str, closing: ScenarioClosing) -> None:
        """Record in the ledger how a scenario ended, and give its lease back."""
        now = self.clock.now()
        await self.store.commit(
            partial(leases.close_scenario, scenario=scenario, owner=self.owner, closing=closing, now=now)
        )

    async def record_failure(self, scenario: str, error: Exception) -> None:
        """Record in the ledger that a scenario failed with an error."""
        reason = f"{type(error).__name__}: {error}"
        await self.close_scenario(scenario, ScenarioClosing(ScenarioState.FAILED, reason=reason))

    async def _claim_scenario(self, row: ScenarioRow) -> ScenarioRow:
        """Take the lease of a scenario, or return the row as another runner finished it.

        Waits until it is known whether the runner that holds it is alive. Raises `LeaseHeldError` if it is.
        """
        watch = LeaseWatch(self.lease_seconds)
        while True:
            if claimed := await self.store.commit(
                partial(leases.claim_scenario, scenario=row.scenario, lease=self._make_lease())
            ):
                return claimed
            found = await self.store.read(partial(leases.get_scenario_row, scenario=row.scenario))
            assert found is not None
            if found.state in FINISHED:
                return found
            if not found.owner:
                continue
            # A runner does not take over from itself: it was only slow, and is still working on the scenario.
            holder = HolderState.ALIVE if found.owner == self.owner else watch.look_at(found)
            if holder is HolderState.ALIVE:
                raise LeaseHeldError(row.scenario, found.owner)
            if holder is HolderState.GONE:
                await self.store.commit(partial(leases.release_still_lease, row=found))
            else:
                await asyncio.sleep(LOOK_AGAIN_SECONDS)

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
            if not await self.store.commit(partial(leases.renew_lease, scenario=scenario, owner=self.owner)):
                raise LeaseLostError(scenario)

    def _make_lease(self) -> Lease:
        return Lease(self.owner, self.clock.now())


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
