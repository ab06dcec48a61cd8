"""What a scenario is compared with: the published ones that were finished when it was begun.

At a replay it must not meet those that came later, or it would be asked other questions.
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
    """The published scenarios of a folder and what each is about, which does not change; agents never see them."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._essences: dict[str, Essence] = {}

    def before(self, store: Store, scenario: str) -> dict[str, Essence]:
        """What was published when a scenario of the ledger was begun, by number."""
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
        """From the seed document where the ledger has it, for that is what seeds are compared with; else as published."""
        if name not in self._essences:
            answers = store.read_now(partial(answers_of, scenario=name)).values()
            seeds = [each.reply for each in answers if each.returns == SeedDocument.__name__]
            self._essences[name] = (
                essence(SeedDocument.model_validate_json(seeds[-1]), name)
                if seeds
                else essence_of(name, self._registry.public(name).read_text(encoding="utf-8"))
            )
        return self._essences[name]
