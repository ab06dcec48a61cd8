"""The published scenarios with which a new scenario is compared.

Only scenarios finished when it was begun count. Otherwise a replay would ask other questions.
"""

from __future__ import annotations

from functools import partial

from impossible_moments.agents.orchestrator.gate_checks.seed import essence
from impossible_moments.audit.essence import essence_of
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.ledger import leases
from impossible_moments.ledger.leases import State
from impossible_moments.ledger.ledger import answers_of
from impossible_moments.ledger.store import Store
from impossible_moments.scenarios.registry import Registry
from impossible_moments.scenarios.similarity import Essence


class Neighbours:
    """The essences of the scenarios published in a folder. Agents never see them."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._essences: dict[str, Essence] = {}

    def before(self, store: Store, scenario: str) -> dict[str, Essence]:
        """Return the essences of the scenarios published when a scenario was begun, by identifier."""
        rows = {row.scenario: row for row in store.read_now(leases.scenarios)}
        begun = rows[scenario].enrolled_at
        later = {
            name
            for name, row in rows.items()
            if name == scenario or row.state is not State.ACCEPTED or row.changed_at > begun
        }
        return {
            name: self._essence(store, name)
            for name in sorted(self._registry.entries)
            if name not in later and self._registry.public(name).is_file()
        }

    def _essence(self, store: Store, name: str) -> Essence:
        """Return a scenario's essence.

        It is taken from the seed document in the ledger, because seeds are compared with seeds, or else from
        the public document.
        """
        if name not in self._essences:
            answers = store.read_now(partial(answers_of, scenario=name)).values()
            seeds = [each.reply for each in answers if each.returns == SeedDocument.__name__]
            self._essences[name] = (
                essence(SeedDocument.model_validate_json(seeds[-1]), name)
                if seeds
                else essence_of(name, self._registry.public(name).read_text(encoding="utf-8"))
            )
        return self._essences[name]
