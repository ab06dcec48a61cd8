"""The Markdown renderer. Figures are left out, because all their numbers are in tables as well."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.evaluation.reports.report_elements import (
    NOTHING,
    EvaluationReport,
    ReportSection,
    ReportTable,
    escape_invisible,
)

_ACTIVE_CHARACTERS: Final = re.compile(r"[\\`*_\[\]<>|~&$@!#{}^]")
_ADDRESS: Final = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)
_BLOCK_START: Final = re.compile(r"^(?=[-+](?:\s|-|$)|[=:])|^(?<!\d)(\d+)(?=[.)]\s)")


def render_markdown(report: EvaluationReport) -> str:
    """Render the report as Markdown with all text escaped."""
    parts = [f"# {escape_markdown(report.title)}", escape_markdown(report.summary)]
    for section in report.sections:
        parts += _render_section(section)
    return "\n\n".join(parts) + "\n"


def escape_markdown(text: str) -> str:
    """Return a text without any active markup, HTML, link or bare address."""
    line = _ADDRESS.sub(r"\\", _ACTIVE_CHARACTERS.sub(r"\\\g<0>", escape_invisible(" ".join(text.split()))))
    return _BLOCK_START.sub(lambda found: f"{found[1]}\\" if found[1] else "\\", line)


def _render_section(section: ReportSection) -> list[str]:
    return [
        f"## {escape_markdown(section.title)}",
        *(escape_markdown(each) for each in section.paragraphs),
        *(_render_table(each) for each in section.tables),
        *(f"> {escape_markdown(each)}" for each in section.notes),
    ]


def _render_table(table: ReportTable) -> str:
    caption = escape_markdown(table.caption)
    if not table.rows:
        return (
            f"{caption}. {escape_markdown(table.empty_text)}"
            if caption
            else escape_markdown(table.empty_text)
        )
    heads = [escape_markdown(column.head) or " " for column in table.columns]
    rules = ["---:" if column.number else "---" for column in table.columns]
    rows = [heads, rules, *([escape_markdown(cell) or NOTHING for cell in row] for row in table.rows)]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"{caption}\n\n{lines}" if caption else lines
