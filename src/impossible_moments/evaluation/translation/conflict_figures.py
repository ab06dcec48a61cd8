"""Figures of reasons against the goal, compared with the record: a reason that rests on a wrong fact does not count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from impossible_moments.audit.numbers import Amount, find_amounts
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.condition_quantities import DEADLINE
from impossible_moments.evaluation.answers.figure_matching import extract_figures_of_line
from impossible_moments.mechanics.language import TIME, Dimension
from impossible_moments.mechanics.records import Quantity, QuantityKind
from impossible_moments.mechanics.world import World

ROUNDING: Final = 0.03
"""Relative difference that counts as rounding."""


def find_contradicted_figure(
    facts: Iterable[str], condition: str, key: AnswerKey, *, situation: str = ""
) -> str:
    """Return the first figure, given as a fact, that contradicts the record; empty if none does.

    A figure contradicts the record if the condition reads a quantity of the same dimension, and neither the text of
    the situation nor a quantity of it has that value. Figures of other dimensions are about something else and decide
    nothing.
    """
    read = _list_read_quantities(condition, key)
    dimensions = {dimension for each in read if (dimension := _find_dimension(each)) is not None}
    if condition == DEADLINE:
        dimensions.add(TIME)
    known = (*read, *_iterate_stated_quantities(key.analysis.world))
    printed = tuple(find_amounts(situation))
    for text in facts:
        for amount in extract_figures_of_line(text):
            if not amount.unit or amount.dimension not in dimensions or _is_printed(amount, printed):
                continue
            if not _is_known(amount, known, key):
                return text
    return ""


def _list_read_quantities(condition: str, key: AnswerKey) -> tuple[Quantity, ...]:
    world = key.analysis.world
    paths = set(key.conditions.get_quantity_paths(condition))
    for tree in key.conditions.list_tested_expressions(condition):
        paths |= world.collect_stated_quantities(tree)
    return tuple(world.quantities[path] for path in sorted(paths) if path in world.quantities)


def _iterate_stated_quantities(world: World) -> Iterator[Quantity]:
    """Yield the quantities that the situation states. Abilities and materials of the library are not among them."""
    for path, quantity in world.quantities.items():
        if "." not in path or quantity.kind is QuantityKind.GIVEN:
            yield quantity


def _find_dimension(quantity: Quantity) -> Dimension | None:
    return None if quantity.display_unit is None else quantity.display_unit.dimension


def _is_known(amount: Amount, known: Iterable[Quantity], key: AnswerKey) -> bool:
    """Return whether an amount is the available time, or a value or within the range of a known quantity."""
    if amount.dimension == TIME and key.time is not None and _overlaps(amount.si, key.time, key.time):
        return True
    return any(_agrees(amount, each) for each in known if _find_dimension(each) == amount.dimension)


def _is_printed(amount: Amount, printed: Iterable[Amount]) -> bool:
    """Return whether the text of the situation prints an amount."""
    return any(
        each.unit and each.dimension == amount.dimension and _overlaps(amount.si, *each.si)
        for each in printed
    )


def _agrees(amount: Amount, quantity: Quantity) -> bool:
    value, unit = quantity.value, quantity.display_unit
    if unit is None or isinstance(value, bool) or not isinstance(value, int | float):
        return False
    low = quantity.low if quantity.low is not None else float(value)
    high = quantity.high if quantity.high is not None else float(value)
    if unit.offset:
        # a scale with an offset is compared as printed
        return _overlaps((amount.low, amount.high), unit.from_si(low), unit.from_si(high))
    return _overlaps(amount.si, low, high)


def _overlaps(stated: tuple[float, float], low: float, high: float) -> bool:
    """Return whether two ranges overlap, up to rounding. A negative amount is often written without its sign."""
    least, most = sorted((abs(low), abs(high)))
    slack = ROUNDING * max(most, 1e-12)
    first, last = sorted(map(abs, stated))
    return first <= most + slack and last >= least - slack
