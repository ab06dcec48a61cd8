"""Near duplicates within a set of documents. Registered twins are exempt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from impossible_moments.audit.essence import essence_of
from impossible_moments.audit.report import Audit, Found, found
from impossible_moments.audit.sources import Source
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios.embedding import wordllama_embedder
from impossible_moments.scenarios.registry import Registry
from impossible_moments.scenarios.similarity import Pair, near_duplicates


def duplicates_in(documents: Sequence[Source], audits: Sequence[Audit]) -> list[Audit]:
    """Return the audits with an added finding on both documents of every near-duplicate pair."""
    essences = [essence_of(each.name, each.text) for each in documents if each.text.strip()]
    pairs = near_duplicates(essences, wordllama_embedder())
    notes: dict[str, list[Found]] = {}
    meant = _twins_among(documents)
    for pair in pairs:
        if frozenset({pair.first, pair.second}) in meant:
            continue
        for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
            notes.setdefault(one, []).append(_told(pair, other))
    return [
        replace(
            each,
            findings=tuple(
                sorted((*each.findings, *notes.get(each.name, ())), key=lambda item: (item.line, item.code))
            ),
        )
        for each in audits
    ]


def _twins_among(documents: Sequence[Source]) -> frozenset[frozenset[str]]:
    """Return the pairs of documents that a registry beside them names as twins of each other."""
    names = {
        (path.parent, path.stem): each.name for each in documents if (path := Path(each.name)).suffix == ".md"
    }
    pairs = set[frozenset[str]]()
    for folder in sorted({folder for folder, _ in names}):
        for name, other in _named_in(folder.parent).items():
            both = [names[folder, each] for each in (name, other) if (folder, each) in names]
            if len(both) == len({name, other}):
                pairs.add(frozenset(both))
    return frozenset(pairs)


def _named_in(folder: Path) -> dict[str, str]:
    try:
        entries = Registry(folder).entries
    except ConfigurationError:
        return {}  # an unreadable registry names no twins
    twins = {name: each.twin for name, each in entries.items() if each.twin is not None}
    return {name: other for name, other in twins.items() if twins.get(other) == name}


def _told(pair: Pair, other: str) -> Found:
    return found(1, "duplicate.near", f"{pair.why}: similarity to {other} is {pair.cosine:.2f}", other)
