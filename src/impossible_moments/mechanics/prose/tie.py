"""What the prose must do for its record, in the record's own names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from impossible_moments.mechanics.dimensions import Dimension
from impossible_moments.mechanics.scalars import Value


@dataclass(frozen=True, slots=True)
class Printable:
    """Something a placeholder can print: a number in SI, a word or a truth."""

    value: Value
    dimension: Dimension | None
    """None for words and truths."""
    absolute: bool = False
    """A temperature that was stated on a scale, such as degC: no difference of temperatures."""


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
    told_by_number: frozenset[str] = frozenset()
    """Quoted paths that are numbers with a dimension, and not zero: words tell them only with their figure."""
    disputed: Mapping[str, str] = field(default_factory=dict)
    """Disputed quantity to its JSON path: the prose prints both its ends, `lag.low` and `lag.high`."""
    never_reads: Mapping[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    """JSON path of a never-line to its quote and the paths that its condition compares."""

    @property
    def told_in_words(self) -> frozenset[str]:
        """The paths that a quote states without a figure."""
        return self.quoted - self.told_by_number

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
