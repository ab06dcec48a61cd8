"""The gate at publication: a scenario that repeats another one, published or about to be, is refused.

The comparison and the entry into the ledger are one transaction. So of two runs that made the same scenario at the
same time, exactly one passes, whatever clocks say and whichever process is interrupted afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from impossible_moments.agents.orchestrator import extract_seed_essence
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome
from impossible_moments.audit.documents import extract_essence
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.solution_signatures import hash_solution
from impossible_moments.ledger import LedgerStore, LedgerTransaction, leases, publications
from impossible_moments.pipeline.publishing.publication_essences import format_essence, parse_essence
from impossible_moments.pipeline.publishing.relatives import select_relatives
from impossible_moments.scenarios import ScenarioDocuments
from impossible_moments.scenarios.similarity import Embedder, find_nearest_by_text


@dataclass(frozen=True)
class DuplicateGate:
    """Lets a scenario pass that repeats no other one of its folder."""

    store: LedgerStore
    similarity: float
    """The cosine of two texts from which they count as the same."""
    load_embedder: Callable[[], Embedder]

    def enter(self, finished: CreationOutcome, documents: ScenarioDocuments) -> str | None:
        """Enter a scenario as published, or return why it repeats another one. To enter it again changes nothing."""
        publication = _build_publication(finished, documents)
        scenario = publication.scenario
        row = self.store.read_and_wait(partial(leases.get_scenario_row, scenario=scenario))
        begun = 0 if row is None else max(row.begun_after, 0)
        # Compared before the transaction, which then compares only what was entered meanwhile.
        seen = self.store.read_and_wait(partial(publications.list_publications, after=begun))
        names = [each.scenario for each in seen]
        relatives = self.store.read_and_wait(partial(select_relatives, scenario=scenario, among=names))
        nearest = self._find_similar_text(publication, seen, relatives)
        last = max((each.number for each in seen), default=begun)
        is_composed = finished.dossier.brief.composed is not None

        def compare_and_enter(transaction: LedgerTransaction) -> str | None:
            leases.lock_numbering(transaction)
            if publications.get_publication(transaction, scenario) is not None:
                return None
            same = publications.list_scenarios_with_signature(
                transaction, publication.signature, other_than=scenario
            )
            # Composed scenarios of one place are relatives by their words and compared by their solutions.
            newer = publications.list_publications(transaction, after=last)
            names = [*same, *(each.scenario for each in newer)]
            related = select_relatives(transaction, scenario, among=names)
            repeated = [name for name in same if is_composed or name not in related]
            objection = nearest or self._find_similar_text(publication, newer, related)
            if objection is None and repeated:
                objection = (
                    f"It has the same solution as {repeated[0]}, which was published from the same design."
                )
            if objection is None:
                publications.record_publication(transaction, publication)
                if self.store.is_shared:
                    publications.record_documents(transaction, scenario, documents.list_files_by_path())
            return objection

        return self.store.commit_and_wait(compare_and_enter)

    def _find_similar_text(
        self,
        publication: publications.Publication,
        others: Iterable[publications.Publication],
        relatives: frozenset[str],
    ) -> str | None:
        essences = [parse_essence(each) for each in others if each.scenario not in relatives]
        compared = [each for each in essences if each.narrative]
        if not compared:
            return None
        nearest = find_nearest_by_text(parse_essence(publication), compared, self.load_embedder())
        if nearest is None or nearest[1] < self.similarity:
            return None
        return (
            f"It is too near to {nearest[0]}, which was published while it was created (cosine {nearest[1]:.2f}, the "
            f"limit is {self.similarity:g})."
        )


def _build_publication(finished: CreationOutcome, documents: ScenarioDocuments) -> publications.Publication:
    scenario = documents.metadata.scenario_id
    seed = finished.dossier.find_latest_deliverable(SeedDocument)
    metadata = documents.metadata.model_dump_json().encode()
    if seed is None:
        return publications.Publication(
            scenario, "", format_essence(extract_essence(scenario, documents.public)), metadata
        )
    essence = format_essence(extract_seed_essence(seed, scenario))
    composed = finished.dossier.brief.composed
    design = _get_offer(seed) if composed is None else composed.place
    # Designs of models have no origin. The same calls in two of them are the same only in one category.
    within = design or seed.concept_summary.category
    return publications.Publication(scenario, hash_solution(seed.mechanics, within=within), essence, metadata)


def _get_offer(seed: SeedDocument) -> str:
    """Return the catalogue entry that a seed was drawn from, or an empty string."""
    try:
        found = json.loads(seed.drawn_as)
    except ValueError:
        return ""
    return str(found.get("offer", "")) if isinstance(found, dict) else ""
