"""Style errors in a finished document that a program can find with certainty."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.audit import audit_document

AUDITED: Final = frozenset({"arithmetic", "timing", "density", "scratch"})
"""The kinds of audit findings that stop a document. Leaks are judged elsewhere."""
_DOUBLED_WORD: Final = re.compile(r"\b([A-Za-z]+)\s+\1\b", re.IGNORECASE)
_ALLOWED_DOUBLED_WORDS: Final = frozenset(
    {"had", "that", "knock", "bye", "very", "so", "tick", "tock", "no", "yes", "hush", "far"}
)
_SHORTEST_NAME: Final = 4
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
_ENUMERATION: Final = re.compile(r"(?m)^(\s*(?:[-*|]\s*)*)(?:[a-z]|\d{1,2}|[ivx]{1,4})\)")
_PLACEHOLDER: Final = re.compile(r"\{[^{}\n]*\}?|\bTODO\b|\bTBD\b|\bXXXX?\b")


def find_style_slips(text: str, name: str = "") -> Iterator[str]:
    """Yield the style errors of a document, each with its line."""
    narrative_lines = _extract_narrative_section(text)
    for found in audit_document(text, name, blind=True).errors:
        kind = found.code.partition(".")[0]
        # The narrator may think aloud in the narrative. Elsewhere such words are the author's scratch notes.
        if kind in AUDITED and not (kind == "scratch" and found.line in narrative_lines):
            yield f"line {found.line}: {found.what} ({found.code})"
    for number, paragraph in _iterate_paragraphs(text):
        yield from (f"line {number}: {problem}" for problem in _find_paragraph_slips(paragraph))
    for number, line in enumerate(text.split("\n"), start=1):
        if line != line.rstrip():
            yield f"line {number}: spaces at the end of the line"


def _extract_narrative_section(text: str) -> range:
    """Return the lines of the narrative, from its heading to the next one."""
    lines = text.split("\n")
    start = next(
        (number for number, line in enumerate(lines, 1) if line.startswith("## Scenario")), len(lines)
    )
    end = next(
        (number for number, line in enumerate(lines[start:], start + 1) if line.startswith("#")), len(lines)
    )
    return range(start, end)


def _iterate_paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield blocks between blank lines with their first line number.

    Each table row and each heading is a block of its own.
    """
    block: list[str] = []
    start = 1
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        stands_alone = line.lstrip().startswith(("|", "#"))
        if block and (not line.strip() or stands_alone):
            yield start, "\n".join(block)
            block = []
        if stands_alone:
            yield number, line
        elif line.strip():
            start = start if block else number
            block.append(line)


def _find_paragraph_slips(text: str) -> Iterator[str]:
    for doubled in _DOUBLED_WORD.finditer(text):
        words = doubled.group().split()
        # Names such as Pago Pago and Sing Sing repeat a word.
        is_name = all(word[0].isupper() for word in words) and len(words[0]) >= _SHORTEST_NAME
        if doubled[1].lower() not in _ALLOWED_DOUBLED_WORDS and not is_name:
            yield f"`{' '.join(doubled.group().split())}`: a word stands twice"
    placeholder = _PLACEHOLDER.search(text)
    if placeholder is not None:
        yield f"`{placeholder.group()}` is a placeholder that nothing filled"
    elif not _has_balanced_brackets(text):
        yield "brackets are not in pairs"
    if text.count('"') % 2 or text.count("“") != text.count("”"):
        yield "quotation marks are not in pairs"


def _has_balanced_brackets(text: str) -> bool:
    open_brackets: list[str] = []
    for sign in _ENUMERATION.sub(r"\1", text):
        if sign in _PAIRS.values():
            open_brackets.append(sign)
        elif sign in _PAIRS and (not open_brackets or open_brackets.pop() != _PAIRS[sign]):
            return False
    return not open_brackets
