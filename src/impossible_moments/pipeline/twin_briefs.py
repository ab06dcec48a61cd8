"""The brief of a twin for a scenario that is published in a folder."""

from __future__ import annotations

from typing import Final

from impossible_moments.agents.builtin import BuiltinCast, PublishedSibling
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import LedgerLocation, LedgerStore, leases
from impossible_moments.mechanics.records import load_document
from impossible_moments.pipeline.ledger_places import has_ledger
from impossible_moments.scenarios import ScenarioMetadata, ScenarioRegistry

PAIRED: Final = frozenset({"KS", "DG", "PX"})
"""Statuses that have a contrary."""


def build_twin_brief_from_registry(
    scenario: str, folder: ScenarioRegistry, ledger: LedgerLocation, cast: BuiltinCast
) -> GenerationBrief:
    """Build the brief of a twin for the built-in designer.

    Raises `ConfigurationError` with the reason if the scenario cannot have a twin.
    """
    entry = folder.entries.get(scenario)
    if entry is None:
        raise ConfigurationError(
            f"{scenario} is not published in {folder.folder}. A twin needs its sibling: name a published scenario, "
            "or another folder with --output."
        )
    if entry.twin is not None:
        raise ConfigurationError(
            f"{scenario} already has a twin, {entry.twin}. A scenario can have only one."
        )
    if parse_main_status(entry.status) not in PAIRED:
        raise ConfigurationError(
            f"{scenario} is {entry.status}, which has no contrary. Twins can be made of {', '.join(sorted(PAIRED))}."
        )
    return cast.build_twin_brief(
        PublishedSibling(scenario, _load_sibling_record(scenario, folder), _find_sibling_seed(entry, ledger))
    )


def _load_sibling_record(scenario: str, folder: ScenarioRegistry) -> dict[str, object]:
    path = folder.folder / "evaluation" / f"{scenario}_mechanics.json"
    if not path.is_file():
        raise ConfigurationError(
            f"No such file: {path}. A twin is built from its sibling's mechanics: restore the file."
        )
    return load_document(path)


def _find_sibling_seed(entry: ScenarioMetadata, ledger: LedgerLocation) -> int:
    """Return the seed of a scenario, from its metadata or, for older ones, from the ledger beside it."""
    if entry.seed is not None:
        return entry.seed
    if has_ledger(ledger):
        with LedgerStore(ledger, read_only=True) as store:
            for row in store.read_and_wait(leases.list_scenario_rows):
                if row.scenario == entry.scenario_id and row.brief:
                    return GenerationBrief.model_validate_json(row.brief).seed
    raise ConfigurationError(
        f"The seed of {entry.scenario_id} is unknown: neither its metadata nor a ledger beside them states it. "
        "Choose a newer scenario."
    )
