"""The production of scenarios: a flow is run to its end, its result is published, and its scenario is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from impossible_moments.agents.orchestrator import Flow
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.ledger import FINISHED, ScenarioRow, ScenarioState
from impossible_moments.pipeline.concurrency import run_concurrently_with_limit, run_until_none_left
from impossible_moments.pipeline.driver import Driver, LeaseHeldError, LeaseLostError, RunOutcome, ScenarioJob
from impossible_moments.pipeline.publication import (
    GenerationResult,
    ScenarioPublisher,
    build_scenario_closing,
)


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

    async def produce_jobs(
        self,
        jobs: Iterable[ScenarioJob[CreationOutcome]],
        on_result: Callable[[GenerationResult], None] = lambda _result: None,
    ) -> tuple[GenerationResult, ...]:
        """Produce scenarios. A failure does not affect the others. `on_result` is called with each result in turn."""

        async def produce_job(job: ScenarioJob[CreationOutcome]) -> GenerationResult:
            result = await self._run_and_publish_scenario(
                job.scenario, partial(self.driver.run_scenario, job)
            )
            on_result(result)
            return result

        works = (partial(produce_job, job) for job in jobs)
        return await run_concurrently_with_limit(works, at_once=self.pipelines)

    async def produce_unclaimed_scenarios(
        self, flow_of: Callable[[ScenarioRow], Flow[CreationOutcome]]
    ) -> tuple[GenerationResult, ...]:
        """Produce the unfinished scenarios of the ledger without a runner, the most urgent first.

        `flow_of` builds the flow of a row.
        """

        async def produce_next() -> GenerationResult | None:
            row = await self.driver.claim_next_scenario()
            if row is None:
                return None
            run = partial(self.driver.run_claimed_scenario, row.scenario, partial(flow_of, row))
            return await self._run_and_publish_scenario(row.scenario, run)

        results = await run_until_none_left(produce_next, at_once=self.pipelines)
        return tuple(sorted(results, key=lambda each: each.scenario_id))

    async def _run_and_publish_scenario(
        self, scenario: str, run: Callable[[], Awaitable[RunOutcome[CreationOutcome]]]
    ) -> GenerationResult:
        """Run a flow, publish its result and close its scenario, in this order."""
        try:
            outcome = await run()
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
        if result.successor is not None:
            replacement = await self._produce_brief(result.successor)
            return replace(
                replacement, replaced=(f"{result.scenario_id}: {result.reason}", *replacement.replaced)
            )
        if result.state is not ScenarioState.ACCEPTED:
            return result
        briefs = await asyncio.to_thread(self.publisher.enrol_variants, finished)
        return replace(result, variants=tuple([await self._produce_brief(brief) for brief in briefs]))

    async def _produce_brief(self, brief: GenerationBrief) -> GenerationResult:
        job = ScenarioJob(brief.scenario_id, partial(self.build_flow, brief), brief.model_dump_json())
        return await self._run_and_publish_scenario(job.scenario, partial(self.driver.run_scenario, job))

    async def _publish_or_record_failure(self, scenario: str, finished: CreationOutcome) -> GenerationResult:
        try:
            return self.publisher.publish(finished)
        except Exception as error:
            await self.driver.record_failure(scenario, error)
            raise
