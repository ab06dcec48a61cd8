"""The pipeline: turns briefs into published scenarios, several at the same time, and resumes any run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final, TypeVar

from impossible_moments.agents import load_extensions
from impossible_moments.agents.adapters import Performer
from impossible_moments.agents.builtin import UnreachableBrief
from impossible_moments.agents.orchestrator import (
    Ask,
    Configuration,
    Flow,
    build_scenario_rules,
    identify_settings,
    load_configuration,
)
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome, create_scenario
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import (
    FINISHED,
    LedgerLocation,
    LedgerStore,
    LedgerTransaction,
    NewScenario,
    ScenarioRow,
    ScenarioState,
    leases,
)
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.records import Library
from impossible_moments.pipeline.brief_runs import choose_earlier_run, require_same_cast
from impossible_moments.pipeline.cast_records import build_cast_record
from impossible_moments.pipeline.cast_selection import ModelResources, build_cast, select_models
from impossible_moments.pipeline.clock import Clock, SystemClock
from impossible_moments.pipeline.driver import Driver, ScenarioJob
from impossible_moments.pipeline.lease_watch import LEASE_SECONDS
from impossible_moments.pipeline.ledger_places import find_ledger, has_ledger, record_address
from impossible_moments.pipeline.publishing import (
    CorpusIndex,
    EarlierScenarios,
    GenerationError,
    GenerationResult,
    ScenarioPublisher,
    copy_publications,
)
from impossible_moments.pipeline.runner_names import is_gone, make_runner_name
from impossible_moments.pipeline.scenario_production import ScenarioProduction
from impossible_moments.pipeline.standing_production import PAUSE_SECONDS, StandingProduction
from impossible_moments.scenarios import ScenarioRegistry
from impossible_moments.scenarios.similarity import Embedder, load_wordllama_embedder

MERGED_SHARE: Final = 1 / 16
"""The size of the journal, as a share of a large registry, from which a run merges it at its end."""
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
        cast: Mapping[str, str] | None = None,
        on_ask: Callable[[Ask], None] = lambda _ask: None,
        on_wait: Callable[[str, str], None] = lambda _scenario, _runner: None,
        lease_seconds: float = LEASE_SECONDS,
        database_url: str | None = None,
    ) -> None:
        self.configuration: Configuration = load_configuration(config_path).enable_agents(
            tuple(further_agents)
        )
        load_extensions(self.configuration.roster)
        self.parallel_pipelines = parallel_pipelines
        self.registry = ScenarioRegistry(output)
        self._folder = Path(output)
        self.ledger: LedgerLocation = find_ledger(self._folder, database_url)
        """Where the state of every run is: in the output folder, or in a database of several machines."""
        self._library = library or load_everyday_library()
        models = cast
        if performer is None:
            models = select_models(model_provider, self.configuration)
        # The key is kept in memory for the performer, and is never written.
        self._performer = performer or build_cast(
            models or {}, self.configuration, self._library, means or ModelResources(api_key=api_key)
        )
        self.cast = build_cast_record(models or {}, self.configuration, identify_settings(config_path))
        """The cast that the ledger records for new scenarios. A performer of unknown models has none."""
        self._on_ask, self._on_wait, self._lease_seconds = on_ask, on_wait, lease_seconds
        self._embedder = embedder
        self._clock: Clock = clock or SystemClock()
        self._neighbours = EarlierScenarios(self.registry)
        self._index = CorpusIndex(self._folder, self._load_embedder)

    def generate(self, brief: GenerationBrief, *, again: bool = False) -> GenerationResult:
        """Create one scenario, or continue it.

        A brief is the same as an earlier one if its content and its seed are. Its scenario is continued, or returned
        if it is finished. With `again` another one is created. The result of a discarded scenario, or of one that awaits a human, has a reason and no documents. Raises
        `GenerationError` if the run failed, for instance because a model provider cannot be reached.
        """
        (result,) = self.generate_all([brief], again=again)
        if result.error is not None:
            raise GenerationError(result) from result.error
        return result

    def generate_all(
        self,
        briefs: Sequence[GenerationBrief],
        *,
        again: bool = False,
        on_result: Callable[[GenerationResult], None] = lambda _result: None,
    ) -> tuple[GenerationResult, ...]:
        """Create scenarios, several at the same time. A failure does not affect the others.

        Equal briefs have one scenario and one result. Briefs of earlier runs are continued, or with `again` created
        once more. `on_result` is called with each result as soon as it is there.
        """
        for brief in briefs:
            self._performer.require_feasible_brief(brief)
        with self.open_ledger() as store:
            production = self._build_production(store)
            jobs = self._build_jobs(store, briefs, again=again)
            distinct = list({job.scenario: job for job in jobs}.values())
            try:
                results = asyncio.run(
                    self._await_and_close_performer(production.produce_jobs(distinct, on_result))
                )
            finally:
                self._finish_folder(store)
        by_job = {job.scenario: result for job, result in zip(distinct, results, strict=True)}
        return tuple(by_job[job.scenario] for job in jobs)

    def enrol_all(self, briefs: Sequence[GenerationBrief], *, again: bool = False) -> tuple[str, ...]:
        """Enter briefs into the ledger without producing them, and return their scenarios. Workers produce them."""
        for brief in briefs:
            self._performer.require_feasible_brief(brief)
        with self.open_ledger() as store:
            self._neighbours.enter_registered(store)
            jobs = self._build_jobs(store, briefs, again=again)
            for job in jobs:
                new = NewScenario(job.brief, self._clock.now(), job.priority, job.performers)
                store.commit_and_wait(partial(leases.enrol_scenario, scenario=job.scenario, new=new))
        return tuple(job.scenario for job in jobs)

    def is_feasible(self, brief: GenerationBrief) -> bool:
        """Return whether a scenario can be made from a brief. A composed place may give none for a seed."""
        try:
            self._performer.require_feasible_brief(brief)
        except UnreachableBrief:
            return False
        return True

    def find_finished_run(self, brief: GenerationBrief) -> str | None:
        """Return the scenario that was created from the same brief before, or None if it is unfinished or new."""
        if not has_ledger(self.ledger):
            return None
        with self.open_ledger() as store:
            text = brief.model_dump_json()
            run = choose_earlier_run(
                store.read_and_wait(partial(leases.list_runs_of_brief, brief=text)), again=False
            )
        return None if run is None or run.state not in FINISHED else run.scenario

    def resume(
        self, *, failed: Collection[str] = (), performers: str = leases.ANY_PERFORMERS
    ) -> tuple[GenerationResult, ...]:
        """Continue all unfinished scenarios of the ledger that have no runner.

        Of the failed scenarios, those named in `failed` are tried again. With `performers` only scenarios of this cast
        are continued, as the ledger records it.
        """
        with self.open_ledger() as store:
            production = self._build_production(store)
            try:
                return asyncio.run(
                    self._await_and_close_performer(
                        self._resume_scenarios(store, production, failed, performers)
                    )
                )
            finally:
                self._finish_folder(store)

    def advance(self, scenario: str) -> GenerationResult:
        """Produce one scenario of the ledger to its end, or to a question to a human.

        If another runner is at it, its end is awaited. Raise `ConfigurationError` if the ledger does not know it.
        """
        with self.open_ledger() as store:
            production = self._build_production(store)
            row = store.read_and_wait(partial(leases.get_scenario_row, scenario=scenario))
            if row is None:
                raise ConfigurationError(
                    f"The ledger in {self.ledger} does not know the scenario {scenario}."
                )
            job = ScenarioJob(
                scenario, partial(self._build_flow_from_row, store, row), row.brief, row.performers
            )
            (result,) = asyncio.run(self._await_and_close_performer(production.produce_jobs([job])))
            self._neighbours.merge_registry_journal(store, at_least=MERGED_SHARE)
        return result

    def work(
        self,
        *,
        ends_when_done: bool,
        on_result: Callable[[GenerationResult], None] = lambda _result: None,
        pause_seconds: float = PAUSE_SECONDS,
    ) -> None:
        """Produce unfinished scenarios of this cast as they appear in the ledger, beside any number of other workers.

        With `ends_when_done` this returns when no scenario of the cast is running or waits for a runner.
        """
        with self.open_ledger() as store:
            standing = StandingProduction(
                self._build_production(store),
                partial(self._build_flow_from_row, store),
                self.cast.format() or leases.ANY_PERFORMERS,
                ends_when_done,
                on_result,
                pause_seconds,
            )
            try:
                asyncio.run(self._await_and_close_performer(standing.run()))
            finally:
                self._neighbours.merge_registry_journal(store, at_least=MERGED_SHARE)

    def copy_publications(self) -> int:
        """Write the publications of a shared ledger that the folder lacks, and return how many were written."""
        with self.open_ledger() as store:
            self._neighbours.enter_registered(store)
            return self._finish_folder(store)

    def _finish_folder(self, store: LedgerStore) -> int:
        """Bring the folder up to the ledger, and return how many publications of other machines were written."""
        copied = copy_publications(store, self.registry)
        self._neighbours.merge_registry_journal(store, at_least=MERGED_SHARE)
        return copied

    async def _resume_scenarios(
        self, store: LedgerStore, production: ScenarioProduction, failed: Collection[str], performers: str
    ) -> tuple[GenerationResult, ...]:
        rows = await store.read(leases.list_scenario_rows)
        again = [
            ScenarioJob(row.scenario, partial(self._build_flow_from_row, store, row), row.brief)
            for row in rows
            if row.state is ScenarioState.FAILED
            and row.scenario in failed
            and performers in {row.performers, leases.ANY_PERFORMERS}
        ]
        tried = await production.produce_jobs(again)
        waiting = await production.produce_unclaimed_scenarios(
            partial(self._build_flow_from_row, store), performers
        )
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
        store = LedgerStore(self.ledger)
        record_address(self._folder, self.ledger)
        return store

    def _build_production(self, store: LedgerStore) -> ScenarioProduction:
        self.registry.require_registry()
        store.commit_and_wait(partial(leases.release_leases_of_runners, is_gone=is_gone))
        self._neighbours.enter_registered(store)
        driver: Driver[CreationOutcome] = Driver(
            store,
            self._performer,
            self._clock,
            owner=make_runner_name(),
            code_version=version("impossible-moments"),
            lease_seconds=self._lease_seconds,
            on_ask=self._on_ask,
            vetoers=self.configuration.vetoers,
        )
        publisher = ScenarioPublisher(
            store,
            self.registry,
            self.configuration,
            self._library,
            self._clock,
            self._load_embedder,
        )
        return ScenarioProduction(
            driver, publisher, self.parallel_pipelines, partial(self._build_flow, store), self._on_wait
        )

    def _load_embedder(self) -> Embedder:
        return self._embedder or load_wordllama_embedder()

    def _build_jobs(
        self, store: LedgerStore, briefs: Iterable[GenerationBrief], *, again: bool
    ) -> list[ScenarioJob[CreationOutcome]]:
        given = list(briefs)
        reserved = frozenset(brief.scenario_id for brief in given if brief.scenario_id)
        jobs = []
        for brief in given:
            numbered = brief if brief.scenario_id else self._enrol_brief(store, brief, reserved, again=again)
            flow = partial(self._build_flow, store, numbered)
            jobs.append(
                ScenarioJob(numbered.scenario_id, flow, numbered.model_dump_json(), self.cast.format())
            )
        return jobs

    def _enrol_brief(
        self, store: LedgerStore, brief: GenerationBrief, reserved: frozenset[str], *, again: bool
    ) -> GenerationBrief:
        """Return the brief with the identifier of its earlier run, or enrolled under a new one.

        The search and the enrolment are one transaction, so no two processes enrol one brief, or choose one identifier.
        """
        text, cast = brief.model_dump_json(), self.cast.format()

        def number_brief(used: frozenset[str]) -> tuple[str, str]:
            name = self.registry.choose_free_id(reserved=used | reserved)
            return name, brief.model_copy(update={"scenario_id": name}).model_dump_json()

        def enrol_or_find(transaction: LedgerTransaction) -> ScenarioRow:
            leases.lock_numbering(transaction)
            earlier = choose_earlier_run(leases.list_runs_of_brief(transaction, text), again=again)
            if earlier is not None:
                require_same_cast(earlier, self.cast)
                return earlier
            new = NewScenario(text, self._clock.now(), performers=cast)
            return leases.enrol_under_next_id(transaction, new, number_brief=number_brief)

        return GenerationBrief.model_validate_json(store.commit_and_wait(enrol_or_find).brief)

    def _build_flow_from_row(self, store: LedgerStore, row: ScenarioRow) -> Flow[CreationOutcome]:
        brief = GenerationBrief.model_validate_json(row.brief)
        self._performer.require_feasible_brief(brief)
        return self._build_flow(store, brief)

    def _build_flow(self, store: LedgerStore, brief: GenerationBrief) -> Flow[CreationOutcome]:
        store.commit_and_wait(
            partial(leases.mark_as_begun, scenario=brief.scenario_id, now=self._clock.now())
        )
        row = store.read_and_wait(partial(leases.get_scenario_row, scenario=brief.scenario_id))
        last = 0 if row is None else max(row.begun_after, 0)
        halves = self._neighbours.list_relatives(store, brief.scenario_id) if brief.reading else ()
        rules = build_scenario_rules(
            self.configuration,
            self._library,
            self._load_embedder(),
            corpus=self._index.build_corpus(store, last, brief).without(halves),
            reader=self._performer.reader,
        )
        return create_scenario(brief, rules)
