"""The pipeline: turns briefs into published scenarios, several at the same time, and resumes any run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final, TypeVar

from impossible_moments.agents import load_extensions
from impossible_moments.agents.adapters import Performer
from impossible_moments.agents.orchestrator import (
    Ask,
    Configuration,
    Flow,
    build_scenario_rules,
    load_configuration,
)
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome, create_scenario
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.ledger import LedgerStore, ScenarioRow, ScenarioState, leases
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.records import Library
from impossible_moments.pipeline.cast_selection import ModelResources, build_cast, select_models
from impossible_moments.pipeline.clock import Clock, SystemClock
from impossible_moments.pipeline.driver import Driver, ScenarioJob
from impossible_moments.pipeline.earlier_scenarios import EarlierScenarios
from impossible_moments.pipeline.publication import GenerationError, GenerationResult, ScenarioPublisher
from impossible_moments.pipeline.runner_names import is_gone, make_runner_name
from impossible_moments.pipeline.scenario_production import ScenarioProduction
from impossible_moments.scenarios import Embedder, ScenarioRegistry, load_wordllama_embedder

LEDGER: Final = "ledger.sqlite"
T = TypeVar("T")


class Pipeline:
    """Creates scenarios.

    The ledger in the output folder holds the state of every run, so running again continues where it stopped.
    """

    def __init__(  # noqa: PLR0913 - the specification's parameters, and those that tests and extensions replace
        self,
        config_path: str | Path | None = None,
        model_provider: str | Sequence[str] = (),
        api_key: str | None = None,
        parallel_pipelines: int = 5,
        *,
        output: str | Path = "scenarios",
        performer: Performer | None = None,
        library: Library | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
        further_agents: Iterable[str] = (),
        means: ModelResources | None = None,
        on_ask: Callable[[Ask], None] = lambda _ask: None,
    ) -> None:
        self.configuration: Configuration = load_configuration(config_path).enable_agents(
            tuple(further_agents)
        )
        load_extensions(self.configuration.roster)
        self.parallel_pipelines = parallel_pipelines
        self.registry = ScenarioRegistry(output)
        self._folder = Path(output)
        self._library = library or load_everyday_library()
        # The key is kept in memory for the performer, and is never written.
        self._performer = performer or build_cast(
            select_models(model_provider, self.configuration),
            self.configuration,
            self._library,
            means or ModelResources(api_key=api_key),
        )
        self._on_ask = on_ask
        self._embedder = embedder
        self._clock: Clock = clock or SystemClock()
        self._neighbours = EarlierScenarios(self.registry)

    def generate(self, brief: GenerationBrief) -> GenerationResult:
        """Create one scenario, or continue it.

        The result of a discarded scenario, or of one that awaits a human, has a reason and no documents. Raises
        `GenerationError` if the run failed, for instance because a model provider cannot be reached.
        """
        (result,) = self.generate_all([brief])
        if result.error is not None:
            raise GenerationError(result) from result.error
        return result

    def generate_all(
        self,
        briefs: Sequence[GenerationBrief],
        *,
        on_result: Callable[[GenerationResult], None] = lambda _result: None,
    ) -> tuple[GenerationResult, ...]:
        """Create scenarios, several at the same time. A failure does not affect the others.

        `on_result` is called with each result as soon as it is there.
        """
        for brief in briefs:
            self._performer.require_feasible_brief(brief)
        with self.open_ledger() as store:
            production = self._build_production(store)
            jobs = self._build_jobs(store, briefs)
            return asyncio.run(self._await_and_close_performer(production.produce_jobs(jobs, on_result)))

    def resume(self, *, failed: Collection[str] = ()) -> tuple[GenerationResult, ...]:
        """Continue all unfinished scenarios of the ledger that have no runner.

        Of the failed scenarios, those named in `failed` are tried again.
        """
        with self.open_ledger() as store:
            production = self._build_production(store)
            return asyncio.run(
                self._await_and_close_performer(self._resume_scenarios(store, production, failed))
            )

    async def _resume_scenarios(
        self, store: LedgerStore, production: ScenarioProduction, failed: Collection[str]
    ) -> tuple[GenerationResult, ...]:
        rows = await store.read(leases.list_scenario_rows)
        again = [
            ScenarioJob(row.scenario, partial(self._build_flow_from_row, store, row), row.brief)
            for row in rows
            if row.state is ScenarioState.FAILED and row.scenario in failed
        ]
        tried = await production.produce_jobs(again)
        waiting = await production.produce_unclaimed_scenarios(partial(self._build_flow_from_row, store))
        return (*tried, *waiting)

    async def _await_and_close_performer(self, work: Awaitable[T]) -> T:
        """Await some work, then close what the performer opened for it."""
        try:
            return await work
        finally:
            await self._performer.close()

    def open_ledger(self) -> LedgerStore:
        """Open the ledger of this output folder."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return LedgerStore(self._folder / LEDGER)

    def _build_production(self, store: LedgerStore) -> ScenarioProduction:
        store.commit_and_wait(partial(leases.release_leases_of_runners, is_gone=is_gone))
        driver: Driver[CreationOutcome] = Driver(
            store,
            self._performer,
            self._clock,
            owner=make_runner_name(),
            code_version=version("impossible-moments"),
            on_ask=self._on_ask,
            vetoers=self.configuration.vetoers,
        )
        publisher = ScenarioPublisher(
            store,
            self.registry,
            self.configuration,
            self._library,
            self._clock,
            self._neighbours,
            self._load_embedder,
        )
        return ScenarioProduction(
            driver, publisher, self.parallel_pipelines, partial(self._build_flow, store)
        )

    def _load_embedder(self) -> Embedder:
        return self._embedder or load_wordllama_embedder()

    def _build_jobs(
        self, store: LedgerStore, briefs: Iterable[GenerationBrief]
    ) -> list[ScenarioJob[CreationOutcome]]:
        given = list(briefs)
        reserved = frozenset(brief.scenario_id for brief in given if brief.scenario_id)
        numbered = [
            brief if brief.scenario_id else self._enrol_under_next_id(store, brief, reserved)
            for brief in given
        ]
        return [
            ScenarioJob(each.scenario_id, partial(self._build_flow, store, each), each.model_dump_json())
            for each in numbered
        ]

    def _enrol_under_next_id(
        self, store: LedgerStore, brief: GenerationBrief, reserved: frozenset[str]
    ) -> GenerationBrief:
        """Enrol a brief under an identifier that no other process can choose. Return the brief with it."""

        def number_brief(used: frozenset[str]) -> tuple[str, str]:
            name = self.registry.choose_next_id(reserved=used | reserved)
            return name, brief.model_copy(update={"scenario_id": name}).model_dump_json()

        row = store.commit_and_wait(
            partial(leases.enrol_under_next_id, number_brief=number_brief, priority=0, now=self._clock.now())
        )
        return GenerationBrief.model_validate_json(row.brief)

    def _build_flow_from_row(self, store: LedgerStore, row: ScenarioRow) -> Flow[CreationOutcome]:
        brief = GenerationBrief.model_validate_json(row.brief)
        self._performer.require_feasible_brief(brief)
        return self._build_flow(store, brief)

    def _build_flow(self, store: LedgerStore, brief: GenerationBrief) -> Flow[CreationOutcome]:
        store.commit_and_wait(
            partial(leases.mark_as_begun, scenario=brief.scenario_id, now=self._clock.now())
        )
        known = self._neighbours.collect_published_before(store, brief.scenario_id)
        rules = build_scenario_rules(
            self.configuration,
            self._library,
            self._load_embedder(),
            registry=tuple(known.values()),
            taken=frozenset(known),
            reader=self._performer.reader,
        )
        return create_scenario(brief, rules)
