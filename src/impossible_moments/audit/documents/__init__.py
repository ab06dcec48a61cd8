"""Documents under audit: sources, Markdown parser, parts and essence."""

from impossible_moments.audit.documents.essence import extract_essence
from impossible_moments.audit.documents.markdown import (
    MarkdownDocument,
    MarkdownRow,
    MarkdownSection,
    MarkdownTable,
    strip_emphasis,
)
from impossible_moments.audit.documents.parts import (
    DISTRACTORS,
    INSIGHTS,
    JUDGES,
    LOOKS_IMPOSSIBLE,
    SCENARIO,
    SOLUTION,
    WRONG_ANSWERS,
    find_last_header_line,
    split_document_parts,
)
from impossible_moments.audit.documents.sources import ENDINGS, DocumentSource, read_document_sources

__all__ = [
    "DISTRACTORS",
    "ENDINGS",
    "INSIGHTS",
    "JUDGES",
    "LOOKS_IMPOSSIBLE",
    "SCENARIO",
    "SOLUTION",
    "WRONG_ANSWERS",
    "DocumentSource",
    "MarkdownDocument",
    "MarkdownRow",
    "MarkdownSection",
    "MarkdownTable",
    "extract_essence",
    "find_last_header_line",
    "read_document_sources",
    "split_document_parts",
    "strip_emphasis",
]
