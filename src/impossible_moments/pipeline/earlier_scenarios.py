"""The published scenarios with which a new scenario is compared.

Only scenarios finished when it was begun count. Otherwise a replay would ask other questions.
"""

from __future__ import annotations

from functools import partial

from impossible_moments.agents.orchestrator import extract_seed_essence
from impossible_moments.audit.documents import extract_essence
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.ledger import LedgerStore, ScenarioState, leases, list_answers
from impossible_moments.scenarios import ComparedScenario, ScenarioRegistry


class EarlierScenarios:
    """The essences of the scenarios published in a folder. Agents never see them."""

    def __init__(self, registry: ScenarioRegistry) -> None:
        self._registry = registry
        self._essences: dict[str, ComparedScenario] = {}

    def collect_published_before(self, store: LedgerStore, scenario: str) -> dict[str, ComparedScenario]:
        """Return the essences of the scenarios published when a scenario was begun, by identifier."""
        rows = {row.scenario: row for row in store.read_and_wait(leases.list_scenario_rows)}
        begun = rows[scenario].enrolled_at
        later = {
            name
            for name, row in rows.items()
            if name == scenario or row.state is not ScenarioState.ACCEPTED or row.changed_at > begun
        }
        return {
            name: self._get_essence(store, name)
            for name in sorted(self._registry.entries)
            if name not in later and self._registry.get_public_path(name).is_file()
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
