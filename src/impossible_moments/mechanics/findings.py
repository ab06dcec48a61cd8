"""Findings: what a check has to say, as data that people, gates and models read alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import ClassVar

from impossible_moments.mechanics.codes import CODES


class Severity(StrEnum):
    """How much a finding weighs: an error refuses the record, a warning asks for a look, a note informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Coded:
    """A finding under a stable code; the table of codes says what the code weighs and which rule it stands for."""

    __slots__ = ()
    codes: ClassVar[Mapping[str, tuple[str, str]]]
    code: str

    @property
    def severity(self) -> Severity:
        """The weight its code carries."""
        return Severity(self.codes[self.code][0])

    @property
    def rule(self) -> str:
        """The rule its code stands for."""
        return self.codes[self.code][1]


@dataclass(frozen=True, slots=True)
class Finding(Coded):
    """One thing found: its stable code, where it stands, what it is, what stands there and what should."""

    codes: ClassVar = CODES

    code: str
    where: str
    what: str
    found: str = ""
    expected: str = ""

    def as_data(self) -> dict[str, str]:
        """The finding as plain data, for JSON and for a model's next try."""
        return {"severity": str(self.severity), "rule": self.rule, **asdict(self)}

    def __str__(self) -> str:
        text = f"{self.severity} {self.code} at {self.where}: {self.what}"
        if self.found:
            text += f" | found: {self.found}"
        return f"{text} | expected: {self.expected}" if self.expected else text


class Findings:
    """Findings in the order they were made; the same one is kept once."""

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        self._findings: dict[Finding, None] = dict.fromkeys(findings)

    def add(self, code: str, where: str, what: str, *, found: object = "", expected: object = "") -> None:
        """Note a finding. Text from a record is shortened: a message is no place for ten megabytes."""
        finding = Finding(
            code, where, shortened(what, 400), shortened(str(found)), shortened(str(expected), 300)
        )
        if code not in CODES:
            raise KeyError(code)
        self._findings.setdefault(finding)

    def extend(self, other: Iterable[Finding]) -> None:
        """Take over the findings of another check."""
        for finding in other:
            self._findings.setdefault(finding)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._findings)

    def __len__(self) -> int:
        return len(self._findings)

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        """The findings of one weight."""
        return tuple(finding for finding in self._findings if finding.severity is severity)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What refuses the record."""
        return self.of(Severity.ERROR)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes found, in order."""
        return tuple(finding.code for finding in self._findings)


def shortened(text: str, most: int = 200) -> str:
    """Text cut to a length that a reader takes in."""
    return text if len(text) <= most else f"{text[: most - 3]}..."
