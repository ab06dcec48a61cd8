"""The texts of a scenario as readers see them: the public text, and the answer key behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from impossible_moments.mechanics.wording import extract_word_stems

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+|\n\s*\n")  # noqa: RUF001 - typeset quotes
_QUOTED: Final = re.compile(r"\"[^\"]*\"|“[^”]*”")
_COMPOUND: Final = re.compile(r"\w+(?:-\w+)+")
_ROW: Final = re.compile(r"(?P<label>[^:.]{1,80}): (?P<cells>.*?)(?:\.(?=\s|$)|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its label and its cells."""

    table: str
    label: str
    cells: tuple[str, ...]

    @property
    def text(self) -> str:
        """The row as one line."""
        return f"{self.label}: {'; '.join(filter(None, self.cells))}"


@dataclass(frozen=True)
class PublicText:
    """What a solver reads: running text and tables, with all values filled in."""

    narrative: str
    threat: str = ""
    position: str = ""
    rows: tuple[TableRow, ...] = ()
    further: tuple[str, ...] = ()
    """Other texts and names that a reader has: the title, other names of things."""

    @property
    def running(self) -> dict[str, str]:
        """The running text by part."""
        return {"narrative": self.narrative, "threat": self.threat, "position": self.position}

    @cached_property
    def whole(self) -> str:
        """Everything that is public, as one text."""
        return "\n\n".join((*self.running.values(), *(row.text for row in self.rows), *self.further))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all its words. A compound also counts as its parts."""
        return collect_stems(self.whole)


@dataclass(frozen=True, slots=True)
class KeyText:
    """One text of the answer key, with the path of its place."""

    where: str
    text: str


def collect_stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text. A compound also counts as one word."""
    joined = " ".join(match.group().replace("-", "") for match in _COMPOUND.finditer(text))
    return extract_word_stems(f"{text} {joined}")


def split_sentences(text: str) -> list[str]:
    """Split a text into sentences."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]


def remove_quotations(text: str) -> str:
    """Return a text without the words between quotation marks."""
    return _QUOTED.sub(" ", text)


def parse_table_rows(table: str, text: str) -> Iterator[TableRow]:
    """Yield the rows of a table that a record writes as `label: cell; cell. label: cell`, with full stops between."""
    for match in _ROW.finditer(text):
        cells = tuple(cell.strip() for cell in match["cells"].split(";"))
        yield TableRow(table, match["label"].strip(), cells)
