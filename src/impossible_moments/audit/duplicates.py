"""Near duplicates within a set of documents. Registered twins and variants are exempt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Final

from impossible_moments.audit.documents.essence import extract_essence
from impossible_moments.audit.documents.sources import DocumentSource
from impossible_moments.audit.findings import AuditFinding, DocumentAudit, create_finding
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios import ScenarioRegistry
from impossible_moments.scenarios.similarity import (
    ComparedScenario,
    SimilarPair,
    find_near_duplicates,
    load_wordllama_embedder,
)

MOST_NAMED: Final = 10
"""How many similar documents the findings on one document name. Further ones are counted."""


def add_duplicate_findings(
    documents: Sequence[DocumentSource], audits: Sequence[DocumentAudit]
) -> list[DocumentAudit]:
    """Return the audits with an added finding on both documents of every near-duplicate pair."""
    essences = [extract_essence(each.name, each.text) for each in documents if each.text.strip()]
    groups = _group_equal_essences(essences)
    pairs = find_near_duplicates([group[0] for group in groups], load_wordllama_embedder())
    notes: dict[str, list[AuditFinding]] = {}
    related_documents = _find_related_documents(documents)
    for group in groups:
        for name, others in _list_equal_documents([each.name for each in group], related_documents):
            notes.setdefault(name, []).append(_create_equal_finding(others))
    unnamed: Counter[str] = Counter()
    for pair in pairs:
        if frozenset({pair.first, pair.second}) in related_documents:
            continue
        for name, other in ((pair.first, pair.second), (pair.second, pair.first)):
            if len(notes.setdefault(name, [])) < MOST_NAMED:
                notes[name].append(_create_duplicate_finding(pair, other))
            else:
                unnamed[name] += 1
    for name, count in unnamed.items():
        notes[name].append(
            create_finding(1, "duplicate.near", f"{count} further documents are similar to this one")
        )
    return [
        replace(
            each,
            findings=tuple(
                sorted((*each.findings, *notes.get(each.name, ())), key=lambda item: (item.line, item.code))
            ),
        )
        for each in audits
    ]


def _group_equal_essences(essences: Sequence[ComparedScenario]) -> list[list[ComparedScenario]]:
    """Return the essences in groups whose compared parts are equal, in the order of their first names."""
    groups: dict[ComparedScenario, list[ComparedScenario]] = {}
    for each in sorted(essences, key=lambda each: each.name):
        groups.setdefault(replace(each, name=""), []).append(each)
    return list(groups.values())


def _list_equal_documents(
    names: Sequence[str], related: frozenset[frozenset[str]]
) -> Iterator[tuple[str, list[str]]]:
    """Yield each document of a group with the others that repeat it, which relatives do not."""
    with_relatives = {name for pair in related for name in pair}
    for name in names:
        if name in with_relatives:
            others = [each for each in names if each != name and frozenset({name, each}) not in related]
        else:
            # All that a finding needs: the first other one, and how many there are.
            others = [names[1] if name == names[0] else names[0], *names[2:]] if len(names) > 1 else []
        if others:
            yield name, others


def _create_equal_finding(others: Sequence[str]) -> AuditFinding:
    """Return the finding on one document of a group with equal texts, which names another one and the number."""
    if len(others) == 1:
        return create_finding(1, "duplicate.near", f"copy: similarity to {others[0]} is 1.00", others[0])
    more = len(others) - 1
    return create_finding(
        1,
        "duplicate.near",
        f"copy: similarity to {others[0]} and {more} other document{'s' * (more > 1)} is 1.00",
        others[0],
    )


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
