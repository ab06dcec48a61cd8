"""Near duplicates within a set of documents. Registered twins and variants are exempt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from impossible_moments.audit.documents.essence import extract_essence
from impossible_moments.audit.documents.sources import DocumentSource
from impossible_moments.audit.findings import AuditFinding, DocumentAudit, create_finding
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios import (
    ScenarioRegistry,
    SimilarPair,
    find_near_duplicates,
    load_wordllama_embedder,
)


def add_duplicate_findings(
    documents: Sequence[DocumentSource], audits: Sequence[DocumentAudit]
) -> list[DocumentAudit]:
    """Return the audits with an added finding on both documents of every near-duplicate pair."""
    essences = [extract_essence(each.name, each.text) for each in documents if each.text.strip()]
    pairs = find_near_duplicates(essences, load_wordllama_embedder())
    notes: dict[str, list[AuditFinding]] = {}
    related_documents = _find_related_documents(documents)
    for pair in pairs:
        if frozenset({pair.first, pair.second}) in related_documents:
            continue
        for name, other in ((pair.first, pair.second), (pair.second, pair.first)):
            notes.setdefault(name, []).append(_create_duplicate_finding(pair, other))
    return [
        replace(
            each,
            findings=tuple(
                sorted((*each.findings, *notes.get(each.name, ())), key=lambda item: (item.line, item.code))
            ),
        )
        for each in audits
    ]


def _find_related_documents(documents: Sequence[DocumentSource]) -> frozenset[frozenset[str]]:
    """Return the pairs that a registry beside the documents names as twins or as variants of one scenario."""
    names = {
        (path.parent, path.stem): each.name for each in documents if (path := Path(each.name)).suffix == ".md"
    }
    pairs = set[frozenset[str]]()
    for folder in sorted({folder for folder, _ in names}):
        for name, other in _read_related_pairs(folder.parent):
            pair_names = [names[folder, each] for each in (name, other) if (folder, each) in names]
            if len(pair_names) == len({name, other}):
                pairs.add(frozenset(pair_names))
    return frozenset(pairs)


def _read_related_pairs(folder: Path) -> list[tuple[str, str]]:
    try:
        entries = ScenarioRegistry(folder).entries
    except ConfigurationError:
        return []  # an unreadable registry names no relations
    twins = {name: each.twin for name, each in entries.items() if each.twin is not None}
    families: dict[str, list[str]] = {}
    for name, each in entries.items():
        if each.parent is not None:
            families.setdefault(each.parent, [each.parent]).append(name)
    return [
        *((name, other) for name, other in twins.items() if twins.get(other) == name),
        *(pair for family in families.values() for pair in combinations(family, 2)),
    ]


def _create_duplicate_finding(pair: SimilarPair, other: str) -> AuditFinding:
    return create_finding(
        1, "duplicate.near", f"{pair.why}: similarity to {other} is {pair.cosine:.2f}", other
    )
