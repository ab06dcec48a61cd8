"""The public text of a scenario in the form that the solver reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Any, Final

from impossible_moments.scenarios import Scenario

_SPACE: Final = re.compile(r"\s+")
_CELL_SEPARATOR: Final = re.compile(r"(?<!\\)\|")
_CELLS: Final = ("name", "mass", "dimensions", "material", "notes")
_ARTICLE: Final = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class PublicText:
    """The running text by part, and the table rows as tuples of cells."""

    parts: Mapping[str, str]
    """The narrative, threat and position."""
    rows: tuple[tuple[str, ...], ...]

    def __hash__(self) -> int:
        return hash((tuple(self.parts.items()), self.rows))

    @classmethod
    def from_seed_document(cls, fields: Mapping[str, Any]) -> PublicText:
        """Build the text from the fields of a seed document that a blind reader is shown."""
        scenario = fields["scenario"]
        rows = [
            *((row["feature"], row["specification"]) for row in scenario["environment"]),
            *(tuple(row.get(cell, "") for cell in _CELLS) for row in scenario["objects"]),
            *((row["parameter"], row["value"]) for row in scenario.get("capabilities", ())),
        ]
        parts = {name: scenario[name] for name in ("narrative", "threat", "position")}
        return cls._from_raw_text(parts, rows)

    @classmethod
    def from_scenario(cls, scenario: Scenario) -> PublicText:
        """Build the text from the sections of a published document that a blind solver is shown."""
        sections = scenario.sections
        parts = {
            "narrative": unescape(sections["Scenario"]),
            "threat": unescape(sections["Threat / Challenge"]),
            "position": unescape(sections["Position / Starting State"]),
        }
        rows = [
            tuple(unescape(cell.strip()) for cell in _CELL_SEPARATOR.split(line.strip().strip("|")))
            for name in ("Environment", "Available Objects", "Agent Capabilities")
            for line in sections[name].splitlines()
            if line.strip().startswith("|")
        ]
        return cls._from_raw_text(parts, rows)

    @classmethod
    def _from_raw_text(cls, parts: Mapping[str, str], rows: list[tuple[str, ...]]) -> PublicText:
        return cls(
            {name: normalize_whitespace(text) for name, text in parts.items()},
            tuple(tuple(normalize_whitespace(str(cell)) for cell in row) for row in rows),
        )

    @cached_property
    def lowercase_text(self) -> str:
        """All parts and cells joined, in lower case."""
        return " ".join((*self.parts.values(), *(cell for row in self.rows for cell in row))).lower()

    def find_row(self, head: str) -> tuple[str, ...] | None:
        """Return the row with this heading, ignoring articles and case, or None."""
        normalized_head = normalize_label(head)
        return next((row for row in self.rows if row and normalize_label(row[0]) == normalized_head), None)


def normalize_whitespace(text: str) -> str:
    """Return the text with each run of white space replaced by one space."""
    return _SPACE.sub(" ", text.replace("\\", "")).strip()


def normalize_label(label: str) -> str:
    """Return a label without its article, in lower case."""
    return _ARTICLE.sub("", normalize_whitespace(label)).lower()
