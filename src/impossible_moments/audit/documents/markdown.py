"""Parser of Markdown documents into lines, sections and tables with line numbers.

It supports headings, pipe tables, fenced code and `**Key**: value` lines. Any text is a valid document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

LONGEST_LINE: Final = 8_000
"""Characters that are read of one line. The limit keeps pattern matching fast on hostile text."""
_HEADING: Final = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE: Final = re.compile(r"\s*(```|~~~)")
_RULE: Final = re.compile(
    r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$|\s*\|\s*:?-+:?\s*\|?\s*$|\s*:?-{2,}:?\s*\|?\s*$"
)
_KEY: Final = re.compile(r"\s*(?:[-*]\s+)?\*\*([^*\n]{1,80}?)\s*:?\*\*\s*:?\s*(.*)$")


@dataclass(frozen=True, slots=True)
class MarkdownLine:
    """Line with its number, counted from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class MarkdownRow:
    """Row of a table with its line number."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkdownTable:
    """Pipe table."""

    header: MarkdownRow
    rows: tuple[MarkdownRow, ...]

    def find_column(self, pattern: re.Pattern[str]) -> int | None:
        """Return the index of the first column whose heading matches, or None."""
        return next(
            (at for at, head in enumerate(self.header.cells) if pattern.search(strip_emphasis(head))), None
        )

    def get_cell(self, row: MarkdownRow, at: int | None) -> str:
        """Return a cell of a row, or an empty string if the row is too short or the column is None."""
        return row.cells[at] if at is not None and at < len(row.cells) else ""


@dataclass(frozen=True, slots=True)
class MarkdownSection:
    """Heading with the lines below it, up to the next heading of any level."""

    level: int
    title: str
    number: int
    lines: tuple[MarkdownLine, ...]
    path: tuple[str, ...]
    """Titles of the headings above it, the outermost first."""

    @property
    def text(self) -> str:
        """Lines of the section as one text."""
        return "\n".join(line.text for line in self.lines)


class MarkdownDocument:
    """Markdown document."""

    def __init__(self, text: str) -> None:
        self.lines = tuple(
            MarkdownLine(number, line[:LONGEST_LINE])
            for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1)
        )

    @cached_property
    def sections(self) -> tuple[MarkdownSection, ...]:
        """All sections in order. The first has level 0 and contains the lines above the first heading."""
        return tuple(self._parse_sections())

    def _parse_sections(self) -> Iterator[MarkdownSection]:
        above: list[tuple[int, str]] = []
        level, title, number, body = 0, "", 1, list[MarkdownLine]()
        fenced = False
        for line in self.lines:
            if _FENCE.match(line.text):
                fenced = not fenced
            match = None if fenced else _HEADING.match(line.text)
            if match is None:
                body.append(line)
                continue
            yield MarkdownSection(level, title, number, tuple(body), tuple(each for _, each in above))
            level, title, number, body = len(match[1]), strip_emphasis(match[2]), line.number, []
            while above and above[-1][0] >= level:
                above.pop()
            above.append((level, title))
        yield MarkdownSection(level, title, number, tuple(body), tuple(each for _, each in above))

    def find_sections_under(self, pattern: re.Pattern[str]) -> tuple[MarkdownSection, ...]:
        """Return the sections whose own title, or a title above it, matches."""
        return tuple(
            section
            for section in self.sections
            if any(pattern.search(title) for title in (*section.path, section.title))
        )

    @cached_property
    def tables(self) -> tuple[MarkdownTable, ...]:
        """All tables in order of appearance."""
        return tuple(self._parse_tables())

    def _parse_tables(self) -> Iterator[MarkdownTable]:
        at = 0
        while at + 1 < len(self.lines):
            if "|" in self.lines[at].text and _RULE.match(self.lines[at + 1].text):
                end = at + 2
                while end < len(self.lines) and "|" in self.lines[end].text:
                    end += 1
                yield MarkdownTable(
                    _parse_row(self.lines[at]), tuple(_parse_row(line) for line in self.lines[at + 2 : end])
                )
                at = end
            else:
                at += 1

    @cached_property
    def keys(self) -> tuple[tuple[MarkdownLine, str, str], ...]:
        """Lines of the form `**Key**: value`, each with key and value."""
        found = ((line, _KEY.match(line.text)) for line in self.lines)
        return tuple(
            (line, strip_emphasis(match[1]), match[2].strip()) for line, match in found if match is not None
        )


def _parse_row(line: MarkdownLine) -> MarkdownRow:
    text = line.text.strip().removeprefix("|")
    if text.endswith("|") and not text.endswith("\\|"):
        text = text[:-1]
    cells = re.split(r"(?<!\\)\|", text)
    return MarkdownRow(line.number, tuple(cell.strip() for cell in cells))


def strip_emphasis(text: str) -> str:
    """Return text without emphasis and code marks."""
    return re.sub(r"[*_`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}", "", text).strip()


def split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, approximately.

    A full stop ends a sentence only before a capital letter.
    """
    yield from (part for part in re.split(r"(?<=[.!?;])\s+(?=[A-Z(*\"'])", text) if part.strip())
