"""Readings of a row of items: which items are kept, in which order, and what is read from each."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from impossible_moments.mechanics.language.expressions import Expression, Text, bind_variables
from impossible_moments.mechanics.language.scalar_evaluation import Value, is_same_value
from impossible_moments.mechanics.puzzles.puzzle_context import NO_VALUE, PuzzleContext

PARTS: Final = ("keep", "order", "read")
LARGEST_SIGN: Final = 99


class ReadingRules(NamedTuple):
    """The names of the keep, order and read rules of a reading."""

    keep: str
    order: str
    read: str

    def __str__(self) -> str:
        return "/".join(self)


@dataclass(frozen=True, slots=True)
class ItemRule:
    """A rule `name(variable) = expression` that is applied to each item."""

    name: str
    variable: str
    tree: Expression


@dataclass(frozen=True, slots=True)
class CodeReading:
    """The result of one choice of rules: a code, or the reason why there is none."""

    rules: ReadingRules
    code: str | None
    why: str = ""


class IllFormedReadingError(ValueError):
    """A reading that gives no code. The message is the reason."""


_Column: TypeAlias = Mapping[str, Value | None]


@dataclass(frozen=True, slots=True)
class ItemRow:
    """The items and the value of each rule for each item, None where a rule is undefined."""

    items: Sequence[str]
    length: int
    columns: Mapping[tuple[str, str], _Column]

    def read_code(self, rules: ReadingRules) -> CodeReading:
        """Return the reading with these rules, with its code or the reason why there is none."""
        try:
            kept_items = self._select_kept_items(rules.keep)
            return CodeReading(
                rules, "".join(self._read_signs(self._sort_kept_items(kept_items, rules.order), rules.read))
            )
        except IllFormedReadingError as problem:
            return CodeReading(rules, None, str(problem))

    def _select_kept_items(self, rule: str) -> list[str]:
        kept_items = [item for item in self.items if self._get_rule_value("keep", rule, item) is True]
        if len(kept_items) != self.length:
            raise IllFormedReadingError(
                f"the rule `{rule}` keeps {len(kept_items)} items ({', '.join(kept_items) or 'none'}), not {self.length}"
            )
        return kept_items

    def _sort_kept_items(self, items: list[str], rule: str) -> list[str]:
        places = {item: self._get_rule_number("order", rule, item) for item in items}
        ordered = sorted(items, key=places.__getitem__)
        for item, after in itertools.pairwise(ordered):
            if is_same_value(places[item], places[after]):
                raise IllFormedReadingError(f"the rule `{rule}` gives `{item}` and `{after}` the same place")
        return ordered

    def _read_signs(self, ordered: list[str], rule: str) -> list[str]:
        return [self._read_sign(rule, item) for item in ordered]

    def _read_sign(self, rule: str, item: str) -> str:
        value = self._get_rule_number("read", rule, item)
        if not (0 <= value <= LARGEST_SIGN + 0.5 and is_same_value(value, float(round(value)))):
            raise IllFormedReadingError(
                f"the rule `{rule}` reads {value:g} from `{item}`, no whole number from 0 to {LARGEST_SIGN}"
            )
        return str(round(value))

    def _get_rule_number(self, part: str, rule: str, item: str) -> float:
        value = self._get_rule_value(part, rule, item)
        if isinstance(value, bool | str) or not math.isfinite(value):
            raise IllFormedReadingError(f"the {part} rule `{rule}` gives no number for the item `{item}`")
        return value

    def _get_rule_value(self, part: str, rule: str, item: str) -> Value:
        value = self.columns[part, rule][item]
        if value is None:
            raise IllFormedReadingError(
                f"the {part} rule `{rule}` has no value for the item `{item}`: it lacks a property that the rule reads"
            )
        return value


def build_item_row(
    items: Sequence[str], length: int, rules: Mapping[str, Sequence[ItemRule]], context: PuzzleContext
) -> ItemRow:
    """Build the row with every rule evaluated for every item."""
    columns = {
        (part, rule.name): {item: _evaluate_rule(rule, item, context) for item in items}
        for part in PARTS
        for rule in rules[part]
    }
    return ItemRow(items, length, columns)


def enumerate_readings(row: ItemRow, rules: Mapping[str, Sequence[ItemRule]]) -> tuple[CodeReading, ...]:
    """Return the readings of all combinations of rules."""
    names = ([rule.name for rule in rules[part]] for part in PARTS)
    return tuple(row.read_code(ReadingRules(*choice)) for choice in itertools.product(*names))


def _evaluate_rule(rule: ItemRule, item: str, context: PuzzleContext) -> Value | None:
    try:
        return context.evaluate_expression(bind_variables(rule.tree, {rule.variable: Text(item)}))
    except NO_VALUE:
        return None
