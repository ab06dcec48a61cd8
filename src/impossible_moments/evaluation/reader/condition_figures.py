"""Figures of a reason against the goal: those of a condition, those of the rest of the record, and wrong ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Final

from impossible_moments.audit.numbers import Amount
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.figure_matching import (
    extract_figures_of_line,
    is_figure_of_quantity,
)
from impossible_moments.evaluation.reader.computed_values import (
    ComputedValue,
    is_needed_choice,
    iterate_compared_values,
    iterate_stated_values,
)

ROUNDING: Final = 0.01
"""Relative difference between a computed figure and the value of the record that counts as rounding."""
_SMALLEST: Final = 1e-12


@dataclass(frozen=True)
class ConditionFigures:
    """Tells which figures of a text belong to a condition, and which contradict the record."""

    key: AnswerKey
    _values: dict[str, tuple[ComputedValue, ...]] = field(default_factory=dict)

    def count_own_figures(self, line: str, condition: str) -> int:
        """Return how many figures of a line are stated or computed values of a condition."""
        return sum(self._belongs_to(each, condition) for each in _list_different_figures(line))

    def has_wrong_figure(self, line: str, condition: str) -> bool:
        """Return whether a line has a figure of the kind that a condition compares, which the record does not have.

        Further figures of the record, and figures that follow from those of the condition, are not wrong.
        """
        kinds = {each.dimension for each in self._list_values(condition)}
        return any(
            each.unit
            and each.dimension in kinds
            and not self._belongs_to(each, condition)
            and not self._is_stated(each)
            for each in _list_different_figures(line)
        )

    def has_computed_figure(self, line: str) -> bool:
        """Return whether a line has a figure with a unit that the situation does not state."""
        return any(each.unit and not self._is_stated(each) for each in _list_different_figures(line))

    def _belongs_to(self, amount: Amount, condition: str) -> bool:
        world = self.key.analysis.world
        paths = self.key.conditions.get_quantity_paths(condition) - self._decisions
        if any(is_figure_of_quantity(amount, world.quantities.get(path)) for path in paths):
            return True
        if not amount.unit:
            return False
        values = self._list_values(condition)
        return any(_agrees(amount, each) for each in (*values, *_iterate_combinations(values))) or (
            is_needed_choice(amount, condition, self.key)
        )

    def _is_stated(self, amount: Amount) -> bool:
        quantities = self.key.analysis.world.quantities
        return any(is_figure_of_quantity(amount, quantities[path]) for path in self._facts)

    def _list_values(self, condition: str) -> tuple[ComputedValue, ...]:
        """Return the values that a condition reads and compares, at the start and where the approaches end."""
        if condition not in self._values:
            found = (
                *iterate_stated_values(condition, self.key),
                *iterate_compared_values(condition, self.key),
            )
            self._values[condition] = tuple(dict.fromkeys(found))
        return self._values[condition]

    @cached_property
    def _facts(self) -> tuple[str, ...]:
        """The quantities of the situation, without abilities of the library."""
        world = self.key.analysis.world
        owners = {name for name, thing in world.things.items() if thing.own} | {""}
        return tuple(
            path
            for path in world.quantities
            if path.rpartition(".")[0] in owners and path not in self._decisions
        )

    @cached_property
    def _decisions(self) -> frozenset[str]:
        """What the solver chooses. Its value in the record is no fact of the situation."""
        return frozenset(each.name for each in self.key.analysis.engine.decisions)


def _list_different_figures(line: str) -> list[Amount]:
    """Return the figures of a line, each value once."""
    return list({(each.si, each.dimension): each for each in extract_figures_of_line(line)}.values())


def _iterate_combinations(values: tuple[ComputedValue, ...]) -> Iterator[ComputedValue]:
    """Yield sums, differences, products and quotients of two values. Answers often add up what the text lists."""
    for first, second in combinations(values, 2):
        if first.dimension == second.dimension:
            yield ComputedValue(first.value + second.value, first.dimension)
            yield ComputedValue(first.value - second.value, first.dimension)
        yield ComputedValue(first.value * second.value, first.dimension * second.dimension)
        for one, other in ((first, second), (second, first)):
            if other.value:
                yield ComputedValue(one.value / other.value, one.dimension / other.dimension)


def _agrees(amount: Amount, computed: ComputedValue) -> bool:
    if amount.dimension != computed.dimension:
        return False
    tolerance = max(ROUNDING, amount.tolerance)
    return abs(abs(amount.si[0]) - abs(computed.value)) <= tolerance * max(abs(computed.value), _SMALLEST)
