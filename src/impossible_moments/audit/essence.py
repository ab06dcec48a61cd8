"""Extraction of the essence of a scenario from its Markdown, for duplicate detection."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.audit.markdown import Document, plain
from impossible_moments.audit.parts import INSIGHTS, Parts, parts_of
from impossible_moments.scenarios.similarity import Essence

_ANSWER: Final = re.compile(r"^(?:correct |expected )?(?:answer|outcome|solution)$", re.IGNORECASE)
_OBJECT: Final = re.compile(r"^(?:objects?|items?|things?|resources?|tools?|equipment)\b", re.IGNORECASE)
_LEAD: Final = re.compile(r"\*\*([^*]{3,200})\*\*")
LONGEST: Final = 20_000


def essence_of(name: str, text: str) -> Essence:
    """Extract narrative, object names, solution line and insights from the text of a scenario."""
    document = Document(text[: 10 * LONGEST])
    parts = parts_of(document)
    return Essence(
        name,
        _narrative(document, parts),
        tuple(_objects(document)),
        next((plain(value) for _, key, value in document.keys if _ANSWER.match(key)), ""),
        tuple(_insights(parts)),
    )


def _narrative(document: Document, parts: Parts) -> str:
    lines = parts.scenario or document.lines
    told = [
        line.text
        for line in lines
        if line.text.strip() and not line.text.lstrip().startswith(("|", "#", "-", "*"))
    ]
    return plain("\n".join(told or [line.text for line in lines]))[:LONGEST]


def _objects(document: Document) -> list[str]:
    for table in document.tables:
        at = table.column(_OBJECT)
        if at is not None:
            return [plain(re.sub(r"\(.*?\)", "", table.cell(row, at))) for row in table.rows]
    return []


def _insights(parts: Parts) -> list[str]:
    return [
        plain(lead)
        for section in parts.judges
        if INSIGHTS.search(section.title)
        for lead in (section.title.partition(":")[2].strip(), *_LEAD.findall(section.text))
        if lead
    ]
