"""The brief of a twin for a scenario that is published in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from impossible_moments.agents.builtin.athena.twinning import Sibling
from impossible_moments.agents.builtin.cast import Cast
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import main_status
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import leases
from impossible_moments.ledger.store import Store
from impossible_moments.mechanics.documents import load
from impossible_moments.scenarios.metadata import Metadata
from impossible_moments.scenarios.registry import Registry

PAIRED: Final = frozenset({"KS", "DG", "PX"})
"""Statuses that have a contrary."""


def brief_of_twin(scenario: str, folder: Registry, ledger: Path, cast: Cast) -> GenerationBrief:
    """What to ask the built-in designer for; a `ConfigurationError` says in one sentence why there is nothing to ask."""
    entry = folder.entries.get(scenario)
    if entry is None:
        raise ConfigurationError(
            f"{scenario} is not published in {folder.folder}; a twin needs its sibling. Name one that is, "
            "or another folder with --output."
        )
    if entry.twin is not None:
        raise ConfigurationError(f"{scenario} has a twin already, {entry.twin}; a scenario has one.")
    if main_status(entry.status) not in PAIRED:
        raise ConfigurationError(
            f"{scenario} is {entry.status}, which has no contrary; twins are made of {', '.join(sorted(PAIRED))}."
        )
    return cast.twin_brief(Sibling(scenario, _record(scenario, folder), _seed(entry, ledger)))


def _record(scenario: str, folder: Registry) -> dict[str, object]:
    path = folder.folder / "evaluation" / f"{scenario}_mechanics.json"
    if not path.is_file():
        raise ConfigurationError(
            f"{path} is not there; without its mechanics a scenario can get no twin. Restore it."
        )
    return load(path)


def _seed(entry: Metadata, ledger: Path) -> int:
    """The seed that a scenario was drawn with: from its metadata, or, of older ones, from the ledger beside it."""
    if entry.seed is not None:
        return entry.seed
    if ledger.is_file():
        with Store(ledger) as store:
            for row in store.read_now(leases.scenarios):
                if row.scenario == entry.scenario_id and row.brief:
                    return GenerationBrief.model_validate_json(row.brief).seed
    raise ConfigurationError(
        f"nothing tells with which seed {entry.scenario_id} was drawn: neither its metadata nor a ledger beside them; "
        "take a scenario that was made since."
    )
