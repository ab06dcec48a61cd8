"""The production of scenarios: a flow is run to its end, its result is published, and its scenario is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from impossible_moments.agents.orchestrator import Flow
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.ledger import FINISHED, ScenarioRow, ScenarioState, leases
from impossible_moments.pipeline.concurrency import run_concurrently_with_limit, run_until_none_left
from impossible_moments.pipeline.driver import Driver, RunOutcome, ScenarioJob
from impossible_moments.pipeline.lease_errors import LeaseHeldError, LeaseLostError
from impossible_moments.pipeline.publishing import GenerationResult, ScenarioPublisher, build_scenario_closing


@dataclass(frozen=True)
class ScenarioProduction:
    """Produces scenarios with a driver and a publisher, several at the same time.

    The ledger records a scenario as finished only after its publication. A process that is killed between the last
    answer and that record leaves a running scenario, which the next run replays and publishes.
    """

    driver: Driver[CreationOutcome]
    publisher: ScenarioPublisher
    pipelines: int
    """How many scenarios are produced at the same time."""
    build_flow: Callable[[GenerationBrief], Flow[CreationOutcome]]
    on_wait: Callable[[str, str], None] = lambda _scenario, _runner: None
    """Called with a scenario and its runner before the end of another runner's work is awaited."""

    async def produce_jobs(
        self,
        jobs: Iterable[ScenarioJob[CreationOutcome]],
        on_result: Callable[[GenerationResult], None] = lambda _result: None,
    ) -> tuple[GenerationResult, ...]:
        """Produce scenarios. A failure does not affect the others. `on_result` is called with each result in turn.

        Scenarios that another runner is working on come last. Their results are awaited, and their work is taken over
        if their runner dies.
        """
        held: dict[str, LeaseHeldError] = {}

        async def produce_job(job: ScenarioJob[CreationOutcome]) -> GenerationResult:
            result = await self._produce_or_read(job)
            if isinstance(result.error, LeaseHeldError):
                held[job.scenario] = result.error
            else:
                on_result(result)
            return result

        async def await_job(job: ScenarioJob[CreationOutcome], first: GenerationResult) -> GenerationResult:
            result = first
            if job.scenario in held:
                self.on_wait(job.scenario, held[job.scenario].owner)
                while isinstance(result.error, LeaseHeldError):
                    result = await self._produce_or_read(job)
                on_result(result)
            return result

        listed = tuple(jobs)
        firsts = await run_concurrently_with_limit(
            (partial(produce_job, job) for job in listed), at_once=self.pipelines
        )
        awaited = (partial(await_job, job, first) for job, first in zip(listed, firsts, strict=True))
        return await run_concurrently_with_limit(awaited, at_once=self.pipelines)

    async def produce_unclaimed_scenarios(
        self,
        flow_of: Callable[[ScenarioRow], Flow[CreationOutcome]],
        performers: str = leases.ANY_PERFORMERS,
    ) -> tuple[GenerationResult, ...]:
        """Produce the unfinished scenarios of a cast in the ledger without a runner, the most urgent first.

        `flow_of` builds the flow of a row. Scenarios of runners that died elsewhere are awaited until that is certain.
        """
        results = await self._produce_free_scenarios(flow_of, performers)
        held = await self.driver.release_held_scenarios()
        results += await self._produce_free_scenarios(flow_of, performers)
        results += [
            _describe_held(row) for row in held if performers in {row.performers, leases.ANY_PERFORMERS}
        ]
        return tuple(sorted(results, key=lambda each: each.scenario_id))

    async def _produce_free_scenarios(
        self, flow_of: Callable[[ScenarioRow], Flow[CreationOutcome]], performers: str
    ) -> list[GenerationResult]:
        produce_next = partial(self.produce_next_unclaimed, flow_of, performers)
        return await run_until_none_left(produce_next, at_once=self.pipelines)

    async def produce_next_unclaimed(
        self, flow_of: Callable[[ScenarioRow], Flow[CreationOutcome]], performers: str
    ) -> GenerationResult | None:
        """Produce the most urgent unfinished scenario of a cast that has no runner. Return None if there is none."""
        row = await self.driver.claim_next_scenario(performers)
        if row is None:
            return None
        run = partial(self.driver.run_claimed_scenario, row.scenario, partial(flow_of, row))
        return await self._run_and_publish_scenario(row.scenario, run)

    async def _produce_or_read(self, job: ScenarioJob[CreationOutcome]) -> GenerationResult:
        """Produce a scenario, or read its result if it is finished."""
        return await self._read_finished(job.scenario) or await self._run_and_publish_scenario(
            job.scenario, partial(self.driver.run_scenario, job)
        )

    async def _read_finished(self, scenario: str) -> GenerationResult | None:
        """Return the result of a finished scenario, with those of its successors and variants, or None."""
        store = self.driver.store
        row = await store.read(partial(leases.get_scenario_row, scenario=scenario))
        if row is None or row.state not in FINISHED:
            return None
        result = await asyncio.to_thread(self.publisher.read_finished, row)
        if result is None:
            return None
        variants = await asyncio.to_thread(self.publisher.list_enrolled_variants, scenario)
        return await self._produce_briefs_of(result, variants)

    async def _run_and_publish_scenario(
        self, scenario: str, run: Callable[[], Awaitable[RunOutcome[CreationOutcome]]]
    ) -> GenerationResult:
        """Run a flow, publish its result and close its scenario, in this order."""
        try:
            outcome = await run()
            if outcome.state in FINISHED and (known := await self._read_finished(scenario)) is not None:
                return known
            if outcome.result is None:
                waits = f"awaits a human: {', '.join(outcome.awaited)}"
                return GenerationResult(scenario, outcome.state, reason=waits)
            result = await self._publish_or_record_failure(scenario, outcome.result)
            if outcome.state not in FINISHED:
                await self.driver.close_scenario(scenario, build_scenario_closing(outcome.result, result))
            return await self._produce_successors(outcome.result, result)
        except (LeaseHeldError, LeaseLostError) as error:
            return GenerationResult(scenario, ScenarioState.RUNNING, reason=str(error), error=error)
        except Exception as error:  # noqa: BLE001 - the edge of a scenario: the others continue, and the ledger holds the error
            return GenerationResult(scenario, ScenarioState.FAILED, reason=str(error), error=error)

    async def _produce_successors(
        self, finished: CreationOutcome, result: GenerationResult
    ) -> GenerationResult:
        """Produce a new design in place of a duplicate, or the variants of an accepted scenario."""
        accepted = result.state is ScenarioState.ACCEPTED
        variants = await asyncio.to_thread(self.publisher.enrol_variants, finished) if accepted else ()
        return await self._produce_briefs_of(result, variants)

    async def _produce_briefs_of(
        self, result: GenerationResult, variants: Iterable[GenerationBrief]
    ) -> GenerationResult:
        """Produce the successor and the variants of a result."""
        if result.successor is not None:
            replacement = await self._produce_brief(result.successor)
            return replace(
                replacement, replaced=(f"{result.scenario_id}: {result.reason}", *replacement.replaced)
            )
        return replace(result, variants=tuple([await self._produce_brief(brief) for brief in variants]))

    async def _produce_brief(self, brief: GenerationBrief) -> GenerationResult:
        job = ScenarioJob(brief.scenario_id, partial(self.build_flow, brief), brief.model_dump_json())
        return await self._produce_or_read(job)

    async def _publish_or_record_failure(self, scenario: str, finished: CreationOutcome) -> GenerationResult:
        try:
            return self.publisher.publish(finished)
        except Exception as error:
            await self.driver.record_failure(scenario, error)
            raise


def _describe_held(row: ScenarioRow) -> GenerationResult:
    """Return the result of a scenario that another runner is working on."""
    error = LeaseHeldError(row.scenario, row.owner)
    return GenerationResult(row.scenario, ScenarioState.RUNNING, reason=str(error), error=error)
