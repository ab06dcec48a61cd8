"""Reading a puzzle's lines: whatever is wrong becomes a finding, and the reader remembers that it was."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.lines import LineError, split_line
from impossible_moments.mechanics.parsing import IDENTIFIER, ExpressionError, parse
from impossible_moments.mechanics.puzzles.context import Context, Want
from impossible_moments.mechanics.sorts import Type, did_you_mean

NAME: Final = re.compile(f"({IDENTIFIER.pattern})()")
NAME_OF_ITEM: Final = re.compile(rf"({IDENTIFIER.pattern})\s*\(\s*({IDENTIFIER.pattern})\s*\)")
WORDS: Final = re.compile(r"(\w[\w '-]*)()")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line `name = body @ quote`, or `name(variable) = body`, and where it stands."""

    name: str
    variable: str
    body: str
    quote: str
    where: str
    example: str


class Reader:
    """Reads one puzzle. `fine` turns false when something is missing without which it cannot be solved."""

    def __init__(self, context: Context, findings: Findings, where: str) -> None:
        self.context = context
        self.where = where
        self.fine = True
        self._findings = findings

    def remark(self, code: str, at: str, what: str, *, found: object = "", expected: object = "") -> None:
        """Note a finding that does not keep the puzzle from being solved."""
        self._findings.add(code, at, what, found=found, expected=expected)

    def refuse(self, code: str, at: str, what: str, *, found: object = "", expected: object = "") -> None:
        """Note a finding that keeps the puzzle from being solved."""
        self.fine = False
        self.remark(code, at, what, found=found, expected=expected)

    def entries(
        self, lines: Sequence[str], section: str, *, example: str, head: re.Pattern[str] = NAME
    ) -> tuple[Entry, ...]:
        """The lines of a section that can be read, each name once."""
        entries: dict[str, Entry] = {}
        for number, line in enumerate(lines):
            entry = self._entry(line, f"{self.where}/{section}", number, example, head)
            if entry is None:
                continue
            if entry.name.casefold() in entries:
                self.refuse(
                    "name.twice",
                    entry.where,
                    f"`{entry.name}` is given twice",
                    found=line,
                    expected=f"names that differ, not only in capitals, as in `{example}`",
                )
            entries.setdefault(entry.name.casefold(), entry)
        return tuple(entries.values())

    def _entry(
        self, line: str, section: str, number: int, example: str, head: re.Pattern[str]
    ) -> Entry | None:
        try:
            parts = split_line(line, example=example)
        except LineError as problem:
            self.refuse("line.form", f"{section}/{number}", str(problem), found=line, expected=example)
            return None
        match = head.fullmatch(parts.head)
        if match is None:
            what = f"`{parts.head}` cannot stand before `=` here"
            self.refuse("line.form", f"{section}/{number}", what, found=line, expected=example)
            return None
        return Entry(match[1], match[2], parts.body, parts.evidence, f"{section}/{match[1]}", example)

    def tree(self, entry: Entry, *, variables: Mapping[str, Type], want: Want) -> Expression | None:
        """The entry's body as a tree that the world finds well typed."""
        tree = self.parsed(entry)
        if tree is None:
            return None
        if not self.context.typed(tree, variables=variables, want=want, where=entry.where):
            self.fine = False
            return None
        return tree

    def parsed(self, entry: Entry) -> Expression | None:
        """The entry's body as a tree."""
        try:
            return parse(entry.body)
        except ExpressionError as problem:
            self.refuse(
                "expression.form", entry.where, str(problem), found=entry.body, expected=entry.example
            )
            return None

    def wants_quote(self, entry: Entry) -> None:
        """Note an entry for which the prose is not quoted."""
        if not entry.quote:
            shape = entry.example.partition("@")[0].strip()
            self.remark(
                "puzzle.form",
                entry.where,
                f"`{entry.name}` has no quote: nothing in the prose says so",
                found=f"{entry.name} = {entry.body}",
                expected=f"name = condition @ exact words of the prose, as in `{shape} @ exact words`",
            )

    def knows(self, name: str, among: Collection[str], at: str, *, called: str) -> bool:
        """Whether a name is one of the known; else a finding that suggests one."""
        if name in among:
            return True
        self.refuse(
            "name.unknown",
            at,
            f"there is no {called} `{name}`{did_you_mean(name, among)}",
            found=name,
            expected=f"one of: {', '.join(sorted(among)) or '(none is given)'}",
        )
        return False

    def wants_unique(self, names: Iterable[str], section: str, *, example: str) -> None:
        """Note names that a list gives twice."""
        seen: dict[str, str] = {}
        for name in names:
            if name.casefold() in seen:
                self.refuse(
                    "name.twice",
                    f"{self.where}/{section}",
                    f"`{name}` is listed twice",
                    found=name,
                    expected=f"each name once, not only different in capitals, as in {example}",
                )
            seen.setdefault(name.casefold(), name)
