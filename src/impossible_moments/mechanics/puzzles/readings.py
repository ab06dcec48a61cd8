"""Readings of a row of items: which items are kept, in which order, and what is read from each."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from impossible_moments.mechanics.expressions import Expression, Text, bound
from impossible_moments.mechanics.puzzles.context import NO_VALUE, Context
from impossible_moments.mechanics.scalars import Value, same

PARTS: Final = ("keep", "order", "read")
LARGEST_SIGN: Final = 99


class Rules(NamedTuple):
    """The names of the keep, order and read rules of a reading."""

    keep: str
    order: str
    read: str

    def __str__(self) -> str:
        return "/".join(self)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule `name(variable) = expression` that is applied to each item."""

    name: str
    variable: str
    tree: Expression


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of one choice of rules: a code, or the reason why there is none."""

    rules: Rules
    code: str | None
    why: str = ""


class IllFormed(ValueError):
    """A reading that gives no code. The message is the reason."""


_Column: TypeAlias = Mapping[str, Value | None]


@dataclass(frozen=True, slots=True)
class Row:
    """The items and the value of each rule for each item, None where a rule is undefined."""

    items: Sequence[str]
    length: int
    columns: Mapping[tuple[str, str], _Column]

    def read(self, rules: Rules) -> Reading:
        """Return the reading with these rules, with its code or the reason why there is none."""
        try:
            kept = self._kept(rules.keep)
            return Reading(rules, "".join(self._signs(self._ordered(kept, rules.order), rules.read)))
        except IllFormed as problem:
            return Reading(rules, None, str(problem))

    def _kept(self, rule: str) -> list[str]:
        kept = [item for item in self.items if self._value("keep", rule, item) is True]
        if len(kept) != self.length:
            raise IllFormed(
                f"`{rule}` keeps {len(kept)} items ({', '.join(kept) or 'none'}), not {self.length}"
            )
        return kept

    def _ordered(self, kept: list[str], rule: str) -> list[str]:
        places = {item: self._number("order", rule, item) for item in kept}
        ordered = sorted(kept, key=places.__getitem__)
        for item, after in itertools.pairwise(ordered):
            if same(places[item], places[after]):
                raise IllFormed(f"`{rule}` gives `{item}` and `{after}` the same place")
        return ordered

    def _signs(self, ordered: list[str], rule: str) -> list[str]:
        return [self._sign(rule, item) for item in ordered]

    def _sign(self, rule: str, item: str) -> str:
        value = self._number("read", rule, item)
        if not (0 <= value <= LARGEST_SIGN + 0.5 and same(value, float(round(value)))):
            raise IllFormed(
                f"`{rule}` reads {value:g} from `{item}`, no whole number from 0 to {LARGEST_SIGN}"
            )
        return str(round(value))

    def _number(self, part: str, rule: str, item: str) -> float:
        value = self._value(part, rule, item)
        if isinstance(value, bool | str) or not math.isfinite(value):
            raise IllFormed(f"`{rule}` gives no number for `{item}`")
        return value

    def _value(self, part: str, rule: str, item: str) -> Value:
        value = self.columns[part, rule][item]
        if value is None:
            raise IllFormed(f"`{rule}` has no value for `{item}`: it lacks a property that the rule reads")
        return value


def row_of(items: Sequence[str], length: int, rules: Mapping[str, Sequence[Rule]], context: Context) -> Row:
    """Build the row with every rule evaluated for every item."""
    columns = {
        (part, rule.name): {item: _value_of(rule, item, context) for item in items}
        for part in PARTS
        for rule in rules[part]
    }
    return Row(items, length, columns)


def all_readings(row: Row, rules: Mapping[str, Sequence[Rule]]) -> tuple[Reading, ...]:
    """Return the readings of all combinations of rules."""
    names = ([rule.name for rule in rules[part]] for part in PARTS)
    return tuple(row.read(Rules(*choice)) for choice in itertools.product(*names))


def _value_of(rule: Rule, item: str, context: Context) -> Value | None:
    try:
        return context.value(bound(rule.tree, {rule.variable: Text(item)}))
    except NO_VALUE:
        return None
