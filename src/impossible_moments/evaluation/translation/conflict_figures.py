"""Figures of reasons against the goal, compared with the record: a reason that rests on a wrong fact does not count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from impossible_moments.audit.numbers import Amount
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.condition_terms import DEADLINE
from impossible_moments.evaluation.answers.figure_matching import extract_figures_of_line
from impossible_moments.mechanics.language import TIME, Dimension
from impossible_moments.mechanics.records import Quantity
from impossible_moments.mechanics.world import World

ROUNDING: Final = 0.03
"""Relative difference that counts as rounding."""


def find_contradicted_figure(facts: Iterable[str], condition: str, key: AnswerKey) -> str:
    """Return the first figure, given as a fact, that contradicts the record; empty if none does.

    A figure contradicts the record if the condition reads a quantity of the same dimension, and the figure is
    neither a value of the record nor within the range of a quantity that the condition reads. Figures of other
    dimensions are about something else and decide nothing.
    """
    world = key.analysis.world
    read = [world.quantities[path] for path in _list_read_paths(condition, key) if path in world.quantities]
    dimensions = {dimension for each in read if (dimension := _find_dimension(each)) is not None}
    if condition == DEADLINE:
        dimensions.add(TIME)
    for text in facts:
        for amount in extract_figures_of_line(text):
            if amount.unit and amount.dimension in dimensions and not _is_known(amount, read, world, key):
                return text
    return ""


def _list_read_paths(condition: str, key: AnswerKey) -> Iterator[str]:
    yield from sorted(key.conditions.get_quantity_paths(condition))
    for tree in key.conditions.list_tested_expressions(condition):
        yield from sorted(key.analysis.world.collect_stated_quantities(tree))


def _find_dimension(quantity: Quantity) -> Dimension | None:
    return None if quantity.display_unit is None else quantity.display_unit.dimension


def _is_known(amount: Amount, read: Iterable[Quantity], world: World, key: AnswerKey) -> bool:
    """Return whether an amount is a value of the record, or within the range of a quantity that is read."""
    if amount.dimension == TIME and key.time is not None and _agrees(amount, key.time, key.time):
        return True
    ranges = [(each.low, each.high, each) for each in read if _find_dimension(each) == amount.dimension]
    if any(
        low is not None and high is not None and _agrees(amount, low, high, each)
        for low, high, each in ranges
    ):
        return True
    return any(
        _agrees(amount, float(each.value), float(each.value), each)
        for each in world.quantities.values()
        if _find_dimension(each) == amount.dimension
        and isinstance(each.value, int | float)
        and not isinstance(each.value, bool)
    )


def _agrees(amount: Amount, low: float, high: float, quantity: Quantity | None = None) -> bool:
    """Return whether an amount overlaps a range in SI units, up to rounding and without signs."""
    first, last = amount.si
    unit = None if quantity is None else quantity.display_unit
    if unit is not None and unit.offset:
        # a scale with an offset is compared as printed
        low, high, first, last = unit.from_si(low), unit.from_si(high), amount.low, amount.high
    slack = ROUNDING * max(abs(low), abs(high), 1e-12)
    least, most = sorted((abs(low), abs(high)))
    return abs(first) <= most + slack and abs(last) >= least - slack
