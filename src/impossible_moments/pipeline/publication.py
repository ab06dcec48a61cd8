"""Publication: what came of a flow is published, before the ledger records its scenario as finished."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from impossible_moments.agents.orchestrator import Configuration, build_documents
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import HUMAN
from impossible_moments.ledger import (
    AnsweredAsk,
    LedgerStore,
    LedgerTransaction,
    ScenarioClosing,
    ScenarioState,
    leases,
    list_answers,
)
from impossible_moments.mechanics.records import Library
from impossible_moments.pipeline.clock import Clock
from impossible_moments.scenarios import (
    AgentVersion,
    ClockReadings,
    ScenarioDocuments,
    ScenarioMetadata,
    ScenarioRegistry,
    ToolCallRecord,
    build_agent_version,
    compute_prompt_hash,
)


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


@dataclass(frozen=True)
class ScenarioPublisher:
    """Publishes the results of flows. Publishing a result again changes nothing."""

    store: LedgerStore
    registry: ScenarioRegistry
    configuration: Configuration
    library: Library
    clock: Clock

    def publish(self, finished: CreationOutcome) -> GenerationResult:
        """Write the documents of an accepted scenario, or enrol the halves of a split one."""
        scenario = finished.dossier.brief.scenario_id
        if finished.documents is None:
            return GenerationResult(
                scenario,
                ScenarioState.DISCARDED,
                reason=finished.reason,
                split_into=self._enrol_halves(finished),
            )
        documents = self._build_stamped_documents(scenario, finished)
        self.registry.publish(documents)
        return GenerationResult(scenario, ScenarioState.ACCEPTED, documents)

    def _enrol_halves(self, finished: CreationOutcome) -> tuple[str, ...]:
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
                    leases.enrol_scenario(transaction, name, brief=numbered, priority=0, now=self.clock.now())
                    names[brief] = name
            return tuple(names[brief] for brief in finished.split_into)

        return self.store.commit_and_wait(enrol_in_transaction) if finished.split_into else ()

    def _build_stamped_documents(self, scenario: str, finished: CreationOutcome) -> ScenarioDocuments:
        """Build the documents with the times, models and usage from the ledger."""
        answers = tuple(self.store.read_and_wait(partial(list_answers, scenario=scenario)).values())
        return build_documents(
            finished.dossier,
            self.library,
            prompts=self.configuration.prompts,
            versions=self._collect_agent_versions(answers),
            stamps=_compute_clock_readings(answers),
            draft=finished.documents,
        )

    def _collect_agent_versions(self, answers: Sequence[AnsweredAsk]) -> dict[str, AgentVersion]:
        found = {}
        for name, prompt in self.configuration.prompts.items():
            own = [answer for answer in answers if answer.key.split("/")[1] == name]
            found[name] = build_agent_version(
                model=", ".join(sorted({answer.model for answer in own if answer.model})),
                prompt=compute_prompt_hash(prompt),
                usages=[answer.usage for answer in own],
                look_ups=tuple(
                    ToolCallRecord(phase=answer.key.partition("/")[0], **each)
                    for answer in own
                    for each in answer.usage.get("look_ups", ())
                ),
            )
        return found


def build_scenario_closing(finished: CreationOutcome) -> ScenarioClosing:
    """Return what the ledger records about the end of a scenario."""
    state = ScenarioState.ACCEPTED if finished.is_accepted else ScenarioState.DISCARDED
    return ScenarioClosing(state, phase=str(finished.discarded_in or ""), reason=finished.reason)


def _parse_brief_without_id(brief: str) -> GenerationBrief:
    return GenerationBrief.model_validate_json(brief).model_copy(update={"scenario_id": ""})


def _compute_clock_readings(answers: Sequence[AnsweredAsk]) -> ClockReadings:
    if not answers:
        return ClockReadings()
    first, last = min(answer.started_at for answer in answers), max(answer.answered_at for answer in answers)
    created = datetime.fromtimestamp(last, tz=UTC).isoformat(timespec="seconds")
    by_agents = (answer for answer in answers if answer.key.split("/")[1] != HUMAN)
    return ClockReadings(
        created=created,
        pipeline_minutes=round((last - first) / 60, 2),
        compute_seconds=round(sum(answer.answered_at - answer.started_at for answer in by_agents), 3),
        missing="",
    )
