"""What an audit has to say: findings with the line they stand in."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import ClassVar

from impossible_moments.audit.codes import CODES
from impossible_moments.mechanics.findings import Coded, Severity, shortened


@dataclass(frozen=True, slots=True)
class Found(Coded):
    """One finding of an audit."""

    codes: ClassVar = CODES

    line: int
    code: str
    what: str
    found: str = ""
    expected: str = ""

    def as_data(self) -> dict[str, str | int]:
        """The finding as plain data."""
        return {"severity": str(self.severity), "rule": self.rule, **asdict(self)}


@dataclass(frozen=True, slots=True)
class Audit:
    """The findings of one document, in the order of its lines."""

    name: str
    findings: tuple[Found, ...]

    @property
    def errors(self) -> tuple[Found, ...]:
        """What is wrong."""
        return tuple(each for each in self.findings if each.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Found, ...]:
        """What is worth a look."""
        return tuple(each for each in self.findings if each.severity is Severity.WARNING)

    @property
    def counts(self) -> Counter[str]:
        """Errors by kind: the code up to its dot."""
        return Counter(each.code.partition(".")[0] for each in self.errors)

    def as_data(self) -> dict[str, object]:
        """The audit as plain data."""
        return {
            "name": self.name,
            "errors": len(self.errors),
            "warnings": len(self.warnings),
            "findings": [each.as_data() for each in self.findings],
        }


def found(line: int, code: str, what: str, found: str = "", expected: str = "") -> Found:
    """A finding whose texts are of a length that a reader takes in."""
    return Found(line, code, shortened(what, 300), shortened(found, 160), shortened(expected, 160))
