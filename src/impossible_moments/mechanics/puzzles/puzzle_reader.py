"""The reader of puzzle lines, which turns every mistake into a finding."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language.expression_parser import (
    IDENTIFIER,
    ExpressionError,
    parse_expression,
)
from impossible_moments.mechanics.language.expression_types import ExpressionType, suggest_similar_name
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.puzzles.puzzle_context import PuzzleContext, Want
from impossible_moments.mechanics.records.lines import LineError, parse_line

NAME: Final = re.compile(f"({IDENTIFIER.pattern})()")
NAME_OF_ITEM: Final = re.compile(rf"({IDENTIFIER.pattern})\s*\(\s*({IDENTIFIER.pattern})\s*\)")
WORD_NAME: Final = re.compile(r"(\w[\w '-]*)()")


@dataclass(frozen=True, slots=True)
class PuzzleEntry:
    """A parsed line `name = body @ quote` or `name(variable) = body`, with its location in the record."""

    name: str
    variable: str
    body: str
    quote: str
    path: str
    example: str


class PuzzleReader:
    """Reader of one puzzle. `fine` becomes false when a mistake makes the puzzle unsolvable."""

    def __init__(self, context: PuzzleContext, findings: Findings, path: str) -> None:
        self.context = context
        self.path = path
        self.is_valid = True
        self._findings = findings

    def report_finding(
        self, code: str, at: str, what: str, *, found: object = "", expected: object = ""
    ) -> None:
        """Add a finding that does not prevent solving the puzzle."""
        self._findings.add(code, at, what, found=found, expected=expected)

    def reject_puzzle(
        self, code: str, at: str, what: str, *, found: object = "", expected: object = ""
    ) -> None:
        """Add a finding that prevents solving the puzzle, and set `fine` to false."""
        self.is_valid = False
        self.report_finding(code, at, what, found=found, expected=expected)

    def read_entries(
        self, lines: Sequence[str], section: str, *, example: str, head: re.Pattern[str] = NAME
    ) -> tuple[PuzzleEntry, ...]:
        """Parse the lines of a section.

        Malformed lines and repeated names become findings and are left out.
        """
        entries: dict[str, PuzzleEntry] = {}
        for number, line in enumerate(lines):
            entry = self._read_entry(line, f"{self.path}/{section}", number, example, head)
            if entry is None:
                continue
            if entry.name.casefold() in entries:
                self.reject_puzzle(
                    "name.twice",
                    entry.path,
                    f"the puzzle declares `{entry.name}` twice",
                    found=line,
                    expected=f"names that differ by more than capital letters, as in `{example}`",
                )
            entries.setdefault(entry.name.casefold(), entry)
        return tuple(entries.values())

    def _read_entry(
        self, line: str, section: str, number: int, example: str, head: re.Pattern[str]
    ) -> PuzzleEntry | None:
        try:
            parts = parse_line(line, example=example)
        except LineError as problem:
            self.reject_puzzle("line.form", f"{section}/{number}", str(problem), found=line, expected=example)
            return None
        match = head.fullmatch(parts.head)
        if match is None:
            what = f"`{parts.head}` is not allowed before `=` in this line of the puzzle"
            self.reject_puzzle("line.form", f"{section}/{number}", what, found=line, expected=example)
            return None
        return PuzzleEntry(match[1], match[2], parts.body, parts.evidence, f"{section}/{match[1]}", example)

    def parse_typed_expression(
        self, entry: PuzzleEntry, *, variables: Mapping[str, ExpressionType], expected: Want
    ) -> Expression | None:
        """Parse the body of an entry and check its type. Return None after a finding."""
        tree = self.parse_expression(entry)
        if tree is None:
            return None
        if not self.context.check_expression_type(
            tree, variables=variables, expected=expected, path=entry.path
        ):
            self.is_valid = False
            return None
        return tree

    def parse_expression(self, entry: PuzzleEntry) -> Expression | None:
        """Parse the body of an entry. Return None after a finding."""
        try:
            return parse_expression(entry.body)
        except ExpressionError as problem:
            self.reject_puzzle(
                "expression.form", entry.path, str(problem), found=entry.body, expected=entry.example
            )
            return None

    def require_quote(self, entry: PuzzleEntry) -> None:
        """Add a finding if an entry has no quote of the prose."""
        if not entry.quote:
            shape = entry.example.partition("@")[0].strip()
            self.report_finding(
                "puzzle.form",
                entry.path,
                f"the puzzle's line `{entry.name}` has no quote from the prose",
                found=f"{entry.name} = {entry.body}",
                expected=f"name = condition @ exact words of the prose, as in `{shape} @ exact words`",
            )

    def check_known_name(self, name: str, known_names: Collection[str], at: str, *, description: str) -> bool:
        """Return whether a name is in `known_names`. If not, add a finding with a suggestion."""
        if name in known_names:
            return True
        self.reject_puzzle(
            "name.unknown",
            at,
            f"there is no {description} `{name}`{suggest_similar_name(name, known_names)}",
            found=name,
            expected=f"one of: {', '.join(sorted(known_names)) or '(none are declared)'}",
        )
        return False

    def require_unique_names(self, names: Iterable[str], section: str, *, example: str) -> None:
        """Add a finding for each name that a list contains twice, ignoring case."""
        seen: dict[str, str] = {}
        for name in names:
            if name.casefold() in seen:
                self.reject_puzzle(
                    "name.twice",
                    f"{self.path}/{section}",
                    f"the puzzle lists `{name}` twice",
                    found=name,
                    expected=f"names that differ by more than capital letters, as in {example}",
                )
            seen.setdefault(name.casefold(), name)
