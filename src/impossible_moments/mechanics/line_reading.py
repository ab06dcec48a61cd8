"""Lines read where a slip is a finding: the one place that turns a bad line into words."""

from __future__ import annotations

from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.lines import Line, LineError, split_line


def read_line(
    text: str, where: str, findings: Findings, *, example: str, code: str = "line.form", evidence: bool = True
) -> Line | None:
    """The parts of a line, or None after a finding that shows how such a line is written."""
    try:
        return split_line(text, example=example, evidence=evidence)
    except LineError as problem:
        findings.add(code, where, str(problem), found=text, expected=example)
        return None
