"""Changes of a draw: some of its values are drawn again or set, and all others stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from impossible_moments.blueprints.overlays import Data
from impossible_moments.blueprints.parameter_draws import (
    find_referenced_draws,
    fit_value_to_draw,
    has_several_values,
    is_computed_draw,
)
from impossible_moments.mechanics.records import LineError, parse_line, split_lines

_OPTION_GROUP: Final = "options."
_EXAMPLE: Final = "rim = 3.6[m]"
_LEADING_VALUE: Final = re.compile(r"\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?\s*(?:\[[^\[\]]*\])?")


@dataclass(frozen=True, slots=True)
class DrawChanges:
    """What differs from the first draw of an offer."""

    redraws: Mapping[str, int] = field(default_factory=dict)
    """How often a draw, or an option group as `options.name`, was drawn again."""
    values: Mapping[str, str] = field(default_factory=dict)
    """Draws that are set to a value of their range."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """Values of quantities that no draw feeds, by path, such as `plank.mass` to `12[kg]`."""


@dataclass(frozen=True, slots=True)
class DrawOrigin:
    """The definitions and values of the draws of an instance, and its record with `$name` in place of values."""

    definitions: Mapping[str, str]
    values: Mapping[str, str]
    template: Data

    def find_stated_line(self, path: str) -> str | None:
        """Return the text after `name =` of a quantity, with `$name` in place of drawn values."""
        return dict(iterate_stated_lines(self.template)).get(path)

    def find_source_draws(self, path: str) -> frozenset[str]:
        """Return the draws behind a quantity that can be drawn again, also those behind computed draws."""
        return self._expand_to_sources(self.find_stated_line(path) or "")

    def find_draws_of_text(self, text: object) -> frozenset[str]:
        """Return the draws behind any part of the record's template."""
        match text:
            case str():
                return self._expand_to_sources(text)
            case Mapping():
                return frozenset().union(*map(self.find_draws_of_text, text.values()))
            case list():
                return frozenset().union(*map(self.find_draws_of_text, text))
            case _:
                return frozenset()

    def fit_stated_value(self, path: str, value: float) -> tuple[str, str] | None:
        """Return the draw and its value that state a number for a quantity, or None if the ranges forbid it.

        `value` is in the unit of the quantity's line.
        """
        match = re.fullmatch(
            r"\s*\$([a-z][a-z0-9_]*)\s*(?:\[[^\[\]]*\])?.*", self.find_stated_line(path) or ""
        )
        if match is None or match[1] not in self.definitions:
            return None
        fitted = fit_value_to_draw(self.definitions[match[1]], value)
        return None if fitted is None else (match[1], fitted)

    def _expand_to_sources(self, text: str) -> frozenset[str]:
        found: set[str] = set()
        seen: set[str] = set()
        pending = sorted(find_referenced_draws(text))
        while pending:
            name = pending.pop()
            definition = self.definitions.get(name, "")
            if name in seen:
                continue
            seen.add(name)
            pending += sorted(find_referenced_draws(definition))
            if has_several_values(definition) and not is_computed_draw(definition):
                found.add(name)
        return frozenset(found)


NO_CHANGES: Final = DrawChanges()
NO_ORIGIN: Final = DrawOrigin({}, {}, {})


def format_option_group(name: str) -> str:
    """Return the key of an option group among the redraws."""
    return f"{_OPTION_GROUP}{name}"


def iterate_stated_lines(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each quantity and property of a record with the text after its `=`."""
    for owner, lines in _iterate_sections(record):
        for line in lines:
            try:
                parts = parse_line(line, example=_EXAMPLE, evidence=False)
            except LineError:
                continue
            yield f"{owner}{parts.head}", parts.body


def _iterate_sections(record: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    yield "", split_lines(record.get("quantities"))
    for thing in record.get("things") or ():
        if isinstance(thing, Mapping):
            yield f"{thing.get('name')}.", split_lines(thing.get("props"))


def replace_stated_values(record: Data, values: Mapping[str, str]) -> Data:
    """Return the record with the leading values of some quantities replaced, or added if a thing has no such line."""
    if not values:
        return record
    things = [
        {**thing, "props": _replace_lines(thing.get("props"), f"{thing.get('name')}.", values)}
        if any(path.startswith(f"{thing.get('name')}.") for path in values)
        else thing
        for thing in record.get("things") or ()
    ]
    quantities = _replace_lines(record.get("quantities"), "", values)
    return {**record, "quantities": quantities, "things": things}


def _replace_lines(section: object, owner: str, values: Mapping[str, str]) -> list[str]:
    lines, found = [], set()
    for line in split_lines(section):
        head, _, body = line.partition("=")
        path = f"{owner}{head.strip()}"
        if path not in values:
            lines.append(line)
            continue
        found.add(path)
        lines.append(f"{head.strip()} = {values[path]}{_LEADING_VALUE.sub('', body, count=1)}")
    missing = [
        path for path in sorted(values) if path not in found and path.rpartition(".")[0] == owner.rstrip(".")
    ]
    return lines + [f"{path.rpartition('.')[2]} = {values[path]}" for path in missing if owner]
