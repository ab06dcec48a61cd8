"""Variants of a contested scenario: changes of a number after which the dispute is settled, moot or about other plans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from impossible_moments.mechanics.checks.disputed_quantities import Crux, find_best_plans
from impossible_moments.mechanics.checks.sensitivity import find_numbers_read_by_moves, scale_quantity
from impossible_moments.mechanics.checks.variants.counterfactual_variants import RINGS
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.minimal_plans import MinimalPlan, are_equivalent_signatures
from impossible_moments.mechanics.execution.search_limits import SearchBounds, SearchSituation
from impossible_moments.mechanics.language.scalar_evaluation import Value

_BISECTIONS: Final = 12
_NODES: Final = 60_000


@dataclass(frozen=True, slots=True)
class BestPlansOverDispute:
    """The best plans at the low end of a dispute, within its range, and at its high end. None works where empty."""

    low: tuple[MinimalPlan, ...]
    within: tuple[tuple[MinimalPlan, ...], ...]
    high: tuple[MinimalPlan, ...]

    @property
    def settled_by(self) -> MinimalPlan | None:
        """The plan that is best at all examined values, or None."""
        everywhere = (*self.within, self.high)
        return next((plan for plan in self.low if all(_is_among(plan, plans) for plans in everywhere)), None)

    @property
    def is_impossible(self) -> bool:
        """Whether no plan works at any examined value."""
        return not any((self.low, *self.within, self.high))

    @property
    def is_contested(self) -> bool:
        """Whether no plan is best at both ends, and a plan works at one of them."""
        return bool(self.low or self.high) and not any(_is_among(plan, self.high) for plan in self.low)

    def is_same_dispute(self, other: BestPlansOverDispute) -> bool:
        """Return whether both are contested between the same best plans."""
        ends = ((self.low, other.low), (self.high, other.high))
        return self.is_contested and other.is_contested and all(_is_same_choice(*each) for each in ends)


def find_best_plans_over_dispute(
    analysis: WorldAnalysis, crux: Crux, situation: SearchSituation
) -> BestPlansOverDispute | None:
    """Search the best plans over a dispute in a situation, or return None if the search was not exhausted."""
    bounds = SearchBounds(nodes=_NODES)
    found = []
    for value in _list_examined_values(analysis, crux):
        changes: dict[str, Value] = {**situation.changes, crux.quantity: value}
        plans = analysis.plan_finder.find_all_minimal_plans(bounds, replace(situation, changes=changes))
        found.append(find_best_plans(analysis.plan_finder, plans.ways, changes))
    return BestPlansOverDispute(found[0], tuple(found[1:-1]), found[-1]) if bounds.exhausted else None


@dataclass(frozen=True, slots=True)
class DisputeChange:
    """The smallest factor of a quantity at which the known plans are no longer in the same dispute."""

    quantity: str
    factor: float
    value: float


def find_dispute_changes(analysis: WorldAnalysis, crux: Crux) -> Iterator[DisputeChange]:
    """Yield the smallest change of each number after which the dispute is another one, the smallest of all first.

    Only plans that are known are executed. Search the printed value before anything is said of it.
    """
    names = [
        name
        for name in find_numbers_read_by_moves(analysis.world, analysis.searcher.moves)
        if name != crux.quantity
    ]
    trials = _KnownPlanTrials(analysis, crux)
    found: set[str] = set()
    for inner, outer in pairwise(((1.0, 1.0), *RINGS)):
        changes = [
            change
            for name in names
            if name not in found and (change := trials.find_change(name, inner, outer)) is not None
        ]
        changes.sort(key=lambda each: (max(each.factor, 1 / each.factor), each.quantity))
        found.update(each.quantity for each in changes)
        yield from changes


class _KnownPlanTrials:
    """Execute the known plans over the dispute with one number changed."""

    def __init__(self, analysis: WorldAnalysis, crux: Crux) -> None:
        self.analysis, self.crux = analysis, crux
        create = analysis.plan_finder.create_minimal_plan
        self.plans = tuple(
            {
                plan.calls: plan
                for plan in (
                    *crux.all_low,
                    *crux.all_high,
                    *analysis.minimal_plans.ways,
                    *(create(plan) for plan in analysis.plans.values() if plan),
                )
            }.values()
        )
        self.stated = self._find_best({})

    def find_change(
        self, name: str, inner: tuple[float, float], outer: tuple[float, float]
    ) -> DisputeChange | None:
        """Return the change within a ring of factors, downward before upward, or None."""
        for inside, outside in zip(inner, outer, strict=True):
            if self._is_other_dispute(name, outside):
                factor = self._locate_change(name, inside, outside)
                return DisputeChange(name, factor, scale_quantity(self.analysis.world, name, factor))
        return None

    def _locate_change(self, name: str, inside: float, outside: float) -> float:
        for _ in range(_BISECTIONS):
            middle = (inside + outside) / 2
            if self._is_other_dispute(name, middle):
                outside = middle
            else:
                inside = middle
        return outside

    def _is_other_dispute(self, name: str, factor: float) -> bool:
        changes: dict[str, Value] = {name: scale_quantity(self.analysis.world, name, factor)}
        return not self._find_best(changes).is_same_dispute(self.stated)

    def _find_best(self, changes: dict[str, Value]) -> BestPlansOverDispute:
        finder = self.analysis.plan_finder
        found = [
            find_best_plans(finder, self.plans, {**changes, self.crux.quantity: value})
            for value in _list_examined_values(self.analysis, self.crux)
        ]
        return BestPlansOverDispute(found[0], tuple(found[1:-1]), found[-1])


def _list_examined_values(analysis: WorldAnalysis, crux: Crux) -> tuple[float, ...]:
    """Return the low end of the disputed range, its stated and middle value, and its high end."""
    quantity = analysis.world.quantities[crux.quantity]
    low, high = quantity.low, quantity.high
    assert low is not None
    assert high is not None
    stated = (quantity.value,) if isinstance(quantity.value, float) else ()
    return (low, *stated, (low + high) / 2, high)


def _is_among(plan: MinimalPlan, plans: tuple[MinimalPlan, ...]) -> bool:
    return any(are_equivalent_signatures(plan.signature, each.signature) for each in plans)


def _is_same_choice(first: tuple[MinimalPlan, ...], second: tuple[MinimalPlan, ...]) -> bool:
    return any(_is_among(plan, second) for plan in first) if first else not second
