"""The published scenarios with which a new scenario is compared, in the order of their publication.

While it is designed, only scenarios published before it was begun count. Otherwise a replay would ask other questions.
What other runs have published since then is compared when the scenario is published (`duplicate_gate`). The ledger
numbers publications and keeps what is compared, so neither a clock nor a deleted document changes a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from impossible_moments.agents.orchestrator import extract_seed_essence
from impossible_moments.audit.documents import extract_essence
from impossible_moments.domain.brief import GenerationBrief, parse_stored_brief
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.ledger import (
    LedgerStore,
    LedgerTransaction,
    ScenarioRow,
    ScenarioState,
    leases,
    list_answers,
    publications,
)
from impossible_moments.pipeline.publishing.publication_essences import format_essence, parse_essence
from impossible_moments.scenarios import ScenarioRegistry, parse_scenario_number
from impossible_moments.scenarios.similarity import ComparedScenario


@dataclass(frozen=True)
class PublicationOrder:
    """The numbers of publications, and the last one that each scenario knew when it was begun."""

    numbers: Mapping[str, int]
    beginnings: Mapping[str, int]
    unnumbered: tuple[str, ...] = ()
    """Scenarios of the registry that the ledger has not numbered yet. `numbers` says which number they get."""
    is_recorded: bool = True
    """Whether the ledger holds all beginnings."""

    def list_published_before(self, scenario: str) -> frozenset[str]:
        """Return the scenarios that were published when a scenario was begun."""
        begun = self.beginnings[scenario]
        return frozenset(
            name for name, number in self.numbers.items() if number <= begun and name != scenario
        )


class EarlierScenarios:
    """The essences of the scenarios published in a folder. Agents never see them."""

    def __init__(self, registry: ScenarioRegistry) -> None:
        self._registry = registry
        self._essences: dict[str, ComparedScenario] = {}
        self._briefs: dict[str, GenerationBrief | None] = {}
        self._last_number = 0

    def enter_registered(self, store: LedgerStore) -> None:
        """Enter the scenarios of the registry that the ledger does not know: those of earlier versions or other tools."""
        stamp = self._registry.get_stamp()
        if stamp and store.read_and_wait(publications.get_known_registry) == stamp:
            return
        order = self._order_publications(store)
        found = [
            publications.Publication(
                name, "", format_essence(self._get_essence(store, name)), self._format_metadata(name)
            )
            for name in order.unnumbered
        ]

        documents = {
            name: self._registry.read_documents(name) for name in order.unnumbered if store.is_shared
        }

        def enter_publications(transaction: LedgerTransaction) -> None:
            leases.lock_numbering(transaction)
            for each in found:
                publications.record_publication(transaction, each)
                if (texts := documents.get(each.scenario)) is not None:
                    publications.record_documents(transaction, each.scenario, texts.list_files_by_path())
            publications.set_beginnings(transaction, order.beginnings.items())
            publications.set_known_registry(transaction, stamp)

        store.commit_and_wait(enter_publications)

    def merge_registry_journal(self, store: LedgerStore, *, at_least: float) -> None:
        """Merge the journal of the registry, and record that the ledger still knows all of it."""
        merged = self._registry.merge_journal(at_least=at_least)
        if merged is None:
            return
        before, after = merged

        def follow_registry(transaction: LedgerTransaction) -> None:
            if publications.get_known_registry(transaction) == before:
                publications.set_known_registry(transaction, after)

        store.commit_and_wait(follow_registry)

    def collect_published_before(self, store: LedgerStore, scenario: str) -> dict[str, ComparedScenario]:
        """Return the essences of the scenarios published when a scenario was begun, by identifier.

        Relatives are left out: they are meant to be similar.
        """
        names = self._order_publications(store).list_published_before(scenario)
        self._read_essences(store)
        found = (
            self._get_essence(store, name) for name in sorted(names - self.list_relatives(store, scenario))
        )
        return {each.name: each for each in found if each.narrative}

    def list_relatives(self, store: LedgerStore, scenario: str) -> frozenset[str]:
        """Return the sibling of a twin, the family of a variant, the other half of a split scenario, or the same place.

        Composed scenarios of one place are alike in words. publications.Publication compares their solutions instead.
        """
        briefs = self._collect_briefs(store)
        brief = briefs.get(scenario)
        if brief is None:
            return frozenset()
        entries = self._registry.entries
        if brief.composed is not None:
            place = brief.composed.place
            return frozenset(
                {
                    *(name for name, each in entries.items() if each.place == place),
                    *(
                        name
                        for name, each in briefs.items()
                        if each.composed and each.composed.place == place
                    ),
                }
            )
        if brief.twin is not None:
            return frozenset({brief.twin.of})
        if brief.variant is not None:
            parent = brief.variant.of
            registered = (name for name, each in entries.items() if each.parent == parent)
            enrolled = (name for name, each in briefs.items() if each.variant and each.variant.of == parent)
            return frozenset({parent, *registered, *enrolled})
        if brief.reading is None:
            return frozenset()
        # the other half of the same split
        origin = brief.reading.of
        return frozenset(name for name, each in briefs.items() if each.reading and each.reading.of == origin)

    def _collect_briefs(self, store: LedgerStore) -> dict[str, GenerationBrief]:
        for row in store.read_and_wait(leases.list_scenario_rows):
            if row.scenario not in self._briefs:
                self._briefs[row.scenario] = parse_stored_brief(row.brief)
        return {name: brief for name, brief in self._briefs.items() if brief is not None}

    def _order_publications(self, store: LedgerStore) -> PublicationOrder:
        rows = store.read_and_wait(leases.list_scenario_rows)
        numbers = store.read_and_wait(publications.list_publication_numbers)
        return order_publications(rows, numbers, self._registry.entries.keys())

    def _read_essences(self, store: LedgerStore) -> None:
        """Read the essences of the publications that were entered since the last time."""
        for each in store.read_and_wait(partial(publications.list_publications, after=self._last_number)):
            self._essences[each.scenario] = parse_essence(each)
            self._last_number = each.number

    def _get_essence(self, store: LedgerStore, name: str) -> ComparedScenario:
        """Return a scenario's essence.

        It is taken from the seed document in the ledger, because seeds are compared with seeds, or else from
        the public document. It is empty if there is neither.
        """
        if name not in self._essences:
            answers = store.read_and_wait(partial(list_answers, scenario=name)).values()
            seeds = [each.reply for each in answers if each.returns == SeedDocument.__name__]
            self._essences[name] = (
                extract_seed_essence(SeedDocument.model_validate_json(seeds[-1]), name)
                if seeds
                else extract_essence(name, self._read_public_document(name))
            )
        return self._essences[name]

    def _read_public_document(self, name: str) -> str:
        path = self._registry.get_public_path(name)
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""

    def _format_metadata(self, name: str) -> bytes:
        return self._registry.entries[name].model_dump_json().encode()


def order_publications(
    rows: Iterable[ScenarioRow], numbers: Mapping[str, int], registered: Iterable[str]
) -> PublicationOrder:
    """Return the order of publications, with those that the ledger has not numbered yet at its end.

    These are scenarios of other tools, and those of ledgers of format 1, whose rows tell their times.
    """
    by_name = {row.scenario: row for row in rows}
    is_recorded = all(row.begun_after >= 0 for row in by_name.values())

    def get_time(name: str) -> float:
        return by_name[name].changed_at if name in by_name else 0.0

    unnumbered = sorted(
        (
            name
            for name in registered
            if name not in numbers and (name not in by_name or by_name[name].state is ScenarioState.ACCEPTED)
        ),
        key=lambda name: (get_time(name), parse_scenario_number(name)),
    )
    last = max(numbers.values(), default=0)
    known = {**numbers, **{name: last + place for place, name in enumerate(unnumbered, start=1)}}

    def find_beginning(row: ScenarioRow) -> int:
        if row.begun_after >= 0:
            return row.begun_after
        earlier = (number for name, number in known.items() if get_time(name) <= row.enrolled_at)
        return max(earlier, default=0)

    beginnings = {name: find_beginning(row) for name, row in by_name.items()}
    return PublicationOrder(known, beginnings, tuple(unnumbered), is_recorded)
