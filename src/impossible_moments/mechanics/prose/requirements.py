"""Requirements of a record on its prose: what can be printed, and what must be named, printed and quoted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from impossible_moments.mechanics.language.dimensions import Dimension
from impossible_moments.mechanics.language.scalar_evaluation import Value


@dataclass(frozen=True, slots=True)
class PrintableValue:
    """A value that a placeholder can print: a number in SI, a word or a truth value."""

    value: Value
    dimension: Dimension | None
    """None for words and truth values."""
    absolute: bool = False
    """Whether it is a temperature on a scale such as degC, and not a temperature difference."""


@dataclass(frozen=True, slots=True)
class ProseRequirements:
    """What the prose of a record can print, and what it must name, print and quote."""

    printable: Mapping[str, PrintableValue]
    """Values by path, such as `rim`, `tube.limit`, `deadline` or `shelf.length`."""
    labels: Mapping[str, str]
    """Label of each thing."""
    must_name: Mapping[str, str]
    """JSON path of each thing that must be named."""
    must_print: Mapping[str, str]
    """JSON path of each given quantity that must be printed."""
    needed: Mapping[str, str]
    """For each path that a solution reads, its reader, such as `read by bind in tube_and_string`."""
    quoted: frozenset[str]
    """Paths whose line has a quote, which therefore count as stated."""
    quotes: tuple[tuple[str, str], ...]
    """JSON paths, each with the words that must occur in the template."""
    catalogue: Mapping[str, str]
    """Library row for each everyday word in lower case."""
    determines: Mapping[str, frozenset[str]]
    """For each derived name, the names from which it is computed."""
    paths_stated_by_number: frozenset[str] = frozenset()
    """Quoted paths that are non-zero numbers with a dimension. A quote states them only with their number."""
    disputed: Mapping[str, str] = field(default_factory=dict)
    """JSON path of each disputed quantity. The prose must print both ends, `lag.low` and `lag.high`."""
    never_reads: Mapping[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    """For the JSON path of each never-line, its quote and the paths that its condition compares."""

    @property
    def paths_stated_in_words(self) -> frozenset[str]:
        """Paths that a quote states without a number."""
        return self.quoted - self.paths_stated_by_number

    def find_unstated_names(self, path: str, stated_names: frozenset[str]) -> tuple[str, ...]:
        """Return the names that must still be stated so that `path` can be derived. Empty if it is known."""
        missing: dict[str, None] = {}
        seen: set[str] = set()
        pending = [path]
        while pending:
            name = pending.pop()
            if name in seen or name in stated_names:
                continue
            seen.add(name)
            if name in self.determines:
                pending.extend(sorted(self.determines[name], reverse=True))
            else:
                missing[name] = None
        return tuple(missing)
