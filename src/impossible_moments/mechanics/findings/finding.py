"""Findings of checks, as data for people, gates and models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import ClassVar

from impossible_moments.mechanics.findings.codes import CODES


class Severity(StrEnum):
    """Weight of a finding: an error rejects the record, a warning asks for a review, a note only informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class CodedFinding:
    """Base class of findings with a stable code. `codes` maps each code to its severity and its rule."""

    __slots__ = ()
    codes: ClassVar[Mapping[str, tuple[str, str]]]
    code: str

    @property
    def severity(self) -> Severity:
        """Severity of the code."""
        return Severity(self.codes[self.code][0])

    @property
    def rule(self) -> str:
        """Rule that the code stands for."""
        return self.codes[self.code][1]


@dataclass(frozen=True, slots=True)
class Finding(CodedFinding):
    """One finding of a check.

    `where` is a path in the record, `what` a sentence, `found` the present text and `expected` a correct one.
    """

    codes: ClassVar = CODES

    code: str
    where: str
    what: str
    found: str = ""
    expected: str = ""

    def to_data(self) -> dict[str, str]:
        """Return the finding, its severity and its rule as a dictionary, for JSON and for models."""
        return {"severity": str(self.severity), "rule": self.rule, **asdict(self)}

    def __str__(self) -> str:
        text = f"{self.severity} {self.code} at {self.where}: {self.what}"
        if self.found:
            text += f" | found: {self.found}"
        return f"{text} | expected: {self.expected}" if self.expected else text


class Findings:
    """Collection of findings in the order they were added, without duplicates."""

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        self._findings: dict[Finding, None] = dict.fromkeys(findings)
        self._is_closed = False

    def close(self) -> None:
        """Let nothing be added any more, because several readers share the findings."""
        self._is_closed = True

    def add(self, code: str, where: str, what: str, *, found: object = "", expected: object = "") -> None:
        """Add a finding, with its texts shortened because text from a record may be very long.

        Raise `KeyError` if the code is not in `CODES`.
        """
        finding = Finding(
            code, where, shorten_text(what, 400), shorten_text(str(found)), shorten_text(str(expected), 300)
        )
        if code not in CODES:
            raise KeyError(code)
        self._insert(finding)

    def extend(self, other: Iterable[Finding]) -> None:
        """Add the findings of another check."""
        for finding in other:
            self._insert(finding)

    def _insert(self, finding: Finding) -> None:
        assert not self._is_closed, (
            "the findings are shared; collect further ones in a collection of your own"
        )
        self._findings.setdefault(finding)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._findings)

    def __len__(self) -> int:
        return len(self._findings)

    def select_by_severity(self, severity: Severity) -> tuple[Finding, ...]:
        """Return the findings that have this severity."""
        return tuple(finding for finding in self._findings if finding.severity is severity)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Findings that reject the record."""
        return self.select_by_severity(Severity.ERROR)

    @property
    def codes(self) -> tuple[str, ...]:
        """Code of each finding, in order."""
        return tuple(finding.code for finding in self._findings)


def shorten_text(text: str, most: int = 200) -> str:
    """Return the text, cut to at most `most` characters with `...` at the end."""
    return text if len(text) <= most else f"{text[: most - 3]}..."
