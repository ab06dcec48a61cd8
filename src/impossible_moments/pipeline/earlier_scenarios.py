"""The published scenarios with which a new scenario is compared.

While it is designed, only scenarios finished when it was begun count. Otherwise a replay would ask other
questions. What other runs have published since then is compared when the scenario is published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from impossible_moments.agents.orchestrator import extract_seed_essence
from impossible_moments.audit.documents import extract_essence
from impossible_moments.domain.brief import parse_stored_brief
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.ledger import LedgerStore, ScenarioState, leases, list_answers
from impossible_moments.scenarios import ComparedScenario, ScenarioMetadata, ScenarioRegistry


class EarlierScenarios:
    """The essences of the scenarios published in a folder. Agents never see them."""

    def __init__(self, registry: ScenarioRegistry) -> None:
        self._registry = registry
        self._essences: dict[str, ComparedScenario] = {}

    def collect_published_before(self, store: LedgerStore, scenario: str) -> dict[str, ComparedScenario]:
        """Return the essences of the scenarios published when a scenario was begun, by identifier.

        Relatives are left out: they are meant to be similar.
        """
        entries = self._registry.entries
        later = self._list_published_later(store, scenario)
        related = self._list_relatives(store, scenario, entries)
        return self._collect_essences(store, entries.keys() - later - related)

    def collect_published_since(self, store: LedgerStore, scenario: str) -> dict[str, ComparedScenario]:
        """Return the essences of the scenarios published after a scenario was begun, without its relatives."""
        entries = self._registry.entries
        later = self._list_published_later(store, scenario) & entries.keys()
        return self._collect_essences(
            store, later - {scenario} - self._list_relatives(store, scenario, entries)
        )

    def _list_published_later(self, store: LedgerStore, scenario: str) -> frozenset[str]:
        """Return the scenarios that were not yet published when a scenario was begun, itself included."""
        rows = {row.scenario: row for row in store.read_and_wait(leases.list_scenario_rows)}
        begun = rows[scenario].enrolled_at
        return frozenset(
            name
            for name, row in rows.items()
            if name == scenario or row.state is not ScenarioState.ACCEPTED or row.changed_at > begun
        )

    def _list_relatives(
        self, store: LedgerStore, scenario: str, entries: Mapping[str, ScenarioMetadata]
    ) -> frozenset[str]:
        """Return the sibling of a twin, the family of a variant, the other half of a split scenario, or the same place.

        Composed scenarios of one place are alike in words. Publication compares their solutions instead.
        """
        briefs = {
            row.scenario: brief
            for row in store.read_and_wait(leases.list_scenario_rows)
            if (brief := parse_stored_brief(row.brief)) is not None
        }
        brief = briefs.get(scenario)
        if brief is None:
            return frozenset()
        if brief.composed is not None:
            place = brief.composed.place
            return frozenset(name for name, each in entries.items() if each.place == place)
        if brief.twin is not None:
            return frozenset({brief.twin.of})
        if brief.variant is not None:
            parent = brief.variant.of
            return frozenset({parent, *(name for name, each in entries.items() if each.parent == parent)})
        if brief.reading is None:
            return frozenset()
        # the other half of the same split
        origin = brief.reading.of
        return frozenset(
            name for name, each in briefs.items() if each.reading is not None and each.reading.of == origin
        )

    def _collect_essences(self, store: LedgerStore, names: Iterable[str]) -> dict[str, ComparedScenario]:
        return {
            name: self._get_essence(store, name)
            for name in sorted(names)
            if self._registry.get_public_path(name).is_file()
        }

    def _get_essence(self, store: LedgerStore, name: str) -> ComparedScenario:
        """Return a scenario's essence.

        It is taken from the seed document in the ledger, because seeds are compared with seeds, or else from
        the public document.
        """
        if name not in self._essences:
            answers = store.read_and_wait(partial(list_answers, scenario=name)).values()
            seeds = [each.reply for each in answers if each.returns == SeedDocument.__name__]
            self._essences[name] = (
                extract_seed_essence(SeedDocument.model_validate_json(seeds[-1]), name)
                if seeds
                else extract_essence(name, self._registry.get_public_path(name).read_text(encoding="utf-8"))
            )
        return self._essences[name]
