"""Standing production: a worker that takes unfinished scenarios of a ledger, one after the other, until it is stopped.

Any number of workers share a ledger. A lease lets one of them at a time advance a scenario, and a worker that died or
froze is relieved when its lease has stood still for a term.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from impossible_moments.agents.orchestrator import Flow
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome
from impossible_moments.ledger import ScenarioRow, leases
from impossible_moments.pipeline.lease_watch import LeaseWatch
from impossible_moments.pipeline.publishing import GenerationResult
from impossible_moments.pipeline.scenario_production import ScenarioProduction

PAUSE_SECONDS: Final = 1.0
"""How often a worker without work looks for some."""


@dataclass(frozen=True)
class StandingProduction:
    """Produces the unfinished scenarios of a cast as they appear."""

    production: ScenarioProduction
    build_flow: Callable[[ScenarioRow], Flow[CreationOutcome]]
    performers: str
    ends_when_done: bool
    """Whether it ends when no scenario of the ledger is unfinished, apart from those that wait for a human."""
    on_result: Callable[[GenerationResult], None]
    pause_seconds: float = PAUSE_SECONDS

    async def run(self) -> None:
        """Produce scenarios until none is left, or for ever."""
        watching = asyncio.create_task(self._watch_leases())
        try:
            async with asyncio.TaskGroup() as lanes:
                for _ in range(self.production.pipelines):
                    lanes.create_task(self._serve_lane())
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching

    async def _serve_lane(self) -> None:
        while True:
            result = await self.production.produce_next_unclaimed(self.build_flow, self.performers)
            if result is not None:
                self.on_result(result)
            elif self.ends_when_done and not await self._has_unfinished():
                return
            else:
                await asyncio.sleep(self.pause_seconds)

    async def _watch_leases(self) -> None:
        watch = LeaseWatch(self.production.driver.lease_seconds)
        while True:
            await self.production.driver.release_leases_of_gone_runners(watch)
            await asyncio.sleep(self.pause_seconds)

    async def _has_unfinished(self) -> bool:
        count = partial(leases.count_running, performers=self.performers)
        return bool(await self.production.driver.store.read(count))
