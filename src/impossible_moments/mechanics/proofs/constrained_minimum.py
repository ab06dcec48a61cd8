"""Minimum of an objective under conditions: a lower bound, and the best point found."""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count, islice, product
from typing import Final

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import Box, IntervalEvaluator
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED, Value, compile_expression
from impossible_moments.mechanics.proofs import box_splitting, witnesses
from impossible_moments.mechanics.proofs.box_splitting import Part
from impossible_moments.mechanics.proofs.certificates import Proof
from impossible_moments.mechanics.proofs.satisfiability import (
    DEFAULT,
    ProofBudget,
    decide_joint_satisfiability,
)
from impossible_moments.mechanics.proofs.satisfiability_problem import Point, SatisfiabilityProblem
from impossible_moments.mechanics.proofs.witnesses import Witness

RELATIVE_GAP: Final = 1e-6
"""Relative gap between the bounds at which the search ends."""
CORNERS: Final = 16
SAMPLES: Final = 1024
_OBJECTIVE: Final = "the objective has a value"


@dataclass(frozen=True, slots=True)
class MinimumBounds:
    """Bounds of a minimum: it lies between `lower` and `upper`.

    The objective is `upper` at `point`, if not None.
    """

    lower: float
    upper: float
    point: Mapping[str, Value] | None


def compute_minimum_bounds(
    objective: Expression, conditions: Mapping[str, Expression], box: Box, budget: ProofBudget = DEFAULT
) -> MinimumBounds | None:
    """Return bounds on the minimum of the objective in the box, or None if the conditions conflict there.

    Raise `ValueError` if the box does not bound a number that occurs.
    """
    decided = decide_joint_satisfiability(conditions, box, budget)
    if isinstance(decided, Proof):
        return None
    # This comparison adds the names of the objective to the problem and requires that it has a value.
    question = SatisfiabilityProblem(
        {**conditions, _OBJECTIVE: ex.Comparison("==", objective, objective)}, box
    )
    problem = question.explain_invalid_bounds() or question.explain_missing_bounds()
    if problem is not None:
        raise ValueError(f"Cannot compute a minimum: {problem}")
    search = _MinimumSearch(objective, question)
    if isinstance(decided, Witness):
        search.record_point_if_best(
            {**box_splitting.compute_part_midpoint(question, question.initial_box), **decided.point}
        )
    return search.run(budget.boxes)


class _MinimumSearch:
    """Best-first search: the part with the lowest bound is examined next."""

    def __init__(self, objective: Expression, question: SatisfiabilityProblem) -> None:
        self._objective = objective
        self._question = question
        places = {name: place for place, name in enumerate(question.names)}
        self._value = compile_expression(objective, places.__getitem__)
        self._order = count()
        self._waiting: list[tuple[float, int, Part]] = []
        self._left: float = math.inf
        self._upper: float = math.inf
        self._point: Point | None = None

    def run(self, boxes: int) -> MinimumBounds | None:
        for point in (
            *witnesses.iterate_box_corners(self._question),
            *witnesses.iterate_satisfying_points(self._question, SAMPLES),
        ):
            self.record_point_if_best(point)
        self._queue_part(self._question.initial_box)
        for _ in range(boxes):
            if not self._waiting or self._is_bound_close_to_best(self._waiting[0][0]):
                break
            self._split_part(heapq.heappop(self._waiting)[2])
        lower = min([self._left, self._upper, *(bound for bound, _, _ in self._waiting[:1])])
        return None if lower == math.inf else MinimumBounds(lower, self._upper, self._point)

    def record_point_if_best(self, point: Point) -> None:
        """Record a point that satisfies the conditions if it is the best so far."""
        if not self._question.are_conditions_met_at(point):
            return
        try:
            value = float(self._value([point[name] for name in self._question.names]))
        except UNDEFINED:
            return
        if value < self._upper:
            self._upper, self._point = value, dict(point)

    def _is_bound_close_to_best(self, bound: float) -> bool:
        return self._upper - bound <= RELATIVE_GAP * max(abs(bound), abs(self._upper))

    def _split_part(self, part: Part) -> None:
        cut = box_splitting.cut_part_along_widest_side(self._question, part, self._question.names)
        if cut is None:
            self._left = min(self._left, self._compute_lower_bound(part))
            return
        for piece in cut.parts:
            self._queue_part(piece)

    def _queue_part(self, part: Part) -> None:
        """Queue a part unless a condition fails in it or it cannot improve on the best point."""
        evaluator = IntervalEvaluator(part)
        if any(evaluator.decide_condition(tree) is False for tree in self._question.conditions.values()):
            return
        bound = self._compute_lower_bound(part)
        for point in self._list_candidate_points(part):
            self.record_point_if_best(point)
        if bound <= self._upper:
            heapq.heappush(self._waiting, (bound, next(self._order), part))

    def _compute_lower_bound(self, part: Part) -> float:
        return IntervalEvaluator(part).compute_interval(self._objective)[0]

    def _list_candidate_points(self, part: Part) -> list[Point]:
        """Return the middle of a part and its first corners."""
        centre = box_splitting.compute_part_midpoint(self._question, part)
        bounds = {name: known for name, known in part.items() if isinstance(known, tuple)}
        corners = islice(product(*bounds.values()), CORNERS)
        return [centre, *({**centre, **dict(zip(bounds, map(float, ends), strict=True))} for ends in corners)]
