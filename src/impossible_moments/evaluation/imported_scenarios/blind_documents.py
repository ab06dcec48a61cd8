"""Blind documents of imported scenarios: the situation in safe Markdown, checked not to contain the answer.

The title is left out too, because it often gives a part of the answer away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.documents import MarkdownSection
from impossible_moments.evaluation.imported_scenarios.document_parser import (
    ImportedDocument,
    UnreadableDocument,
)
from impossible_moments.evaluation.imported_scenarios.header_vocabulary import parse_status
from impossible_moments.scenarios import compute_canary, escape_block, escape_inline

NEUTRAL: Final = "Further"
"""The heading that replaces one that would hint at the answer."""
FOOTER: Final = "*Benchmark data; it should not be part of any training corpus. Canary: {}*"
QUOTE_WORDS: Final = 8
"""Least number of words of a sentence that is recorded if it occurs in both parts."""
LEAK_WORDS: Final = 20
"""Least number of words of an unquoted answer sentence that must not occur in the situation."""
OUTCOME_WORDS: Final = 3
"""Least number of words of a stated outcome that must not occur in the situation in this order."""
_HINTING_TITLE: Final = re.compile(
    r"notice|overlook|apparent|contested|paradox|impossib|badly|obvious|puzzle|\bkey\b|critical|crucial|\bactual",
    re.IGNORECASE,
)
_REVEALING_LINE: Final = re.compile(
    r"\s*(?:[-*]\s+)?\*\*\s*(?:(?:correct|expected|intended|verified) (?:answer|outcome|solution)|answer|solution|solution status|"
    r"tier|difficulty(?: tier)?|category|(status))\s*:?\s*\*\*\s*:?\s*(.*)",
    re.IGNORECASE,
)
_STATUS: Final = re.compile(
    r"\b(?:open[- ]frontier|known[- ]solution|correct answer|(?:contested|metamorphic|degenerate|paradox) "
    r"(?:problem|question|scenario|test|trap)s?)\b",
    re.IGNORECASE,
)
"""Words that reveal the status of a scenario."""
_SENTENCE: Final = re.compile(r"[^.!?|]+(?:[.!?]+\**)?|[.!?|]")
_PARTS: Final = re.compile(r"(?<=[.!?;:])\s+|\|")
_QUOTES: Final = re.compile(r"[\"“”«»]|^\s*>")
_RULE: Final = re.compile(r"-{3,}|\*{3,}|_{3,}")
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class BlindDocument:
    """The part of an imported scenario that may be shown to models."""

    text: str
    canary: str
    shared: tuple[str, ...] = ()
    """Sentences that occur in both the answer and the situation, such as quoted facts."""

    def render_public_file(self, scenario_id: str) -> str:
        """Return the text of the public file."""
        return f"# {scenario_id}\n\n{self.text}\n---\n\n{FOOTER.format(self.canary)}\n"


def build_blind_document(document: ImportedDocument, scenario_id: str) -> BlindDocument:
    """Return the part of a document that may be shown.

    Raises `UnreadableDocument` if the situation contains the stated outcome or a long sentence of the answer.
    """
    text = "\n\n".join(part for each in document.shown_sections if (part := _render_section(each))) + "\n"
    plain = f" {_normalize_words(text)} "
    outcome = _normalize_words(document.stated_header.outcome)
    if len(outcome.split()) >= OUTCOME_WORDS and f" {outcome} " in plain:
        raise UnreadableDocument(
            document.name,
            _find_line_number(document.shown_sections, outcome),
            "the situation contains the stated outcome word for word; reword one of them.",
        )
    shared = []
    for sentence, quoted in _iterate_sentences(document.answers):
        words = _normalize_words(sentence)
        if words.count(" ") + 1 < QUOTE_WORDS or f" {words} " not in plain:
            continue
        if words.count(" ") + 1 >= LEAK_WORDS and not quoted:
            raise UnreadableDocument(
                document.name,
                _find_line_number(document.shown_sections, words),
                f"the situation contains a sentence of the answer ({sentence.strip()[:60]!r}); remove it there.",
            )
        shared.append(sentence.strip()[:200])
    canary = compute_canary(scenario_id, "foreign", text)
    return BlindDocument(text, canary, tuple(dict.fromkeys(shared)))


def _render_section(section: MarkdownSection) -> str:
    """Return a section as it is shown, under a heading that does not hint at the answer."""
    lines = [_remove_status_sentences(line.text) for line in section.lines if not _is_header_line(line.text)]
    while lines and (not lines[-1].strip() or _RULE.fullmatch(lines[-1].strip())):
        lines.pop()
    body = escape_block("\n".join(lines))
    if not body or section.level <= 1 or len(section.path) <= 2:  # noqa: PLR2004 - the narrative stands directly under the scenario heading
        return body
    title = re.sub(
        r"\s*\([^)]*\)", lambda found: "" if _HINTING_TITLE.search(found[0]) else found[0], section.title
    )
    return f"### {NEUTRAL if _HINTING_TITLE.search(title) else escape_inline(title)}\n\n{body}"


def _remove_status_sentences(line: str) -> str:
    """Return a line without the sentences that name the status."""
    if _STATUS.search(line) is None:
        return line
    return "".join(each for each in _SENTENCE.findall(line) if not _STATUS.search(each)).strip()


def _is_header_line(line: str) -> bool:
    """Check whether a line is a header line; `Status` counts only with the status of a scenario."""
    found = _REVEALING_LINE.match(line)
    if found is None:
        return False
    return not found[1] or bool(re.match(r"(?:KS|CT|OF|PX|MT|DG)\b", found[2]) and parse_status(found[2]))


def _iterate_sentences(sections: tuple[MarkdownSection, ...]) -> Iterator[tuple[str, bool]]:
    """Yield the sentences and table cells of sections, and whether their line contains a quotation."""
    for section in sections:
        for line in section.lines:
            quoted = _QUOTES.search(line.text) is not None
            yield from ((part, quoted) for part in _PARTS.split(line.text) if part)


def _find_line_number(sections: tuple[MarkdownSection, ...], words: str) -> int:
    """Return the number of the line where some words begin; they may continue on the next line."""
    lines = [(line.number, _normalize_words(line.text)) for section in sections for line in section.lines]
    searched_words = words.split()
    for count in range(len(searched_words), 0, -1):
        beginning = " ".join(searched_words[:count])
        # all words may occur anywhere in a line, a beginning of them only at its end
        for number, text in lines:
            if text.endswith(beginning) or (count == len(searched_words) and beginning in text):
                return number
    return sections[0].number


def _normalize_words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
