"""The pipeline: turns briefs into published scenarios, several at the same time, and resumes any run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final, TypeVar

from impossible_moments.agents import load_extensions
from impossible_moments.agents.orchestrator import (
    Configuration,
    CreationOutcome,
    Flow,
    build_documents,
    build_scenario_rules,
    create_scenario,
    load_configuration,
)
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.ledger import (
    AnsweredAsk,
    LedgerStore,
    LedgerTransaction,
    ScenarioClosing,
    ScenarioRow,
    ScenarioState,
    leases,
    list_answers,
)
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.records import Library
from impossible_moments.pipeline.ask_rounds import Performer
from impossible_moments.pipeline.cast_selection import ModelResources, build_cast, select_models
from impossible_moments.pipeline.clock import Clock, SystemClock, make_runner_name
from impossible_moments.pipeline.driver import Driver, RunOutcome, ScenarioJob
from impossible_moments.pipeline.earlier_scenarios import EarlierScenarios
from impossible_moments.pipeline.performers import BuiltinPerformer, RolePerformer
from impossible_moments.scenarios import (
    AgentVersion,
    ClockReadings,
    Embedder,
    ScenarioDocuments,
    ScenarioMetadata,
    ScenarioRegistry,
    ToolCallRecord,
    compute_prompt_hash,
    load_wordllama_embedder,
)

LEDGER: Final = "ledger.sqlite"
T = TypeVar("T")


@dataclass(frozen=True)
class GenerationResult:
    """The result of generating a scenario from a brief."""

    scenario_id: str
    state: ScenarioState
    documents: ScenarioDocuments | None = None
    reason: str = ""
    """Why it was discarded, what it waits for, or the error it failed with."""
    split_into: tuple[str, ...] = ()
    error: Exception | None = None

    @property
    def public_document(self) -> str:
        """Tier 1: the scenario."""
        return self.documents.public if self.documents else ""

    @property
    def evaluation_document(self) -> str:
        """Tier 2: the answer key."""
        return self.documents.evaluation if self.documents else ""

    @property
    def methodology_trace(self) -> str:
        """Tier 3: the account of its creation."""
        return self.documents.trace if self.documents else ""

    @property
    def metadata(self) -> ScenarioMetadata | None:
        """The metadata record."""
        return self.documents.metadata if self.documents else None


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
        self._embedder = embedder
        self._clock: Clock = clock or SystemClock()
        self._neighbours = EarlierScenarios(self.registry)

    def generate(self, brief: GenerationBrief) -> GenerationResult:
        """Create one scenario, or continue it."""
        return self.generate_all([brief])[0]

    def generate_all(self, briefs: Sequence[GenerationBrief]) -> tuple[GenerationResult, ...]:
        """Create scenarios, several at the same time. A failure does not affect the others."""
        if isinstance(self._performer, BuiltinPerformer | RolePerformer):
            for brief in briefs:
                self._performer.require_feasible_brief(brief)
        with self.open_ledger() as store:
            jobs, made = self._build_jobs(store, briefs), dict[str, GenerationResult]()
            driver = self._build_driver(store, made)
            outcomes = asyncio.run(
                self._close_performer_after(driver.run_scenarios(jobs, pipelines=self.parallel_pipelines))
            )
            return tuple(self._build_generation_result(store, outcome, made) for outcome in outcomes)

    def resume(self, *, failed: Collection[str] = ()) -> tuple[GenerationResult, ...]:
        """Continue all unfinished scenarios of the ledger that have no runner.

        Of the failed scenarios, those named in `failed` are tried again.
        """
        with self.open_ledger() as store:
            made: dict[str, GenerationResult] = {}
            driver = self._build_driver(store, made)
            outcomes = asyncio.run(self._close_performer_after(self._resume_scenarios(store, driver, failed)))
            return tuple(self._build_generation_result(store, outcome, made) for outcome in outcomes)

    async def _resume_scenarios(
        self, store: LedgerStore, driver: Driver[CreationOutcome], failed: Collection[str]
    ) -> tuple[RunOutcome[CreationOutcome], ...]:
        rows = await store.read(leases.list_scenario_rows)
        again = [
            ScenarioJob(row.scenario, partial(self._build_flow_from_row, store, row), row.brief)
            for row in rows
            if row.state is ScenarioState.FAILED and row.scenario in failed
        ]
        tried = await driver.run_scenarios(again, pipelines=self.parallel_pipelines)
        waiting = await driver.run_unclaimed_scenarios(
            partial(self._build_flow_from_row, store), pipelines=self.parallel_pipelines
        )
        return (*tried, *waiting)

    async def _close_performer_after(self, work: Awaitable[T]) -> T:
        """Await some work, then close what the performer opened for it."""
        try:
            return await work
        finally:
            close = getattr(self._performer, "close", None)
            if close is not None:
                await close()

    def open_ledger(self) -> LedgerStore:
        """Open the ledger of this output folder."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return LedgerStore(self._folder / LEDGER)

    def _build_driver(self, store: LedgerStore, made: dict[str, GenerationResult]) -> Driver[CreationOutcome]:
        return Driver(
            store,
            self._performer,
            self._clock,
            owner=make_runner_name(),
            code_version=version("impossible-moments"),
            closing=partial(self._close_scenario, store, made),
        )

    def _build_jobs(
        self, store: LedgerStore, briefs: Iterable[GenerationBrief]
    ) -> list[ScenarioJob[CreationOutcome]]:
        taken = {row.scenario for row in store.read_and_wait(leases.list_scenario_rows)}
        jobs = []
        for brief in briefs:
            name = brief.scenario_id or self.registry.choose_next_id(reserved=taken)
            taken.add(name)
            numbered = brief.model_copy(update={"scenario_id": name})
            jobs.append(
                ScenarioJob(name, partial(self._build_flow, store, numbered), numbered.model_dump_json())
            )
        return jobs

    def _build_flow_from_row(self, store: LedgerStore, row: ScenarioRow) -> Flow[CreationOutcome]:
        return self._build_flow(store, GenerationBrief.model_validate_json(row.brief))

    def _build_flow(self, store: LedgerStore, brief: GenerationBrief) -> Flow[CreationOutcome]:
        known = self._neighbours.collect_published_before(store, brief.scenario_id)
        rules = build_scenario_rules(
            self.configuration,
            self._library,
            self._embedder or load_wordllama_embedder(),
            registry=tuple(known.values()),
            taken=frozenset(known),
            reader=getattr(self._performer, "reader", None),
        )
        return create_scenario(brief, rules)

    def _close_scenario(
        self, store: LedgerStore, made: dict[str, GenerationResult], finished: CreationOutcome
    ) -> ScenarioClosing:
        """Publish the scenario or enrol its halves, before the ledger records it as finished.

        So neither is lost if the process is killed.
        """
        state = ScenarioState.ACCEPTED if finished.is_accepted else ScenarioState.DISCARDED
        scenario = finished.dossier.brief.scenario_id
        made[scenario] = self._build_generation_result(store, RunOutcome(scenario, state, finished), made)
        phase = str(finished.discarded_in or "")
        return ScenarioClosing(state, phase=phase, reason=finished.reason)

    def _build_generation_result(
        self, store: LedgerStore, outcome: RunOutcome[CreationOutcome], made: dict[str, GenerationResult]
    ) -> GenerationResult:
        finished = outcome.result
        if finished is not None and outcome.scenario in made:
            return made[outcome.scenario]
        if finished is None:
            waits = (
                f"awaits a human: {', '.join(outcome.awaited)}"
                if outcome.awaited
                else str(outcome.error or "")
            )
            return GenerationResult(outcome.scenario, outcome.state, reason=waits, error=outcome.error)
        if finished.documents is None:
            halves = self._enrol_halves(store, finished)
            return GenerationResult(
                outcome.scenario, outcome.state, reason=finished.reason, split_into=halves
            )
        documents = self._build_stamped_documents(store, outcome.scenario, finished)
        self.registry.publish(documents)
        return GenerationResult(outcome.scenario, outcome.state, documents)

    def _enrol_halves(self, store: LedgerStore, finished: CreationOutcome) -> tuple[str, ...]:
        """Enrol the two halves of a split scenario under new identifiers, the same at every call."""

        def enrol_in_transaction(transaction: LedgerTransaction) -> tuple[str, ...]:
            names = {
                _parse_brief_without_id(row.brief): row.scenario
                for row in leases.list_scenario_rows(transaction)
                if row.brief
            }
            for brief in finished.split_into:
                if brief not in names:
                    name = self.registry.choose_next_id(reserved=names.values())
                    numbered = brief.model_copy(update={"scenario_id": name}).model_dump_json()
                    leases.enrol_scenario(
                        transaction, name, brief=numbered, priority=0, now=self._clock.now()
                    )
                    names[brief] = name
            return tuple(names[brief] for brief in finished.split_into)

        return store.commit_and_wait(enrol_in_transaction) if finished.split_into else ()

    def _build_stamped_documents(
        self, store: LedgerStore, scenario: str, finished: CreationOutcome
    ) -> ScenarioDocuments:
        """Build the documents with the times, models and usage from the ledger."""
        answers = tuple(store.read_and_wait(partial(list_answers, scenario=scenario)).values())
        return build_documents(
            finished.dossier,
            self._library,
            prompts=self.configuration.prompts,
            versions=self._collect_agent_versions(answers),
            stamps=_compute_stamps(answers),
            draft=finished.documents,
        )

    def _collect_agent_versions(self, answers: Sequence[AnsweredAsk]) -> dict[str, AgentVersion]:
        found = {}
        for name, prompt in self.configuration.prompts.items():
            own = [answer for answer in answers if answer.key.split("/")[1] == name]
            found[name] = AgentVersion(
                model=", ".join(sorted({answer.model for answer in own if answer.model})),
                prompt=compute_prompt_hash(prompt),
                tokens=sum(int(answer.usage.get("tokens", 0)) for answer in own) or None,
                peak_context=max(
                    (each for each in map(_get_context_usage, own) if each is not None), default=None
                ),
                look_ups=tuple(
                    ToolCallRecord(phase=answer.key.partition("/")[0], **each)
                    for answer in own
                    for each in answer.usage.get("look_ups", ())
                ),
            )
        return found


def _get_context_usage(answer: AnsweredAsk) -> float | None:
    share = answer.usage.get("context_window_usage")
    return None if share is None else float(share)


def _parse_brief_without_id(brief: str) -> GenerationBrief:
    return GenerationBrief.model_validate_json(brief).model_copy(update={"scenario_id": ""})


def _compute_stamps(answers: Sequence[AnsweredAsk]) -> ClockReadings:
    if not answers:
        return ClockReadings()
    first, last = min(answer.started_at for answer in answers), max(answer.answered_at for answer in answers)
    created = datetime.fromtimestamp(last, tz=UTC).isoformat(timespec="seconds")
    return ClockReadings(created=created, pipeline_minutes=round((last - first) / 60, 2))
