"""Findings of an audit with their line numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import ClassVar

from impossible_moments.audit.codes import CODES
from impossible_moments.mechanics.findings import Coded, Severity, shortened


@dataclass(frozen=True, slots=True)
class Found(Coded):
    """One finding in a document."""

    codes: ClassVar = CODES

    line: int
    code: str
    what: str
    found: str = ""
    expected: str = ""

    def as_data(self) -> dict[str, str | int]:
        """Return the finding as a dictionary with severity and rule, for JSON."""
        return {"severity": str(self.severity), "rule": self.rule, **asdict(self)}


@dataclass(frozen=True, slots=True)
class Audit:
    """The findings of one document, in the order of its lines."""

    name: str
    findings: tuple[Found, ...]

    @property
    def errors(self) -> tuple[Found, ...]:
        """Findings with the severity error."""
        return tuple(each for each in self.findings if each.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Found, ...]:
        """Findings with the severity warning."""
        return tuple(each for each in self.findings if each.severity is Severity.WARNING)

    @property
    def counts(self) -> Counter[str]:
        """Number of errors by kind, which is the code up to its dot."""
        return Counter(each.code.partition(".")[0] for each in self.errors)

    def as_data(self) -> dict[str, object]:
        """Return the audit as a dictionary, for JSON."""
        return {
            "name": self.name,
            "errors": len(self.errors),
            "warnings": len(self.warnings),
            "findings": [each.as_data() for each in self.findings],
        }


def found(line: int, code: str, what: str, found: str = "", expected: str = "") -> Found:
    """Create a finding with its texts cut to a readable length."""
    return Found(line, code, shortened(what, 300), shortened(found, 160), shortened(expected, 160))
