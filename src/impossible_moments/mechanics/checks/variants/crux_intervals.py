"""The whole range of a disputed quantity, divided into the intervals in which one plan is the best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.checks.disputed_quantities import Crux, find_best_plans_at_value
from impossible_moments.mechanics.execution.minimal_plans import (
    MinimalPlan,
    MinimalPlanFinder,
    are_equivalent_signatures,
)
from impossible_moments.mechanics.execution.search_limits import SearchBounds, SearchSituation

_SAMPLES: Final = 49
"""How many values of the range are tried at equal distances, and as many at equal ratios if both ends are positive."""
_BISECTIONS: Final = 40
_NODES: Final = 200_000
_NARROW: Final = 1e-6
"""Intervals that are a smaller share of the range than this are boundaries and not intervals."""


@dataclass(frozen=True, slots=True)
class CruxInterval:
    """An interval of a disputed quantity, and the plans that are best in all of it. None works if it is empty."""

    low: float
    high: float
    best: tuple[MinimalPlan, ...]


def find_crux_intervals(finder: MinimalPlanFinder, crux: Crux) -> tuple[CruxInterval, ...]:
    """Return the intervals of the disputed range from its low to its high end.

    Every sampled value at which no known plan works is searched anew, so an interval without a plan is no gap in the
    list of known plans.
    """
    quantity = finder.world.quantities[crux.quantity]
    assert quantity.low is not None
    assert quantity.high is not None
    sweep = _CruxSweep(finder, crux, SearchBounds(nodes=_NODES))
    return sweep.find_intervals(sorted(set(_list_samples(quantity.low, quantity.high))))


def _list_samples(low: float, high: float) -> Iterator[float]:
    yield from (low, high)
    for step in range(1, _SAMPLES):
        share = step / _SAMPLES
        yield low + (high - low) * share
        if low > 0:
            yield low * (high / low) ** share


class _CruxSweep:
    """Find the best plans at values of a disputed quantity, with a growing list of known plans."""

    def __init__(self, finder: MinimalPlanFinder, crux: Crux, bounds: SearchBounds) -> None:
        self.finder, self.name, self.bounds = finder, crux.quantity, bounds
        self.plans: tuple[MinimalPlan, ...] = ()
        self._add_plans((*crux.all_low, *crux.all_high))

    def find_intervals(self, samples: Sequence[float]) -> tuple[CruxInterval, ...]:
        """Return the intervals between the first and the last sample."""
        for position in range(0, len(samples), max(len(samples) // 4, 1)):
            self._search_plans_at(samples[position])
        for value in samples:
            if not self._find_best(value):
                self._search_plans_at(value)
        intervals: list[CruxInterval] = []
        for value in samples:
            best = self._find_best(value)
            if intervals and _is_same_choice(intervals[-1].best, best):
                last = intervals[-1]
                common = tuple(plan for plan in last.best if _contains(best, plan)) or last.best
                intervals[-1] = CruxInterval(last.low, value, common)
            elif intervals:
                intervals += self._locate_boundaries(intervals[-1].best, intervals[-1].high, value)
            else:
                intervals.append(CruxInterval(value, value, best))
        return _join_intervals(intervals, (samples[-1] - samples[0]) * _NARROW)

    def _search_plans_at(self, value: float) -> None:
        situation = SearchSituation({self.name: value})
        self._add_plans(self.finder.find_all_minimal_plans(self.bounds, situation).ways)

    def _add_plans(self, plans: tuple[MinimalPlan, ...]) -> None:
        for plan in plans:
            if not _contains(self.plans, plan):
                self.plans = (*self.plans, plan)

    def _find_best(self, value: float) -> tuple[MinimalPlan, ...]:
        return find_best_plans_at_value(self.finder, self.plans, self.name, value, tie=0.0)

    def _locate_boundaries(
        self, best: tuple[MinimalPlan, ...], low: float, high: float
    ) -> Iterator[CruxInterval]:
        """Yield the intervals that begin between two values with different best plans."""
        end = high
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            if _is_same_choice(best, self._find_best(middle)):
                low = middle
            else:
                high = middle
        beyond = self._find_best(high)
        yield CruxInterval(high, high, beyond)
        if not _is_same_choice(beyond, self._find_best(end)):
            yield from self._locate_boundaries(beyond, high, end)
        elif high != end:
            yield CruxInterval(end, end, beyond)


def _join_intervals(intervals: Sequence[CruxInterval], narrow: float) -> tuple[CruxInterval, ...]:
    """Return the intervals joined where the choice is the same, and each extended to the beginning of the next."""
    joined: list[CruxInterval] = []
    for each in intervals:
        if joined and _is_same_choice(joined[-1].best, each.best):
            joined[-1] = CruxInterval(joined[-1].low, each.high, joined[-1].best)
        else:
            joined.append(each)
    ends = [*(each.low for each in joined[1:]), joined[-1].high]
    wide = [
        CruxInterval(each.low, end, each.best)
        for each, end in zip(joined, ends, strict=True)
        if end - each.low > narrow
    ]
    return tuple(wide) if len(wide) == len(joined) else _join_intervals(wide, narrow)


def _is_same_choice(first: tuple[MinimalPlan, ...], second: tuple[MinimalPlan, ...]) -> bool:
    return any(_contains(second, plan) for plan in first) if first else not second


def _contains(plans: tuple[MinimalPlan, ...], plan: MinimalPlan) -> bool:
    return any(are_equivalent_signatures(each.signature, plan.signature) for each in plans)
