"""Copies inside a set of documents, told on each of the two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from impossible_moments.audit.essence import essence_of
from impossible_moments.audit.report import Audit, Found, found
from impossible_moments.audit.sources import Source
from impossible_moments.scenarios.embedding import wordllama_embedder
from impossible_moments.scenarios.similarity import Pair, near_duplicates


def duplicates_in(documents: Sequence[Source], audits: Sequence[Audit]) -> list[Audit]:
    """The audits with a finding for every near copy."""
    essences = [essence_of(each.name, each.text) for each in documents if each.text.strip()]
    pairs = near_duplicates(essences, wordllama_embedder())
    notes: dict[str, list[Found]] = {}
    for pair in pairs:
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


def _told(pair: Pair, other: str) -> Found:
    return found(1, "duplicate.near", f"{pair.why}: {other} is {pair.cosine:.2f} alike", other)
