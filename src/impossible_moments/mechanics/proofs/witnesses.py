"""Search for points where all conditions hold: the middle and the corners first, then many even samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, Final

import numpy as np

from impossible_moments.mechanics import vectors
from impossible_moments.mechanics.proofs import splitting
from impossible_moments.mechanics.proofs.questions import Point, Question
from impossible_moments.mechanics.scalars import Value

CORNERS: Final = 64
COMBINATIONS: Final = 16
"""How many combinations of facts and words are sampled. Branch and bound handles the others."""
_TRIES: Final = 32  # array arithmetic accepts points where execution has no value: try only a few


@dataclass(frozen=True, slots=True)
class Witness:
    """A point where all conditions hold, as execution evaluates them."""

    point: Mapping[str, Value]


def obvious(question: Question) -> Witness | None:
    """Return a witness among the middle of the box and its corners, or None."""
    if question.holds_at(centre := splitting.middle(question, question.start)):
        return Witness(centre)
    return next((Witness(point) for point in corners(question) if question.holds_at(point)), None)


def corners(question: Question) -> Iterator[Point]:
    """Yield the first corners of the box, with each value of facts and words."""
    choices: dict[str, tuple[Value, ...]] = {}
    for name in question.names:
        known = question.start.get(name)
        if name in question.cases:
            choices[name] = question.cases[name]
        elif isinstance(known, tuple):
            choices[name] = tuple(dict.fromkeys(float(end) for end in known))
        else:
            assert isinstance(known, bool | str)
            choices[name] = (known,)
    for values in islice(product(*choices.values()), CORNERS):
        yield dict(zip(choices, values, strict=True))


def sampled(question: Question, count: int) -> Witness | None:
    """Return a witness among `count` evenly spread points, or None."""
    return next((Witness(point) for point in satisfying(question, count)), None)


def satisfying(question: Question, count: int) -> Iterator[Point]:
    """Yield the points that satisfy all conditions, among `count` evenly spread ones."""
    for fixed in islice(_combinations(question), COMBINATIONS):
        points: dict[str, Any] = {**fixed, **_spread(question, count)}
        holds = np.ones(count, dtype=bool)
        for tree in question.conditions.values():
            holds &= np.asarray(vectors.evaluated(tree, points), dtype=bool)
        for place in np.flatnonzero(holds)[:_TRIES]:
            point = {**fixed, **{name: float(points[name][place]) for name in question.ranges}}
            if question.holds_at(point):
                yield point


def _combinations(question: Question) -> Iterator[dict[str, Value]]:
    """Yield every combination of values of the facts and words."""
    fixed = {name: known for name, known in question.start.items() if isinstance(known, bool | str)}
    for values in product(*question.cases.values()):
        yield {**fixed, **dict(zip(question.cases, values, strict=True))}


def _spread(question: Question, count: int) -> dict[str, Any]:
    """Return evenly spread points, from the additive recurrence with the generalised golden ratio."""
    ratio = 2.0
    for _ in range(60):
        ratio = (1 + ratio) ** (1 / (len(question.ranges) + 1))
    numbers = np.arange(1, count + 1)
    points = {}
    for place, (name, (low, high)) in enumerate(question.ranges.items(), start=1):
        shares = (0.5 + numbers * ratio**-place) % 1.0
        by_factors = splitting.spans((low, high))
        values = low * (high / low) ** shares if by_factors else low + (high - low) * shares
        points[name] = np.clip(values, low, high)
    return points
