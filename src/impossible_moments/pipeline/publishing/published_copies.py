"""Copies of published documents: a ledger of several machines holds them, and every folder can be filled from it."""

from __future__ import annotations

from functools import partial
from typing import Final

from impossible_moments.ledger import LedgerStore, publications
from impossible_moments.scenarios import ScenarioDocuments, ScenarioMetadata, ScenarioRegistry

RETIRED: Final = "retired"
"""The folder below a registry to which the files of retired scenarios are moved."""


def copy_publications(store: LedgerStore, registry: ScenarioRegistry) -> int:
    """Write the publications of a shared ledger that a folder lacks, and return how many were written.

    Scenarios that were retired in the folder stay retired. A ledger of one machine has nothing to copy.
    """
    if not store.is_shared:
        return 0
    known, copied = registry.entries.keys(), 0
    for name in store.read_and_wait(publications.list_publication_numbers):
        if name in known or (registry.folder / RETIRED / "public" / f"{name}.md").exists():
            continue
        documents = read_stored_documents(store, name)
        if documents is not None:
            registry.publish(documents, journals=True)
            copied += 1
    return copied


def read_stored_documents(store: LedgerStore, scenario: str) -> ScenarioDocuments | None:
    """Return the documents of a publication from the ledger, or None if it does not hold them."""
    publication = store.read_and_wait(partial(publications.get_publication, scenario=scenario))
    texts = store.read_and_wait(partial(publications.get_documents, scenario=scenario))
    return None if publication is None or not texts else _build_documents(publication, texts)


def _build_documents(publication: publications.Publication, texts: dict[str, str]) -> ScenarioDocuments:
    metadata = ScenarioMetadata.model_validate_json(publication.metadata)
    paths = ScenarioDocuments("", "", "", metadata, "").list_files_by_path()
    evaluation, mechanics, trace, public = (texts[path] for path in paths)
    return ScenarioDocuments(public, evaluation, trace, metadata, mechanics)
