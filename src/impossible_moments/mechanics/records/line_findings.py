"""Parsing of record lines with a finding for each line that has the wrong form."""

from __future__ import annotations

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.records.lines import LineError, RecordLine, parse_line


def parse_line_or_report(
    text: str, path: str, findings: Findings, *, example: str, code: str = "line.form", evidence: bool = True
) -> RecordLine | None:
    """Parse a line. Add a finding with `code` and return None if the line does not have the right form."""
    try:
        return parse_line(text, example=example, evidence=evidence)
    except LineError as problem:
        findings.add(code, path, str(problem), found=text, expected=example)
        return None
