"""Implementation of `im registry`: write a lost or damaged registry again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.output.terminal import Console
from impossible_moments.cli.scenario_folder import open_ledger
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import publications
from impossible_moments.pipeline import copy_publications, find_ledger, has_ledger
from impossible_moments.scenarios import ScenarioMetadata, ScenarioRegistry


def rebuild_registry(folder: Path, *, as_json: bool) -> int:
    """Write the registry of a folder again from what is left of it and from the ledger. Return the exit status.

    An entry that can still be read is kept as it is, because measurements and verifications change entries after their
    publication.
    """
    registry = ScenarioRegistry(folder)
    copied = _copy_shared_publications(folder, registry)
    names = registry.list_documents()
    if not names:
        raise ConfigurationError(
            f"{folder} holds no published scenarios, so it has no registry to rebuild. Name the folder that was given as --output."
        )
    kept = _read_entries_left(registry)
    known = {**_read_recorded_metadata(folder, names), **kept}
    found = [known[name] for name in names if name in known]
    missing = [name for name in names if name not in known]
    registry.rebuild(found)
    if as_json:
        restored = [each.scenario_id for each in found]
        print_json({"copied": copied, "entries": restored, "kept": sorted(kept), "missing": missing})
    else:
        console = Console()
        if copied:
            console.print(
                f"{copied} scenarios of other machines were written from the database.", highlight=False
            )
        console.print(
            f"{escape_for_terminal(folder)}: the registry has {len(found)} entries, {len(found) - len(kept)} of them restored "
            "from the ledger.",
            highlight=False,
        )
        if missing:
            console.print(
                f"The ledger does not know {', '.join(missing)}, so {'they are' if len(missing) > 1 else 'it is'} not registered. "
                "Restore the entries from a backup.",
                highlight=False,
            )
    return FOUND_ERRORS if missing else DONE


def _copy_shared_publications(folder: Path, registry: ScenarioRegistry) -> int:
    """Write what the folder lacks of a ledger that several machines share, if its registry can be read."""
    if isinstance(find_ledger(folder), Path) or registry.find_loss() is not None:
        return 0
    with open_ledger(folder) as store:
        return copy_publications(store, registry)


def _read_entries_left(registry: ScenarioRegistry) -> Mapping[str, ScenarioMetadata]:
    """Return the entries of the present registry, or none if it is missing or damaged."""
    try:
        return {name: each for name, each in registry.entries.items() if name in registry.list_documents()}
    except ConfigurationError:
        return {}


def _read_recorded_metadata(folder: Path, names: tuple[str, ...]) -> dict[str, ScenarioMetadata]:
    """Return the metadata that the ledger keeps of publications, by scenario."""
    if not has_ledger(find_ledger(folder)):
        return {}
    found = {}
    with open_ledger(folder) as store:
        for name in names:
            publication = store.read_and_wait(partial(publications.get_publication, scenario=name))
            if publication is not None and publication.metadata:
                found[name] = _parse_metadata(name, publication.metadata)
    return found


def _parse_metadata(name: str, text: bytes) -> ScenarioMetadata:
    try:
        return ScenarioMetadata.model_validate_json(text)
    except ValidationError:
        raise ConfigurationError(
            f"The ledger holds metadata of {name} that this version cannot read. Use the version that published it."
        ) from None
