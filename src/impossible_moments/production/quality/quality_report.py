"""The report of a quality check: one line for each check, with every problem that it found."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class CheckState(StrEnum):
    """The result of a check."""

    PASSED = "passed"
    FAILED = "failed"
    OPEN = "open"
    """A person has to answer first."""
    SKIPPED = "skipped"


@dataclass(frozen=True)
class QualityCheck:
    """One check: what it covers, its result, a figure, and each problem as a sentence."""

    name: str
    state: CheckState
    summary: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class QualityReport:
    """The checks of a set of scenarios."""

    folder: str
    scenarios: int
    library: str
    checks: tuple[QualityCheck, ...] = field(default=())

    @property
    def is_passed(self) -> bool:
        """Whether no check failed. Checks that wait for a person or were skipped do not fail."""
        return all(each.state is not CheckState.FAILED for each in self.checks)

    @property
    def is_complete(self) -> bool:
        """Whether every check passed."""
        return all(each.state is CheckState.PASSED for each in self.checks)

    def describe(self) -> dict[str, object]:
        """Return the report as data."""
        return {
            "folder": self.folder,
            "scenarios": self.scenarios,
            "library": self.library,
            "passed": self.is_passed,
            "complete": self.is_complete,
            "checks": [
                {
                    "check": each.name,
                    "state": str(each.state),
                    "summary": each.summary,
                    "problems": list(each.problems),
                }
                for each in self.checks
            ],
        }


def build_check(name: str, summary: str, problems: list[str]) -> QualityCheck:
    """Return a check that failed if there are problems, and passed otherwise."""
    return QualityCheck(name, CheckState.FAILED if problems else CheckState.PASSED, summary, tuple(problems))
