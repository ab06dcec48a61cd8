"""Findings of an audit with their line numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import ClassVar

from impossible_moments.audit.finding_codes import CODES
from impossible_moments.mechanics.findings import CodedFinding, Severity, shorten_text


@dataclass(frozen=True, slots=True)
class AuditFinding(CodedFinding):
    """One finding in a document."""

    codes: ClassVar = CODES

    line: int
    code: str
    what: str
    found: str = ""
    expected: str = ""

    def to_dict(self) -> dict[str, str | int]:
        """Return the finding as a dictionary with severity and rule, for JSON."""
        return {"severity": str(self.severity), "rule": self.rule, **asdict(self)}


@dataclass(frozen=True, slots=True)
class DocumentAudit:
    """The findings of one document, in the order of its lines."""

    name: str
    findings: tuple[AuditFinding, ...]

    @property
    def errors(self) -> tuple[AuditFinding, ...]:
        """Findings with the severity error."""
        return tuple(each for each in self.findings if each.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[AuditFinding, ...]:
        """Findings with the severity warning."""
        return tuple(each for each in self.findings if each.severity is Severity.WARNING)

    @property
    def counts(self) -> Counter[str]:
        """Number of errors by kind, which is the code up to its dot."""
        return Counter(each.code.partition(".")[0] for each in self.errors)

    def to_dict(self) -> dict[str, object]:
        """Return the audit as a dictionary, for JSON."""
        return {
            "name": self.name,
            "errors": len(self.errors),
            "warnings": len(self.warnings),
            "findings": [each.to_dict() for each in self.findings],
        }


def create_finding(line: int, code: str, what: str, found: str = "", expected: str = "") -> AuditFinding:
    """Create a finding with its texts cut to a readable length."""
    return AuditFinding(
        line, code, shorten_text(what, 300), shorten_text(found, 160), shorten_text(expected, 160)
    )
