"""The reader of puzzle lines, which turns every mistake into a finding."""

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
    """A parsed line `name = body @ quote` or `name(variable) = body`, with its location in the record."""

    name: str
    variable: str
    body: str
    quote: str
    where: str
    example: str


class Reader:
    """Reader of one puzzle. `fine` becomes false when a mistake makes the puzzle unsolvable."""

    def __init__(self, context: Context, findings: Findings, where: str) -> None:
        self.context = context
        self.where = where
        self.fine = True
        self._findings = findings

    def remark(self, code: str, at: str, what: str, *, found: object = "", expected: object = "") -> None:
        """Add a finding that does not prevent solving the puzzle."""
        self._findings.add(code, at, what, found=found, expected=expected)

    def refuse(self, code: str, at: str, what: str, *, found: object = "", expected: object = "") -> None:
        """Add a finding that prevents solving the puzzle, and set `fine` to false."""
        self.fine = False
        self.remark(code, at, what, found=found, expected=expected)

    def entries(
        self, lines: Sequence[str], section: str, *, example: str, head: re.Pattern[str] = NAME
    ) -> tuple[Entry, ...]:
        """Parse the lines of a section.

        Malformed lines and repeated names become findings and are left out.
        """
        entries: dict[str, Entry] = {}
        for number, line in enumerate(lines):
            entry = self._entry(line, f"{self.where}/{section}", number, example, head)
            if entry is None:
                continue
            if entry.name.casefold() in entries:
                self.refuse(
                    "name.twice",
                    entry.where,
                    f"`{entry.name}` is declared twice",
                    found=line,
                    expected=f"names that differ by more than capital letters, as in `{example}`",
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
            what = f"`{parts.head}` is not allowed before `=` here"
            self.refuse("line.form", f"{section}/{number}", what, found=line, expected=example)
            return None
        return Entry(match[1], match[2], parts.body, parts.evidence, f"{section}/{match[1]}", example)

    def tree(self, entry: Entry, *, variables: Mapping[str, Type], want: Want) -> Expression | None:
        """Parse the body of an entry and check its type. Return None after a finding."""
        tree = self.parsed(entry)
        if tree is None:
            return None
        if not self.context.typed(tree, variables=variables, want=want, where=entry.where):
            self.fine = False
            return None
        return tree

    def parsed(self, entry: Entry) -> Expression | None:
        """Parse the body of an entry. Return None after a finding."""
        try:
            return parse(entry.body)
        except ExpressionError as problem:
            self.refuse(
                "expression.form", entry.where, str(problem), found=entry.body, expected=entry.example
            )
            return None

    def wants_quote(self, entry: Entry) -> None:
        """Add a finding if an entry has no quote of the prose."""
        if not entry.quote:
            shape = entry.example.partition("@")[0].strip()
            self.remark(
                "puzzle.form",
                entry.where,
                f"`{entry.name}` has no quote from the prose",
                found=f"{entry.name} = {entry.body}",
                expected=f"name = condition @ exact words of the prose, as in `{shape} @ exact words`",
            )

    def knows(self, name: str, among: Collection[str], at: str, *, called: str) -> bool:
        """Return whether a name is in `among`. If not, add a finding with a suggestion."""
        if name in among:
            return True
        self.refuse(
            "name.unknown",
            at,
            f"there is no {called} `{name}`{did_you_mean(name, among)}",
            found=name,
            expected=f"one of: {', '.join(sorted(among)) or '(none are declared)'}",
        )
        return False

    def wants_unique(self, names: Iterable[str], section: str, *, example: str) -> None:
        """Add a finding for each name that a list contains twice, ignoring case."""
        seen: dict[str, str] = {}
        for name in names:
            if name.casefold() in seen:
                self.refuse(
                    "name.twice",
                    f"{self.where}/{section}",
                    f"`{name}` is listed twice",
                    found=name,
                    expected=f"names that differ by more than capital letters, as in {example}",
                )
            seen.setdefault(name.casefold(), name)
