"""Contested scenarios: the disputed quantity that decides the best plan, and at which value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.execution.executor import PlanExecutor
from impossible_moments.mechanics.execution.minimal_plans import (
    MinimalPlan,
    MinimalPlanFinder,
    are_equivalent_signatures,
)
from impossible_moments.mechanics.execution.outcomes import PlanOutcome
from impossible_moments.mechanics.execution.search_limits import SearchBounds, SearchSituation
from impossible_moments.mechanics.language.scalar_evaluation import Value
from impossible_moments.mechanics.records.quantities import Quantity, QuantityKind

_BISECTIONS: Final = 30
TIE_TOLERANCE: Final = 0.02
"""Difference in score up to which two plans count as equally good."""


@dataclass(frozen=True, slots=True)
class Crux:
    """A disputed quantity that decides the best plan, and the best plans at both ends of its range.

    The best plan changes at the value `at`. An empty tuple means that no plan works at that end.
    """

    quantity: str
    at: float
    all_low: tuple[MinimalPlan, ...]
    all_high: tuple[MinimalPlan, ...]


def find_crux_that_changes_best_plan(finder: MinimalPlanFinder, bounds: SearchBounds) -> Crux | None:
    """Return the first disputed quantity whose range changes the best plan, or None."""
    world = finder.world
    for quantity in world.quantities.values():
        if quantity.kind is QuantityKind.DISPUTED and quantity.low is not None and quantity.high is not None:
            crux = _find_crux_in_quantity(finder, quantity, quantity.low, quantity.high, bounds)
            if crux is not None:
                return crux
    return None


def _find_crux_in_quantity(
    finder: MinimalPlanFinder, quantity: Quantity, low: float, high: float, bounds: SearchBounds
) -> Crux | None:
    candidates: list[MinimalPlan] = []
    for value in (low, high, (low + high) / 2):
        for plan in finder.find_all_minimal_plans(bounds, SearchSituation({quantity.name: value})).ways:
            if not any(are_equivalent_signatures(other.signature, plan.signature) for other in candidates):
                candidates.append(plan)
    plans = tuple(candidates)
    first, last = (
        find_best_plans_at_value(finder, plans, quantity.name, low),
        find_best_plans_at_value(finder, plans, quantity.name, high),
    )
    # The best plan at one end must be clearly worse, or fail, at the other. Otherwise the dispute has no effect.
    if not (first or last) or set(first) & set(last):
        return None
    edge = _locate_best_plan_change(finder, plans, quantity.name, low, high)
    return Crux(quantity.name, edge, first, last)


def find_best_plans_at_value(
    finder: MinimalPlanFinder,
    plans: tuple[MinimalPlan, ...],
    name: str,
    value: float,
    *,
    tie: float = TIE_TOLERANCE,
) -> tuple[MinimalPlan, ...]:
    """Return the best plans among those that work with a quantity at a value."""
    return find_best_plans(finder, plans, {name: value}, tie=tie)


def find_best_plans(
    finder: MinimalPlanFinder,
    plans: tuple[MinimalPlan, ...],
    changes: Mapping[str, Value],
    *,
    tie: float = TIE_TOLERANCE,
) -> tuple[MinimalPlan, ...]:
    """Return the best plans among those that work with changed values.

    The record's preference decides. Plans that are worse than the best by at most `tie` are included.
    """
    executor = finder.searcher.executor
    working = [
        (way, score_outcome_by_preference(executor, outcome))
        for way in plans
        if (outcome := executor.run_plan(way.plan, changes=changes)).reaches_goal
    ]
    if not working:
        return ()
    best_score = max(good for _, good in working)
    tolerance = tie if executor.engine.world.preference.what == "margin" else tie * abs(best_score)
    return tuple(way for way, good in working if good >= best_score - tolerance)


def score_outcome_by_preference(executor: PlanExecutor, outcome: PlanOutcome) -> float:
    """Return the score of a working plan by the record's preference; higher is better."""
    preference = executor.engine.world.preference
    if preference.what == "time":
        return -outcome.time
    if preference.what == "margin":
        return 1.0 if outcome.least_margin is None else outcome.least_margin
    final = outcome.values[executor.engine.places[preference.what]]
    value = float(final) if not isinstance(final, str) else 0.0
    return value if preference.most else -value


def _locate_best_plan_change(
    finder: MinimalPlanFinder, plans: tuple[MinimalPlan, ...], name: str, low: float, high: float
) -> float:
    """Return the value above which no plan that is best at the low end is the best."""
    first = set(find_best_plans_at_value(finder, plans, name, low))
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        best_at_middle = set(find_best_plans_at_value(finder, plans, name, middle, tie=0.0))
        if (best_at_middle & first) if first else not best_at_middle:
            low = middle
        else:
            high = middle
    return high
