"""Publication: what came of a flow is published, before the ledger records its scenario as finished."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from impossible_moments.agents.orchestrator import (
    Configuration,
    build_documents,
    judge_brief_fulfilment,
)
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome
from impossible_moments.domain.brief import GenerationBrief, parse_stored_brief
from impossible_moments.domain.vocabulary import HUMAN, Phase
from impossible_moments.ledger import (
    AnsweredAsk,
    LedgerStore,
    LedgerTransaction,
    NewScenario,
    ScenarioClosing,
    ScenarioRow,
    ScenarioState,
    leases,
    list_answers,
)
from impossible_moments.mechanics.records import Library
from impossible_moments.pipeline.clock import Clock
from impossible_moments.pipeline.publishing.duplicate_gate import DuplicateGate
from impossible_moments.pipeline.publishing.generation_results import GenerationResult
from impossible_moments.pipeline.publishing.published_copies import read_stored_documents
from impossible_moments.pipeline.variant_briefs import build_variant_briefs
from impossible_moments.scenarios import (
    AgentVersion,
    ClockReadings,
    ScenarioDocuments,
    ScenarioRegistry,
    ToolCallRecord,
    build_agent_version,
    compute_prompt_hash,
)
from impossible_moments.scenarios.similarity import Embedder

DARWIN: Final = "DARWIN"


@dataclass(frozen=True)
class ScenarioPublisher:
    """Publishes the results of flows. Publishing a result again changes nothing."""

    store: LedgerStore
    registry: ScenarioRegistry
    configuration: Configuration
    library: Library
    clock: Clock
    load_embedder: Callable[[], Embedder]

    def publish(self, finished: CreationOutcome) -> GenerationResult:
        """Write the documents of an accepted scenario, or enrol the halves of a split one.

        A scenario that is too near to one published since it was begun is discarded, and a new design for its
        brief is enrolled.
        """
        scenario = finished.dossier.brief.scenario_id
        if finished.documents is None:
            return GenerationResult(
                scenario,
                ScenarioState.DISCARDED,
                reason=finished.reason,
                split_into=tuple(
                    each.scenario_id for each in self._enrol_briefs(finished.split_into, finished)
                ),
            )
        documents = self._build_stamped_documents(scenario, finished)
        gate = DuplicateGate(self.store, self.configuration.gates.similarity, self.load_embedder)
        objection = gate.enter(finished, documents)
        if objection is not None:
            successor = self._enrol_successor(finished)
            return GenerationResult(scenario, ScenarioState.DISCARDED, reason=objection, successor=successor)
        self.registry.publish(documents, journals=True)
        return GenerationResult(scenario, ScenarioState.ACCEPTED, documents)

    def enrol_variants(self, finished: CreationOutcome) -> tuple[GenerationBrief, ...]:
        """Enrol the variants of a published scenario under new identifiers, the same at every call.

        There are none without DARWIN, and none of variants.
        """
        most = self.configuration.production.variants if DARWIN in self.configuration.roster else 0
        if not most or finished.documents is None or finished.dossier.brief.variant is not None:
            return ()
        known = self.list_enrolled_variants(finished.dossier.brief.scenario_id)
        return known or self._enrol_briefs(build_variant_briefs(finished.dossier, most=most), finished)

    def list_enrolled_variants(self, parent: str) -> tuple[GenerationBrief, ...]:
        """Return the briefs of the variants of a scenario that are in the ledger."""
        return tuple(each for each in self._list_briefs() if each.variant and each.variant.of == parent)

    def read_finished(self, row: ScenarioRow) -> GenerationResult | None:
        """Return the result of a finished scenario from the ledger and the folder, or None if it has to be replayed.

        It is replayed if its documents are gone, or if its variants have not been enrolled.
        """
        scenario, briefs = row.scenario, self._list_briefs()
        if row.state is ScenarioState.DISCARDED:
            successors = [each for each in briefs if each.replaces == scenario]
            return GenerationResult(
                scenario,
                row.state,
                reason=row.reason,
                split_into=tuple(
                    each.scenario_id for each in briefs if each.reading and each.reading.of == scenario
                ),
                successor=successors[0] if successors else None,
            )
        brief = parse_stored_brief(row.brief)
        wants_variants = self.configuration.production.variants and DARWIN in self.configuration.roster
        is_variant = brief is not None and brief.variant is not None
        if wants_variants and not is_variant and not self.list_enrolled_variants(scenario):
            return None
        documents = self.registry.read_documents(scenario) or read_stored_documents(self.store, scenario)
        return None if documents is None else GenerationResult(scenario, row.state, documents)

    def _list_briefs(self) -> list[GenerationBrief]:
        rows = self.store.read_and_wait(leases.list_scenario_rows)
        return [brief for row in rows if (brief := parse_stored_brief(row.brief)) is not None]

    def _enrol_successor(self, finished: CreationOutcome) -> GenerationBrief | None:
        """Enrol a new design for the brief of a discarded duplicate, unless it is itself such a new design.

        A twin or a variant has no other design.
        """
        brief = self._get_original_brief(finished)
        if brief.twin or brief.variant or brief.replaces or not self.configuration.limits.redesigns:
            return None
        wanted = brief.model_copy(update={"scenario_id": "", "replaces": brief.scenario_id})
        return self._enrol_briefs((wanted,), finished)[0]

    def _get_original_brief(self, finished: CreationOutcome) -> GenerationBrief:
        """Return the brief as it was given. A reclassification changes the brief of the dossier."""
        scenario = finished.dossier.brief.scenario_id
        row = self.store.read_and_wait(partial(leases.get_scenario_row, scenario=scenario))
        stored = None if row is None else parse_stored_brief(row.brief)
        return finished.dossier.brief if stored is None else stored

    def _enrol_briefs(
        self, briefs: Sequence[GenerationBrief], origin: CreationOutcome
    ) -> tuple[GenerationBrief, ...]:
        """Enrol briefs without identifiers, each under a new one, which is the same at every call.

        They are played by the cast of the scenario that they come from.
        """

        def enrol_in_transaction(transaction: LedgerTransaction) -> tuple[GenerationBrief, ...]:
            used = set(leases.lock_numbering(transaction))
            parent = leases.get_scenario_row(transaction, origin.dossier.brief.scenario_id)
            found = []
            for brief in briefs:
                runs = leases.list_runs_of_brief(transaction, brief.model_dump_json())
                name = runs[0].scenario if runs else self.registry.choose_free_id(reserved=used)
                numbered = brief.model_copy(update={"scenario_id": name})
                if not runs:
                    performers = "" if parent is None else parent.performers
                    new = NewScenario(numbered.model_dump_json(), self.clock.now(), performers=performers)
                    leases.enrol_scenario(transaction, name, new)
                    used.add(name)
                found.append(numbered)
            return tuple(found)

        return self.store.commit_and_wait(enrol_in_transaction) if briefs else ()

    def _build_stamped_documents(self, scenario: str, finished: CreationOutcome) -> ScenarioDocuments:
        """Build the documents with the times, models and usage from the ledger."""
        answers = tuple(self.store.read_and_wait(partial(list_answers, scenario=scenario)).values())
        documents = build_documents(
            finished.dossier,
            self.library,
            prompts=self.configuration.prompts,
            versions=self._collect_agent_versions(answers),
            stamps=_compute_clock_readings(answers),
            draft=finished.documents,
        )
        fulfilment = judge_brief_fulfilment(
            self._get_original_brief(finished), finished.dossier, documents.metadata
        )
        reasons = {name: text for name, text in documents.metadata.absent.items() if name != "brief"}
        if fulfilment is None:
            reasons["brief"] = (
                "the brief has neither constraints nor an inspiration, and nothing deviates from it"
            )
        return replace(
            documents,
            metadata=documents.metadata.model_copy(update={"brief": fulfilment, "absent": reasons}),
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


def build_scenario_closing(finished: CreationOutcome, result: GenerationResult) -> ScenarioClosing:
    """Return what the ledger records about the end of a scenario."""
    if finished.is_accepted and result.state is ScenarioState.DISCARDED:  # publication was refused
        return ScenarioClosing(result.state, phase=str(Phase.DOCUMENT), reason=result.reason)
    return ScenarioClosing(result.state, phase=str(finished.discarded_in or ""), reason=finished.reason)


def _get_context_usage(answer: AnsweredAsk) -> float | None:
    share = answer.usage.get("context_window_usage")
    return None if share is None else float(share)


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
