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

from impossible_moments.agents.configuration import Configuration, configuration
from impossible_moments.agents.extensions import load_extensions
from impossible_moments.agents.orchestrator.document_builder import build
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.orchestrator import Finished, create_scenario
from impossible_moments.agents.orchestrator.rules import rules_for
from impossible_moments.casting.choosing import Means, cast_of, chosen
from impossible_moments.casting.performers import Builtin, ByRole
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.knowledge.everyday import everyday
from impossible_moments.ledger import leases
from impossible_moments.ledger.leases import Closing, Scenario, State
from impossible_moments.ledger.ledger import Answer, answers_of
from impossible_moments.ledger.store import Store, Transaction
from impossible_moments.mechanics.library import Library
from impossible_moments.runtime.clock import Clock, SystemClock, runner
from impossible_moments.runtime.driver import Driver, Job, Outcome
from impossible_moments.runtime.neighbours import Neighbours
from impossible_moments.runtime.rounds import Performer
from impossible_moments.scenarios.documents import Documents
from impossible_moments.scenarios.embedding import Embedder, wordllama_embedder
from impossible_moments.scenarios.metadata import AgentVersion, LookUp, Metadata, Stamps, prompt_hash
from impossible_moments.scenarios.registry import Registry

LEDGER: Final = "ledger.sqlite"
T = TypeVar("T")


@dataclass(frozen=True)
class Result:
    """The result of generating a scenario from a brief."""

    scenario_id: str
    state: State
    documents: Documents | None = None
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
    def metadata(self) -> Metadata | None:
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
        means: Means | None = None,
    ) -> None:
        self.configuration: Configuration = configuration(config_path).joined_by(tuple(further_agents))
        load_extensions(self.configuration.roster)
        self.parallel_pipelines = parallel_pipelines
        self.registry = Registry(output)
        self._folder = Path(output)
        self._library = library or everyday()
        # The key is kept in memory for the performer, and is never written.
        self._performer = performer or cast_of(
            chosen(model_provider, self.configuration),
            self.configuration,
            self._library,
            means or Means(api_key=api_key),
        )
        self._embedder = embedder
        self._clock: Clock = clock or SystemClock()
        self._neighbours = Neighbours(self.registry)

    def generate(self, brief: GenerationBrief) -> Result:
        """Create one scenario, or continue it."""
        return self.generate_all([brief])[0]

    def generate_all(self, briefs: Sequence[GenerationBrief]) -> tuple[Result, ...]:
        """Create scenarios, several at the same time. A failure does not affect the others."""
        if isinstance(self._performer, Builtin | ByRole):
            for brief in briefs:
                self._performer.admit(brief)
        with self.store() as store:
            jobs, made = self._jobs(store, briefs), dict[str, Result]()
            driver = self._driver(store, made)
            outcomes = asyncio.run(
                self._closed_after(driver.run_all(jobs, pipelines=self.parallel_pipelines))
            )
            return tuple(self._result(store, outcome, made) for outcome in outcomes)

    def resume(self, *, failed: Collection[str] = ()) -> tuple[Result, ...]:
        """Continue all unfinished scenarios of the ledger that have no runner.

        Of the failed scenarios, those named in `failed` are tried again.
        """
        with self.store() as store:
            made: dict[str, Result] = {}
            driver = self._driver(store, made)
            outcomes = asyncio.run(self._closed_after(self._gone_on(store, driver, failed)))
            return tuple(self._result(store, outcome, made) for outcome in outcomes)

    async def _gone_on(
        self, store: Store, driver: Driver[Finished], failed: Collection[str]
    ) -> tuple[Outcome[Finished], ...]:
        rows = await store.read(leases.scenarios)
        again = [
            Job(row.scenario, partial(self._flow_of, store, row), row.brief)
            for row in rows
            if row.state is State.FAILED and row.scenario in failed
        ]
        tried = await driver.run_all(again, pipelines=self.parallel_pipelines)
        waiting = await driver.work(partial(self._flow_of, store), pipelines=self.parallel_pipelines)
        return (*tried, *waiting)

    async def _closed_after(self, work: Awaitable[T]) -> T:
        """Await some work, then close what the performer opened for it."""
        try:
            return await work
        finally:
            close = getattr(self._performer, "close", None)
            if close is not None:
                await close()

    def store(self) -> Store:
        """Open the ledger of this output folder."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return Store(self._folder / LEDGER)

    def _driver(self, store: Store, made: dict[str, Result]) -> Driver[Finished]:
        return Driver(
            store,
            self._performer,
            self._clock,
            owner=runner(),
            code_version=version("impossible-moments"),
            closing=partial(self._closing, store, made),
        )

    def _jobs(self, store: Store, briefs: Iterable[GenerationBrief]) -> list[Job[Finished]]:
        taken = {row.scenario for row in store.read_now(leases.scenarios)}
        jobs = []
        for brief in briefs:
            name = brief.scenario_id or self.registry.next_id(reserved=taken)
            taken.add(name)
            numbered = brief.model_copy(update={"scenario_id": name})
            jobs.append(Job(name, partial(self._flow, store, numbered), numbered.model_dump_json()))
        return jobs

    def _flow_of(self, store: Store, row: Scenario) -> Flow[Finished]:
        return self._flow(store, GenerationBrief.model_validate_json(row.brief))

    def _flow(self, store: Store, brief: GenerationBrief) -> Flow[Finished]:
        known = self._neighbours.before(store, brief.scenario_id)
        rules = rules_for(
            self.configuration,
            self._library,
            self._embedder or wordllama_embedder(),
            registry=tuple(known.values()),
            taken=frozenset(known),
            reader=getattr(self._performer, "reader", None),
        )
        return create_scenario(brief, rules)

    def _closing(self, store: Store, made: dict[str, Result], finished: Finished) -> Closing:
        """Publish the scenario or enrol its halves, before the ledger records it as finished.

        So neither is lost if the process is killed.
        """
        state = State.ACCEPTED if finished.is_accepted else State.DISCARDED
        scenario = finished.dossier.brief.scenario_id
        made[scenario] = self._result(store, Outcome(scenario, state, finished), made)
        phase = str(finished.discarded_in or "")
        return Closing(state, phase=phase, reason=finished.reason)

    def _result(self, store: Store, outcome: Outcome[Finished], made: dict[str, Result]) -> Result:
        finished = outcome.result
        if finished is not None and outcome.scenario in made:
            return made[outcome.scenario]
        if finished is None:
            waits = (
                f"awaits a human: {', '.join(outcome.awaited)}"
                if outcome.awaited
                else str(outcome.error or "")
            )
            return Result(outcome.scenario, outcome.state, reason=waits, error=outcome.error)
        if finished.documents is None:
            halves = self._enrolled(store, finished)
            return Result(outcome.scenario, outcome.state, reason=finished.reason, split_into=halves)
        documents = self._stamped(store, outcome.scenario, finished)
        self.registry.publish(documents)
        return Result(outcome.scenario, outcome.state, documents)

    def _enrolled(self, store: Store, finished: Finished) -> tuple[str, ...]:
        """Enrol the two halves of a split scenario under new identifiers, the same at every call."""

        def enrolled(transaction: Transaction) -> tuple[str, ...]:
            names = {
                _unnumbered(row.brief): row.scenario for row in leases.scenarios(transaction) if row.brief
            }
            for brief in finished.split_into:
                if brief not in names:
                    name = self.registry.next_id(reserved=names.values())
                    numbered = brief.model_copy(update={"scenario_id": name}).model_dump_json()
                    leases.enrol(transaction, name, brief=numbered, priority=0, now=self._clock.now())
                    names[brief] = name
            return tuple(names[brief] for brief in finished.split_into)

        return store.now(enrolled) if finished.split_into else ()

    def _stamped(self, store: Store, scenario: str, finished: Finished) -> Documents:
        """Build the documents with the times, models and usage from the ledger."""
        answers = tuple(store.read_now(partial(answers_of, scenario=scenario)).values())
        return build(
            finished.dossier,
            self._library,
            prompts=self.configuration.prompts,
            versions=self._versions(answers),
            stamps=_stamps(answers),
            draft=finished.documents,
        )

    def _versions(self, answers: Sequence[Answer]) -> dict[str, AgentVersion]:
        found = {}
        for name, prompt in self.configuration.prompts.items():
            own = [answer for answer in answers if answer.key.split("/")[1] == name]
            found[name] = AgentVersion(
                model=", ".join(sorted({answer.model for answer in own if answer.model})),
                prompt=prompt_hash(prompt),
                tokens=sum(int(answer.usage.get("tokens", 0)) for answer in own) or None,
                peak_context=max((each for each in map(_peak, own) if each is not None), default=None),
                look_ups=tuple(
                    LookUp(phase=answer.key.partition("/")[0], **each)
                    for answer in own
                    for each in answer.usage.get("look_ups", ())
                ),
            )
        return found


def _peak(answer: Answer) -> float | None:
    share = answer.usage.get("context_window_usage")
    return None if share is None else float(share)


def _unnumbered(brief: str) -> GenerationBrief:
    return GenerationBrief.model_validate_json(brief).model_copy(update={"scenario_id": ""})


def _stamps(answers: Sequence[Answer]) -> Stamps:
    if not answers:
        return Stamps()
    first, last = min(answer.started_at for answer in answers), max(answer.answered_at for answer in answers)
    created = datetime.fromtimestamp(last, tz=UTC).isoformat(timespec="seconds")
    return Stamps(created=created, pipeline_minutes=round((last - first) / 60, 2))
