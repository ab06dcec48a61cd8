"""Reasons against the goal that compare a time with the time that is left."""

from __future__ import annotations

from collections.abc import Iterator

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.figure_matching import extract_figures_of_line
from impossible_moments.mechanics.language import TIME

ROUNDING = 0.03
"""Relative difference that counts as rounding."""


def names_deadline(line: str, key: AnswerKey) -> bool:
    """Return whether a reason names a time of the record that is longer than the available time.

    The time is stated in the situation, or an approach takes it. A time that the answer computed wrongly names nothing.
    """
    if key.time is None:
        return False
    stated = [each.si[0] for each in extract_figures_of_line(line) if each.unit and each.dimension == TIME]
    too_long = [each for each in stated if each > key.time * (1 + ROUNDING)]
    known = tuple(_iterate_known_times(key)) if too_long else ()
    return any(abs(each - time) <= ROUNDING * time for each in too_long for time in known)


def _iterate_known_times(key: AnswerKey) -> Iterator[float]:
    """Yield the times that the record states, and those that its approaches and their steps take."""
    for quantity in key.analysis.world.quantities.values():
        unit, value = quantity.display_unit, quantity.value
        if unit is not None and unit.dimension == TIME and isinstance(value, int | float):
            yield float(value)
    for outcome in key.analysis.outcomes.values():
        yield outcome.time
        yield from (step.took for step in outcome.steps)
