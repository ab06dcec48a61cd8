"""Errors of the record that its check found, as objections and corrections."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.euler.objections import Objection, Weight
from impossible_moments.agents.builtin.euler.record_workings import RecordWorkings
from impossible_moments.domain.validation import Correction
from impossible_moments.mechanics.findings import Finding

MOST_FINDINGS: Final = 2


def object_to_finding(finding: Finding) -> Objection:
    """Return the objection to an error of execution."""
    return Objection(
        finding.what,
        "execution of the record",
        f"{finding.code}: found {finding.found or 'nothing'}, 1 error of the record at {finding.where or 'its root'}; {finding.expected}",
        Weight.CHALLENGE,
    )


def select_execution_errors(workings: RecordWorkings) -> tuple[Finding, ...]:
    """Return at most two errors of execution: approaches that do not end as stated, or unlisted plans."""
    return tuple(
        each for each in workings.report.findings.errors if each.code.startswith(("approach.", "status."))
    )[:MOST_FINDINGS]


def list_record_corrections(workings: RecordWorkings) -> Iterator[Correction]:
    """Yield a correction for each error of the record that is computed. The prose is for others to judge."""
    for finding in workings.report.findings.errors:
        if not finding.code.startswith("prose."):
            yield Correction(
                subject=finding.where.strip("/").replace("/", "."),
                problem=f"The record does not compute as it says: {finding.what}.",
                evidence=f"{finding.code}, found {finding.found or 'nothing'}",
                proposal=f"Expected: {finding.expected}." if finding.expected else "",
            )
