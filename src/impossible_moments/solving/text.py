"""The public text of a scenario, as a solver is given it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any, Final

from impossible_moments.scenarios.scenario import Scenario

_SPACE: Final = re.compile(r"\s+")
_BAR: Final = re.compile(r"(?<!\\)\|")
_CELLS: Final = ("name", "mass", "dimensions", "material", "notes")
_ARTICLE: Final = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class PublicText:
    """Running text by part, and the rows of the tables, each as the cells that stand in it."""

    parts: Mapping[str, str]
    """Narrative, threat and position."""
    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def of_narrative(cls, fields: Mapping[str, Any]) -> PublicText:
        """From what a blind reader is given of a seed document."""
        scenario = fields["scenario"]
        rows = [
            *((row["feature"], row["specification"]) for row in scenario["environment"]),
            *(tuple(row.get(cell, "") for cell in _CELLS) for row in scenario["objects"]),
            *((row["parameter"], row["value"]) for row in scenario["capabilities"]),
        ]
        parts = {name: scenario[name] for name in ("narrative", "threat", "position")}
        return cls._tidied(parts, rows)

    @classmethod
    def of_document(cls, scenario: Scenario) -> PublicText:
        """From a published document; only what a blind solver is shown is looked at."""
        sections = scenario.sections
        parts = {
            "narrative": unescape(sections["Scenario"]),
            "threat": unescape(sections["Threat / Challenge"]),
            "position": unescape(sections["Position / Starting State"]),
        }
        rows = [
            tuple(unescape(cell.strip()) for cell in _BAR.split(line.strip().strip("|")))
            for name in ("Environment", "Available Objects", "Agent Capabilities")
            for line in sections[name].splitlines()
            if line.strip().startswith("|")
        ]
        return cls._tidied(parts, rows)

    @classmethod
    def _tidied(cls, parts: Mapping[str, str], rows: list[tuple[str, ...]]) -> PublicText:
        return cls(
            {name: tidy(text) for name, text in parts.items()},
            tuple(tuple(tidy(str(cell)) for cell in row) for row in rows),
        )

    @property
    def whole(self) -> str:
        """Everything, in lower case."""
        return " ".join((*self.parts.values(), *(cell for row in self.rows for cell in row))).lower()

    def row(self, head: str) -> tuple[str, ...] | None:
        """The row about something; articles and capitals aside."""
        wanted = bare(head)
        return next((row for row in self.rows if row and bare(row[0]) == wanted), None)


def tidy(text: str) -> str:
    """The text with every stretch of white space as one space."""
    return _SPACE.sub(" ", text.replace("\\", "")).strip()


def bare(label: str) -> str:
    """A label without its article, in lower case."""
    return _ARTICLE.sub("", tidy(label)).lower()
