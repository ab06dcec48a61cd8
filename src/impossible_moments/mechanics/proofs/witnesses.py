"""Search for points where all conditions hold: the middle and the corners first, then many even samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, Final

import numpy as np

from impossible_moments.mechanics.language import array_evaluation
from impossible_moments.mechanics.language.scalar_evaluation import Value
from impossible_moments.mechanics.proofs import box_splitting
from impossible_moments.mechanics.proofs.satisfiability_problem import Point, SatisfiabilityProblem

CORNERS: Final = 64
COMBINATIONS: Final = 16
"""How many combinations of facts and words are sampled. Branch and bound handles the others."""
_MOST_ATTEMPTS: Final = 32  # array arithmetic accepts points where execution has no value: try only a few


@dataclass(frozen=True, slots=True)
class Witness:
    """A point where all conditions hold, as execution evaluates them."""

    point: Mapping[str, Value]


def find_witness_at_middle_or_corners(question: SatisfiabilityProblem) -> Witness | None:
    """Return a witness among the middle of the box and its corners, or None."""
    if question.are_conditions_met_at(
        centre := box_splitting.compute_part_midpoint(question, question.initial_box)
    ):
        return Witness(centre)
    return next(
        (Witness(point) for point in iterate_box_corners(question) if question.are_conditions_met_at(point)),
        None,
    )


def iterate_box_corners(question: SatisfiabilityProblem) -> Iterator[Point]:
    """Yield the first corners of the box, with each value of facts and words."""
    choices: dict[str, tuple[Value, ...]] = {}
    for name in question.names:
        known = question.initial_box.get(name)
        if name in question.case_values:
            choices[name] = question.case_values[name]
        elif isinstance(known, tuple):
            choices[name] = tuple(dict.fromkeys(float(end) for end in known))
        else:
            assert isinstance(known, bool | str)
            choices[name] = (known,)
    for values in islice(product(*choices.values()), CORNERS):
        yield dict(zip(choices, values, strict=True))


def find_sampled_witness(question: SatisfiabilityProblem, count: int) -> Witness | None:
    """Return a witness among `count` evenly spread points, or None."""
    return next((Witness(point) for point in iterate_satisfying_points(question, count)), None)


def iterate_satisfying_points(question: SatisfiabilityProblem, count: int) -> Iterator[Point]:
    """Yield the points that satisfy all conditions, among `count` evenly spread ones."""
    for fixed in islice(_iterate_fact_and_word_combinations(question), COMBINATIONS):
        points: dict[str, Any] = {**fixed, **_generate_even_points(question, count)}
        holds = np.ones(count, dtype=bool)
        for tree in question.conditions.values():
            holds &= np.asarray(array_evaluation.evaluate_expression_at_points(tree, points), dtype=bool)
        for place in np.flatnonzero(holds)[:_MOST_ATTEMPTS]:
            point = {**fixed, **{name: float(points[name][place]) for name in question.ranges}}
            if question.are_conditions_met_at(point):
                yield point


def _iterate_fact_and_word_combinations(question: SatisfiabilityProblem) -> Iterator[dict[str, Value]]:
    """Yield every combination of values of the facts and words."""
    fixed = {name: known for name, known in question.initial_box.items() if isinstance(known, bool | str)}
    for values in product(*question.case_values.values()):
        yield {**fixed, **dict(zip(question.case_values, values, strict=True))}


def _generate_even_points(question: SatisfiabilityProblem, count: int) -> dict[str, Any]:
    """Return evenly spread points, from the additive recurrence with the generalised golden ratio."""
    ratio = 2.0
    for _ in range(60):
        ratio = (1 + ratio) ** (1 / (len(question.ranges) + 1))
    numbers = np.arange(1, count + 1)
    points = {}
    for place, (name, (low, high)) in enumerate(question.ranges.items(), start=1):
        shares = (0.5 + numbers * ratio**-place) % 1.0
        by_factors = box_splitting.needs_logarithmic_scale((low, high))
        values = low * (high / low) ** shares if by_factors else low + (high - low) * shares
        points[name] = np.clip(values, low, high)
    return points
