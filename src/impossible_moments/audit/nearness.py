"""Lines of a scenario that read like its answer: found by meaning, where no word gives them away.

Two thirds of what is found so is harmless, so it is told as a note: somebody should read the line beside the insight.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.leaks import answer_lines
from impossible_moments.audit.markdown import Document, plain
from impossible_moments.audit.parts import Parts
from impossible_moments.scenarios.embedding import Embedder

CLOSE: Final = 0.42
"""Cosine of a clause with an insight; chosen on labelled scenarios, where it finds twice as many of the hints."""
SHORTEST: Final = 16
_CLAUSES: Final = re.compile(r"(?<=[.!?])\s+|\|")
_HEAD: Final = re.compile(r"\|\s*(?:object|parameter|capability|item|resource)s?\b|[\s|:-]+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Near:
    """A line and the insight it reads like."""

    line: int
    clause: str
    insight: str
    cosine: float


def near_the_answer(document: Document, parts: Parts, embedder: Embedder) -> Iterator[Near]:
    """The lines a solver reads whose meaning comes close to the answer or to an insight."""
    insights = answer_lines(document)
    lines = [line for line in parts.scenario if line.text.strip() and not _HEAD.match(line.text.strip())]
    clauses = [
        (line.number, clause.strip())
        for line in lines
        for clause in _CLAUSES.split(plain(line.text))
        if len(clause.strip()) >= SHORTEST
    ]
    if not insights or not clauses:
        return
    cosines = (
        embedder.embed([clause.lower() for _, clause in clauses])
        @ embedder.embed([each.lower() for each in insights]).T
    )
    told: set[int] = set()
    for (number, clause), row in zip(clauses, cosines, strict=True):
        best = int(row.argmax())
        if row[best] >= CLOSE and number not in told:
            told.add(number)
            yield Near(number, clause, insights[best], float(row[best]))
