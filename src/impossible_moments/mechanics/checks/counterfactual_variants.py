"""Counterfactual variants: the smallest change of each quantity that flips the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Final

from impossible_moments.mechanics.checks.sensitivity import find_numbers_read_by_moves, scale_quantity
from impossible_moments.mechanics.checks.status import StatusVerdict
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.search_limits import SearchBounds, SearchSituation
from impossible_moments.mechanics.language.scalar_evaluation import Value

RINGS: Final = ((0.9, 1.1), (0.8, 1.25), (0.67, 1.5), (0.5, 2.0), (0.25, 4.0), (0.1, 10.0))
"""Factors by which a number is decreased and increased, the smallest changes first."""
_BISECTIONS: Final = 12


@dataclass(frozen=True, slots=True)
class OutcomeFlip:
    """A change of one quantity that makes a solvable scenario impossible, or an impossible one solvable."""

    quantity: str
    factor: float
    value: float
    becomes: str
    plan: tuple[str, ...]

    def to_data(self) -> dict[str, object]:
        """Return the variant as plain data."""
        return {**asdict(self), "plan": list(self.plan)}


def find_counterfactual_variants(
    analysis: WorldAnalysis, verdict: StatusVerdict, *, nodes: int = 60_000
) -> Iterator[OutcomeFlip]:
    """Yield the smallest outcome-flipping change of each number, the smallest of all first.

    Variants are computed lazily. Rings of growing changes are examined one after another, so the variants of
    a ring are smaller changes than those of later rings. `nodes` limits the search.
    """
    bounds = SearchBounds(nodes=nodes)
    trials = _VariantSearch(analysis, verdict, bounds)
    left = list(find_numbers_read_by_moves(analysis.world, analysis.searcher.moves))
    inner = (1.0, 1.0)
    for ring in RINGS:
        found = []
        for name in left:
            for inside, outside in zip(inner, ring, strict=True):
                if not bounds.exhausted:
                    return
                if trials.flips_outcome(name, outside) and bounds.exhausted:
                    found.append(trials.locate_smallest_outcome_flip(name, inside, outside))
                    break
        yield from sorted(found, key=lambda each: (abs(_measure_change_size(each.factor)), each.quantity))
        flipped = {each.quantity for each in found}
        left = [name for name in left if name not in flipped]
        inner = ring


def _measure_change_size(factor: float) -> float:
    return max(factor, 1 / factor) - 1


@dataclass(frozen=True, slots=True)
class _VariantSearch:
    """Search for plans with one number changed."""

    analysis: WorldAnalysis
    verdict: StatusVerdict
    bounds: SearchBounds

    def flips_outcome(self, name: str, factor: float) -> bool:
        """Return whether a number multiplied by a factor changes the outcome."""
        return (self.find_working_plan(name, factor) is not None) is not bool(self.verdict.ways)

    def find_working_plan(self, name: str, factor: float) -> tuple[str, ...] | None:
        """Return the calls of a plan that works with a number multiplied by a factor, or None.

        Known plans are tried first, because executing is cheaper than searching.
        """
        known = self._find_known_plan_that_still_works(name, factor)
        if known is not None:
            return known
        changes = {name: scale_quantity(self.analysis.world, name, factor)}
        plan = self.analysis.searcher.find_plan(self.bounds, SearchSituation(changes))
        return None if plan is None else tuple(move.text for move in plan)

    def _find_known_plan_that_still_works(self, name: str, factor: float) -> tuple[str, ...] | None:
        changes: dict[str, Value] = {name: scale_quantity(self.analysis.world, name, factor)}
        plans = (
            way
            for way in self.verdict.ways
            if self.analysis.executor.run_plan(way.plan, changes=changes).reaches_goal
        )
        return next((way.calls for way in plans), None)

    def locate_smallest_outcome_flip(self, name: str, inside: float, outside: float) -> OutcomeFlip:
        """Return the variant with the smallest change between two factors at which the outcome flips."""
        nearest = outside
        if self.verdict.ways:
            nearest = _bisect_flip_factor(
                inside, outside, lambda factor: self._find_known_plan_that_still_works(name, factor) is None
            )
        # Another plan may work where the known ones fail. Then each step needs a search.
        if not self.verdict.ways or not self.flips_outcome(name, nearest):
            nearest = _bisect_flip_factor(inside, outside, lambda factor: self.flips_outcome(name, factor))
        becomes = "impossible" if self.verdict.ways else "solvable"
        value = scale_quantity(self.analysis.world, name, nearest)
        return OutcomeFlip(name, nearest, value, becomes, self.find_working_plan(name, nearest) or ())


def _bisect_flip_factor(inside: float, outside: float, flips: Callable[[float], bool]) -> float:
    """Return the factor nearest to `inside` at which `flips` is true, given that it is true at `outside`."""
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if flips(middle) else (middle, outside)
    return outside
