"""Division of a document into the part shown to a solver and the part for judges.

A public scenario (Tier 1) is shown completely. A document that also contains the solution is shown up to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument, MarkdownLine, MarkdownSection

SCENARIO: Final = re.compile(
    r"^(?:the\s+)?scenario\b|^(?:narrative|situation|setting|problem statement|prompt)\b", re.IGNORECASE
)
LOOKS_IMPOSSIBLE: Final = re.compile(
    r"why (?:this|it) (?:looks|seems|appears|is|remains) (?:an? )?(?:likely |truly |so )?(?:impossible|contested|hard|difficult|open|unsolvable|unsolved|paradox\w*)",
    re.IGNORECASE,
)
WRONG_ANSWERS: Final = re.compile(
    r"(?:common )?wrong answers|common mistakes|typical (?:errors|failures)", re.IGNORECASE
)
JUDGES: Final = re.compile(
    r"verified solution|best known approach|^solution\b|step-by-step|key insight|distractor analysis|evaluation|scoring|rubric|design notes|"
    r"difficulty profile|known approaches|physics validation|counterfactual|answer key|what a (?:strong|weak) response|cognitive skills|metadata|"
    r"methodology|^evaluation:|for evaluators",
    re.IGNORECASE,
)
INSIGHTS: Final = re.compile(r"key insight", re.IGNORECASE)
DISTRACTORS: Final = re.compile(r"distractor", re.IGNORECASE)
SOLUTION: Final = re.compile(r"verified solution|best known approach|^solution\b|step-by-step", re.IGNORECASE)


@dataclass(frozen=True)
class DocumentParts:
    """Lines and sections of a document by purpose."""

    header: tuple[MarkdownLine, ...]
    """Lines above the scenario: title and key lines."""
    scenario: tuple[MarkdownLine, ...]
    """Lines of narrative, environment, threat, position, objects and capabilities."""
    teaser: tuple[MarkdownSection, ...]
    """Sections on why it looks impossible and on wrong answers: published, but not meant for a solver."""
    judges: tuple[MarkdownSection, ...]


HEADER: Final = 12
"""Lines at the top that count as header if no heading ends it."""


def find_last_header_line(document: MarkdownDocument) -> int:
    """Return the number of the last line above the first section."""
    return next((section.number - 1 for section in document.sections if section.level > 1), HEADER)


def split_document_parts(document: MarkdownDocument) -> DocumentParts:
    """Divide the sections of a document into header, scenario, teaser and judges' part by their titles."""
    header: list[MarkdownLine] = []
    scenario: list[MarkdownLine] = []
    teaser: list[MarkdownSection] = []
    judges: list[MarkdownSection] = []
    has_started = False
    for section in document.sections:
        titles = (*section.path, section.title)
        own_titles = titles[1:] if len(titles) > 2 and section.level > 1 else titles  # noqa: PLR2004 - skip the document title
        names = [title for title in own_titles if title]
        if any(WRONG_ANSWERS.search(title) or LOOKS_IMPOSSIBLE.search(title) for title in names):
            teaser.append(section)
        elif any(JUDGES.search(title) for title in names):
            judges.append(section)
        elif any(SCENARIO.search(title) for title in names):
            has_started = True
            scenario += section.lines
        elif not has_started and section.level <= 1:
            header += section.lines
        elif not judges:
            scenario += section.lines
        else:
            judges.append(section)
    return DocumentParts(tuple(header), tuple(scenario), tuple(teaser), tuple(judges))
