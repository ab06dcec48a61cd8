"""Extraction of the essence of a scenario from its Markdown, for duplicate detection."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument, strip_emphasis
from impossible_moments.audit.documents.parts import INSIGHTS, DocumentParts, split_document_parts
from impossible_moments.scenarios.similarity import ComparedScenario

_ANSWER: Final = re.compile(r"^(?:correct |expected )?(?:answer|outcome|solution)$", re.IGNORECASE)
_OBJECT: Final = re.compile(r"^(?:objects?|items?|things?|resources?|tools?|equipment)\b", re.IGNORECASE)
_BOLD_LEAD: Final = re.compile(r"\*\*([^*]{3,200})\*\*")
LONGEST_PART: Final = 20_000


def extract_essence(name: str, text: str) -> ComparedScenario:
    """Extract narrative, object names, solution line and insights from the text of a scenario."""
    document = MarkdownDocument(text[: 10 * LONGEST_PART])
    parts = split_document_parts(document)
    return ComparedScenario(
        name,
        _extract_narrative(document, parts),
        tuple(_extract_object_names(document)),
        next((strip_emphasis(value) for _, key, value in document.keys if _ANSWER.match(key)), ""),
        tuple(_extract_insights(parts)),
    )


def _extract_narrative(document: MarkdownDocument, parts: DocumentParts) -> str:
    lines = parts.scenario or document.lines
    narrative_lines = [
        line.text
        for line in lines
        if line.text.strip() and not line.text.lstrip().startswith(("|", "#", "-", "*"))
    ]
    return strip_emphasis("\n".join(narrative_lines or [line.text for line in lines]))[:LONGEST_PART]


def _extract_object_names(document: MarkdownDocument) -> list[str]:
    for table in document.tables:
        at = table.find_column(_OBJECT)
        if at is not None:
            return [strip_emphasis(re.sub(r"\(.*?\)", "", table.get_cell(row, at))) for row in table.rows]
    return []


def _extract_insights(parts: DocumentParts) -> list[str]:
    return [
        strip_emphasis(lead)
        for section in parts.judges
        if INSIGHTS.search(section.title)
        for lead in (section.title.partition(":")[2].strip(), *_BOLD_LEAD.findall(section.text))
        if lead
    ]
