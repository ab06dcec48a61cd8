"""Parser for imported documents: header, sections that may be shown, and sections for judges.

Only sections under the scenario heading are shown. A section of unknown purpose counts as part of the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.documents import (
    DISTRACTORS,
    INSIGHTS,
    JUDGES,
    LOOKS_IMPOSSIBLE,
    SCENARIO,
    SOLUTION,
    WRONG_ANSWERS,
    MarkdownDocument,
    MarkdownSection,
    find_last_header_line,
    strip_emphasis,
)
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.imported_scenarios.header_vocabulary import (
    parse_category,
    parse_status,
    parse_tier,
)

LARGEST_DOCUMENT: Final = 200_000
"""Maximum characters of a document; a scenario with its answer has about twenty thousand."""
MOST_SECTIONS: Final = 300
LONGEST_OUTCOME: Final = 2_000
_LEAST_SHOWN: Final = 20
"""Least number of words of a situation."""
_MOST_BROKEN: Final = 0.01
"""Maximum share of replacement characters in a text file."""
_OUTCOME: Final = r"(?:(?:correct|expected|intended|verified) )?(?:answer|outcome)|correct solution"
_TIER: Final = r"(?:difficulty )?tier|difficulty"
_PROFILE: Final = re.compile(r"(?<![\d.])[1-5](?:\.[1-5]){5}(?![\d.])")
_TITLE: Final = re.compile(r"([A-Za-z]{1,8}-?\d{1,8})\s*[:.–—-]\s*(.+)")
_SHOWN: Final = re.compile(
    r"environment|setting|threat|challenge|position|starting|object|resource|equipment|materials?|tools?|capabilit|abilities",
    re.IGNORECASE,
)
"""Headings of situation sections, for documents without a common scenario heading."""
_FOR_JUDGES: Final = re.compile(
    r"^(?:the )?(?:correct |expected |intended |full |model )?(?:answers?|insights?|hints?|spoilers?|solutions?)\b|^why |"
    r"\b(?:hidden|misdirections?|traps?|tricks?|secrets?|decoys?|red herrings?)\b",
    re.IGNORECASE,
)


class UnreadableDocument(ConfigurationError):
    """Error for a document that cannot be imported, with file, line and the violated rule."""

    def __init__(self, name: str, line: int, problem: str) -> None:
        super().__init__(f"{name}, line {line}: {problem}")
        self.line = line


@dataclass(frozen=True, slots=True)
class StatedHeader:
    """The header of a document in the project's vocabulary; empty for values that it does not have."""

    status: str
    outcome: str
    outcome_line: int
    category: str = ""
    tier: str = ""
    profile: str = ""
    words: tuple[tuple[str, str], ...] = ()
    """Status, category and tier as written in the document."""


@dataclass(frozen=True, slots=True)
class ImportedDocument:
    """A parsed document of another author."""

    name: str
    """The file name, with the line of a JSONL file."""
    number: str
    """The number in the title, empty if there is none."""
    title: str
    stated_header: StatedHeader
    shown_sections: tuple[MarkdownSection, ...]
    """The situation: narrative, environment, threat, position, objects, capabilities."""
    answers: tuple[MarkdownSection, ...]
    """All sections that are neither shown nor the header."""
    document: MarkdownDocument


def parse_imported_document(text: str, name: str) -> ImportedDocument:
    """Parse a document; `name` identifies it in errors. Raises `UnreadableDocument` if it breaks a rule."""
    _reject_non_text(text, name)
    document = MarkdownDocument(_remove_html_comments(text))
    first = next((each for each in document.sections if each.level > 0), None)
    if first is None:
        raise UnreadableDocument(
            name, 1, "there is no heading; put the situation under a heading `## Scenario`."
        )
    if len(document.sections) > MOST_SECTIONS:
        raise UnreadableDocument(
            name,
            document.sections[MOST_SECTIONS].number,
            f"there are more than {MOST_SECTIONS} headings; import one scenario per file.",
        )
    title = _TITLE.match(first.title) if first.level == 1 else None
    shown_sections, answers = _split_shown_and_answer_sections(document)
    if sum(len(each.text.split()) for each in shown_sections) < _LEAST_SHOWN:
        raise UnreadableDocument(
            name, first.number, "no section describes a situation; put it under a heading `## Scenario`."
        )
    return ImportedDocument(
        name=name,
        number=title[1] if title else "",
        title=(title[2] if title else first.title if first.level == 1 else "")[:200],
        stated_header=_parse_header(document, name),
        shown_sections=shown_sections,
        answers=answers,
        document=document,
    )


def is_answer_heading(title: str) -> bool:
    """Check whether a heading belongs to the answer and not to the situation."""
    patterns = (JUDGES, SOLUTION, INSIGHTS, DISTRACTORS, LOOKS_IMPOSSIBLE, WRONG_ANSWERS, _FOR_JUDGES)
    return any(each.search(title) for each in patterns)


def _reject_non_text(text: str, name: str) -> None:
    if not text.strip():
        raise UnreadableDocument(name, 1, "there is no text; an imported scenario is a Markdown document.")
    if len(text) > LARGEST_DOCUMENT:
        raise UnreadableDocument(
            name,
            1,
            f"the document has more than {LARGEST_DOCUMENT:,} characters; import one scenario per file.",
        )
    if "\x00" in text or text.count("\ufffd") > _MOST_BROKEN * len(text):
        raise UnreadableDocument(
            name, 1, "this is not UTF-8 text; an imported scenario is a Markdown document."
        )


def _remove_html_comments(text: str) -> str:
    """Return the text without HTML comments, which readers do not see; line numbers stay the same."""
    return re.sub(r"<!--.*?(?:-->|\Z)", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)


def _split_shown_and_answer_sections(
    document: MarkdownDocument,
) -> tuple[tuple[MarkdownSection, ...], tuple[MarkdownSection, ...]]:
    """Split the sections into those that are shown and those that belong to the answer."""
    named = [each for each in document.sections if each.level > 0]
    # the title of the document is not the heading of a part
    document_title = named[0].title if named[0].level == 1 else None
    below = {
        id(each): each.path[1:]
        if document_title is not None and each.path[:1] == (document_title,)
        else each.path
        for each in named
    }
    has_scenario = any(SCENARIO.search(title) for titles in below.values() for title in titles)
    pattern = SCENARIO if has_scenario else _SHOWN
    shown_sections: list[MarkdownSection] = []
    answers: list[MarkdownSection] = []
    has_ended = False
    for each in named:
        titles = below[id(each)]
        inside = any(pattern.search(title) for title in titles)
        is_answer = any(is_answer_heading(title) for title in titles)
        if inside and not has_ended and not is_answer:
            shown_sections.append(each)
        elif titles:
            answers.append(each)
            # after the first answer section, a heading about the scenario belongs to the solution
            has_ended = has_ended or (bool(shown_sections) and not inside and (has_scenario or is_answer))
        elif not has_scenario:
            shown_sections.append(_remove_header_lines(each))
    return tuple(shown_sections), tuple(answers)


def _remove_header_lines(section: MarkdownSection) -> MarkdownSection:
    """Return the section above the first subheading, without the header lines."""
    kept = tuple(
        line
        for line in section.lines
        if not re.match(r"\s*(?:[-*]\s+)?\*\*[^*]{1,80}\*\*\s*:|\s*\*\*[^*]{1,80}:\*\*", line.text)
    )
    return MarkdownSection(section.level, section.title, section.number, kept, section.path)


def _parse_header(document: MarkdownDocument, name: str) -> StatedHeader:
    last = find_last_header_line(document)
    header = [
        (line.number, key, strip_emphasis(value)) for line, key, value in document.keys if line.number <= last
    ]

    def find_header_value(pattern: str) -> tuple[int, str]:
        named = (
            (number, value) for number, key, value in header if re.fullmatch(pattern, key, re.IGNORECASE)
        )
        return next(named, (1, ""))

    line, status_text = find_header_value("(?:solution )?status")
    status = parse_status(status_text)
    if status is None:
        problem = (
            f"`{status_text[:60]}` is not a status"
            if status_text
            else "there is no line `**Status**: ...` above the scenario"
        )
        raise UnreadableDocument(name, line, f"{problem}; write KS, CT, OF, PX, MT or DG, or their names.")
    outcome_line, outcome = find_header_value(_OUTCOME)
    if not outcome.strip():
        raise UnreadableDocument(
            name, outcome_line, "no outcome is stated; put `**Correct Answer**: ...` above the scenario."
        )
    category, tier = find_header_value("category")[1], find_header_value(_TIER)[1]
    profile = _PROFILE.search(" ".join(value for _, _, value in header))
    return StatedHeader(
        status=status,
        outcome=outcome[:LONGEST_OUTCOME],
        outcome_line=outcome_line,
        category=parse_category(category) or "",
        tier=parse_tier(tier) or "",
        profile=profile[0] if profile else "",
        words=tuple(
            (key, value[:200])
            for key, value in (("status", status_text), ("category", category), ("tier", tier))
        ),
    )
