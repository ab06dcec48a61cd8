"""What the prose must do for its record, in the record's own names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from impossible_moments.mechanics.dimensions import Dimension
from impossible_moments.mechanics.scalars import Value


@dataclass(frozen=True, slots=True)
class Printable:
    """Something a placeholder can print: a number in SI, a word or a truth."""

    value: Value
    dimension: Dimension | None
    """None for words and truths."""


@dataclass(frozen=True, slots=True)
class Tie:
    """What may be printed, and what must be named, printed and quoted."""

    printable: Mapping[str, Printable]
    """`rim`, `tube.limit`, `deadline`, `shelf.length`."""
    labels: Mapping[str, str]
    """Thing to its label."""
    must_name: Mapping[str, str]
    """Thing to its JSON path."""
    must_print: Mapping[str, str]
    """Given quantity to its JSON path."""
    needed: Mapping[str, str]
    """Path that a solution reads, to who reads it: `read by bind in tube_and_string`."""
    quoted: frozenset[str]
    """Paths whose line carries a quote: they count as stated."""
    quotes: tuple[tuple[str, str], ...]
    """JSON path and the words that must stand in the template."""
    catalogue: Mapping[str, str]
    """Everyday word in lower case to its row of the library."""
    determines: Mapping[str, frozenset[str]]
    """Derived name to the names it follows from."""

    def unstated_behind(self, path: str, stated: frozenset[str]) -> tuple[str, ...]:
        """The names that must still be stated before `path` is known; none if it is stated or follows."""
        missing: dict[str, None] = {}
        seen: set[str] = set()
        waiting = [path]
        while waiting:
            name = waiting.pop()
            if name in seen or name in stated:
                continue
            seen.add(name)
            if name in self.determines:
                waiting.extend(sorted(self.determines[name], reverse=True))
            else:
                missing[name] = None
        return tuple(missing)
