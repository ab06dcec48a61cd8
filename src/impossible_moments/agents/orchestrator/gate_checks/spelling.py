"""The automated check of a finished document's form: slips that a program can be sure of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.audit.audit import audit

AUDITED: Final = frozenset({"arithmetic", "timing", "density", "scratch"})
"""The kinds of audit findings that stop a document; leaks are judged by the presentation and not by form."""
_DOUBLED: Final = re.compile(r"\b([A-Za-z]+)\s+\1\b", re.IGNORECASE)
_MAY_STAND_TWICE: Final = frozenset(
    {"had", "that", "knock", "bye", "very", "so", "tick", "tock", "no", "yes", "hush", "far"}
)
_SHORTEST_NAME: Final = 4
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
_ENUMERATION: Final = re.compile(r"(?m)^(\s*(?:[-*|]\s*)*)(?:[a-z]|\d{1,2}|[ivx]{1,4})\)")
_PLACEHOLDER: Final = re.compile(r"\{[^{}\n]*\}?|\bTODO\b|\bTBD\b|\bXXXX?\b")


def slips(text: str, name: str = "") -> Iterator[str]:
    """What is wrong with a document's form, each with its place."""
    told = _story(text)
    for found in audit(text, name, blind=True).errors:
        kind = found.code.partition(".")[0]
        # whoever tells a story may think aloud in it; elsewhere such words are the author's own
        if kind in AUDITED and not (kind == "scratch" and found.line in told):
            yield f"line {found.line}: {found.what} ({found.code})"
    for number, paragraph in _paragraphs(text):
        yield from (f"line {number}: {problem}" for problem in _in_paragraph(paragraph))
    for number, line in enumerate(text.split("\n"), start=1):
        if line != line.rstrip():
            yield f"line {number}: spaces at the end of the line"


def _story(text: str) -> range:
    """The lines of the narrative, from its heading to the next one."""
    lines = text.split("\n")
    start = next(
        (number for number, line in enumerate(lines, 1) if line.startswith("## Scenario")), len(lines)
    )
    end = next(
        (number for number, line in enumerate(lines[start:], start + 1) if line.startswith("#")), len(lines)
    )
    return range(start, end)


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Blocks between blank lines; each row of a table is a block, for its cells are not running text."""
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


def _in_paragraph(text: str) -> Iterator[str]:
    for doubled in _DOUBLED.finditer(text):
        words = doubled.group().split()
        # Pago Pago and Sing Sing are called so
        is_name = all(word[0].isupper() for word in words) and len(words[0]) >= _SHORTEST_NAME
        if doubled[1].lower() not in _MAY_STAND_TWICE and not is_name:
            yield f"`{' '.join(doubled.group().split())}`: a word stands twice"
    placeholder = _PLACEHOLDER.search(text)
    if placeholder is not None:
        yield f"`{placeholder.group()}` is a placeholder that nothing filled"
    elif not _is_balanced(text):
        yield "brackets are not in pairs"
    if text.count('"') % 2 or text.count("“") != text.count("”"):
        yield "quotation marks are not in pairs"


def _is_balanced(text: str) -> bool:
    waiting: list[str] = []
    for sign in _ENUMERATION.sub(r"\1", text):
        if sign in _PAIRS.values():
            waiting.append(sign)
        elif sign in _PAIRS and (not waiting or waiting.pop() != _PAIRS[sign]):
            return False
    return not waiting
