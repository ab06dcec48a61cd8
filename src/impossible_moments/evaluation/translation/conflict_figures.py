"""Figures of reasons against the goal, compared with the record: a reason that rests on a wrong fact does not count."""

from __future__ import annotations

from collections.abc import Iterable

from impossible_moments.audit.numbers import find_amounts
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.condition_quantities import DEADLINE
from impossible_moments.evaluation.answers.figure_matching import extract_figures_of_line
from impossible_moments.evaluation.interpretation.known_amounts import (
    find_dimension,
    is_known_amount,
    is_printed_amount,
)
from impossible_moments.mechanics.language import TIME
from impossible_moments.mechanics.records import Quantity


def find_contradicted_figure(
    facts: Iterable[str], condition: str, key: AnswerKey, *, situation: str = ""
) -> str:
    """Return the first figure, given as a fact, that contradicts the record; empty if none does.

    A figure contradicts the record if the condition reads a quantity of the same dimension, and neither the text of
    the situation nor a quantity of it has that value. Figures of other dimensions are about something else and decide
    nothing.
    """
    read = _list_read_quantities(condition, key)
    dimensions = {dimension for each in read if (dimension := find_dimension(each)) is not None}
    if condition == DEADLINE:
        dimensions.add(TIME)
    known = read
    printed = tuple(find_amounts(situation))
    for text in facts:
        for amount in extract_figures_of_line(text):
            if not amount.unit or amount.dimension not in dimensions or is_printed_amount(amount, printed):
                continue
            if not is_known_amount(amount, key, known):
                return text
    return ""


def _list_read_quantities(condition: str, key: AnswerKey) -> tuple[Quantity, ...]:
    world = key.analysis.world
    paths = set(key.conditions.get_quantity_paths(condition))
    for tree in key.conditions.list_tested_expressions(condition):
        paths |= world.collect_stated_quantities(tree)
    return tuple(world.quantities[path] for path in sorted(paths) if path in world.quantities)
