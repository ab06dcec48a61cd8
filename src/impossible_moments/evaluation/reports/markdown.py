"""The Markdown renderer. Figures are left out, because all their numbers are in tables as well."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.evaluation.reports.form import NOTHING, Report, Section, Table, visible

_ACTS: Final = re.compile(r"[\\`*_\[\]<>|~&$@!#{}^]")
_ADDRESS: Final = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)
_BEGINS_A_BLOCK: Final = re.compile(r"^(?=[-+](?:\s|-|$)|[=:])|^(?<!\d)(\d+)(?=[.)]\s)")


def as_markdown(report: Report) -> str:
    """Render the report as Markdown with all text escaped."""
    parts = [f"# {plain(report.title)}", plain(report.summary)]
    for section in report.sections:
        parts += _section(section)
    return "\n\n".join(parts) + "\n"


def plain(text: str) -> str:
    """Return a text without any active markup, HTML, link or bare address."""
    one = _ADDRESS.sub(r"\\", _ACTS.sub(r"\\\g<0>", visible(" ".join(text.split()))))
    return _BEGINS_A_BLOCK.sub(lambda found: f"{found[1]}\\" if found[1] else "\\", one)


def _section(section: Section) -> list[str]:
    return [
        f"## {plain(section.title)}",
        *(plain(each) for each in section.paragraphs),
        *(_table(each) for each in section.tables),
        *(f"> {plain(each)}" for each in section.notes),
    ]


def _table(table: Table) -> str:
    caption = plain(table.caption)
    if not table.rows:
        return f"{caption}. {plain(table.otherwise)}" if caption else plain(table.otherwise)
    heads = [plain(column.head) or " " for column in table.columns]
    rules = ["---:" if column.number else "---" for column in table.columns]
    rows = [heads, rules, *([plain(cell) or NOTHING for cell in row] for row in table.rows)]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"{caption}\n\n{lines}" if caption else lines
