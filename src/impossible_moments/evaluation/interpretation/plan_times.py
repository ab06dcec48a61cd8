"""The time that a working plan takes, compared with the time that an answer states for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from impossible_moments.audit.numbers import Amount
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation.known_amounts import find_dimension
from impossible_moments.evaluation.interpretation.plan_execution import (
    ExecutedInterpretation,
    execute_interpreted_plan,
)
from impossible_moments.mechanics.language import TIME
from impossible_moments.mechanics.records import QuantityKind

ROUNDING: Final = 0.1
"""Relative difference that counts as rounding. Times are often rounded, and small parts left out."""
MOST_STEPS: Final = 10
"""The most steps of which every selection is added up."""


def find_time_contradiction(
    amount: Amount, calls: Sequence[str], key: AnswerKey, lifted: frozenset[str]
) -> str:
    """Return the time that a plan takes by the record if a stated one is none of its times; empty otherwise.

    Times of single steps, of several of them, of parts of a step and of what is left are times of a plan as well, since
    answers begin and end their counts differently. A plan that fails has no time to compare with.
    """
    if not amount.unit or amount.dimension != TIME:
        return ""
    runs = [run for run in _iterate_runs(calls, key, lifted) if run.reaches_goal]
    if not runs:
        return ""
    totals = [run.outcome.time for run in runs]
    least, most = min(totals) * (1 - ROUNDING), max(totals) * (1 + ROUNDING)
    first, last = amount.si
    tolerance = max(ROUNDING, amount.tolerance)
    if first <= most and last >= least:
        return ""
    times = {time for run in runs for time in _iterate_times(run)} | set(
        _iterate_parts_of_steps(runs[0], key)
    )
    if any(first <= time * (1 + tolerance) and last >= time * (1 - tolerance) for time in times):
        return ""
    return f"{totals[0] / 60:.3g} min"


def _iterate_runs(
    calls: Sequence[str], key: AnswerKey, lifted: frozenset[str]
) -> Iterator[ExecutedInterpretation]:
    """Yield the execution of a plan at the stated values, and at both ends of what is assumed or disputed."""
    quantities = key.analysis.world.quantities.items()
    vague = {QuantityKind.ASSUMED, QuantityKind.DISPUTED}
    low = {name: each.low for name, each in quantities if each.kind in vague and each.low is not None}
    high = {name: each.high for name, each in quantities if each.kind in vague and each.high is not None}
    for changes in ({}, low, high):
        stated: Mapping[str, float] = changes
        yield execute_interpreted_plan(calls, key, lifted=lifted, changes=stated)


def _iterate_parts_of_steps(run: ExecutedInterpretation, key: AnswerKey) -> Iterator[float]:
    """Yield the stated times of which the time of a step is computed."""
    world = key.analysis.world
    for move in run.moves:
        for path in world.collect_stated_quantities(move.takes_tree):
            quantity = world.quantities[path]
            if find_dimension(quantity) == TIME and isinstance(quantity.value, float):
                yield quantity.value


def _iterate_times(run: ExecutedInterpretation) -> Iterator[float]:
    parts = [step.took for step in run.outcome.steps if step.took > 0][:MOST_STEPS]
    for size in range(1, len(parts) + 1):
        yield from map(sum, combinations(parts, size))
    for step in run.outcome.steps:
        yield step.started
        yield step.started + step.took
    if run.outcome.deadline is not None:
        yield run.outcome.deadline
        yield run.outcome.deadline - run.outcome.time
