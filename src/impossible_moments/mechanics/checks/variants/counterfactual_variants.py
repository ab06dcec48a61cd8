"""Counterfactual variants: the smallest change of each quantity that flips the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from heapq import heapify, heappop, heappush
from math import inf
from typing import Final

from impossible_moments.mechanics.checks.sensitivity import find_numbers_read_by_moves, scale_quantity
from impossible_moments.mechanics.checks.status import StatusVerdict
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.search_limits import SearchBounds, SearchSituation
from impossible_moments.mechanics.language.scalar_evaluation import Value
from impossible_moments.mechanics.world.world_model import World

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
        found: list[_FlipInterval] = []
        for name in left:
            largest = _compute_largest_factor(analysis, name)
            for inside, outside in zip(inner, (ring[0], min(ring[1], largest)), strict=True):
                if not bounds.exhausted:
                    return
                if inside == outside:
                    continue
                if trials.flips_outcome(name, outside) and bounds.exhausted:
                    found.append(trials.begin_interval(name, inside, outside))
                    break
        yield from _iterate_smallest_flips(trials, found)
        flipped = {each.quantity for each in found}
        left = [name for name in left if name not in flipped]
        inner = ring


def _compute_largest_factor(analysis: WorldAnalysis, name: str) -> float:
    """Return the factor at which a share is one, or infinity for other quantities."""
    return 1 / scale_quantity(analysis.world, name, 1.0) if is_share(analysis.world, name) else inf


def is_share(world: World, name: str) -> bool:
    """Return whether a quantity is a plain number between 0 and 1, which a change must not take out of this range."""
    quantity = world.quantities[name]
    is_plain = quantity.display_unit is None or quantity.display_unit.dimension.is_plain
    return is_plain and isinstance(quantity.value, float) and 0 < quantity.value < 1


@dataclass(frozen=True, slots=True)
class _FlipInterval:
    """Two factors of a quantity between which the outcome flips. It is flipped at `outside`.

    No factor nearer than `least` flips the outcome. `halvings` counts how often the interval was halved; None stands
    for an interval whose end of the known plans has not been tried.
    """

    quantity: str
    inside: float
    outside: float
    least: float
    halvings: int | None

    @property
    def is_located(self) -> bool:
        """Whether the flip is known to be at `outside`."""
        return self.halvings == _BISECTIONS


def _iterate_smallest_flips(
    trials: _VariantSearch, intervals: Iterable[_FlipInterval]
) -> Iterator[OutcomeFlip]:
    """Yield the flip of each interval, the smallest change first, and equal ones by name.

    An interval is halved only while no other one can hold a smaller flip, because each step needs a search.
    """
    queue = [(_measure_change_size(each.least), each.quantity, each) for each in intervals]
    heapify(queue)
    while queue:
        _, name, each = heappop(queue)
        if each.is_located:
            yield trials.build_flip(name, each.outside)
        else:
            each = trials.narrow_interval(each)
            heappush(queue, (_measure_change_size(each.least), name, each))


def _measure_change_size(factor: float) -> float:
    return max(factor, 1 / factor) - 1


@dataclass(frozen=True, slots=True)
class _VariantSearch:
    """Search for plans with one number changed."""

    analysis: WorldAnalysis
    verdict: StatusVerdict
    bounds: SearchBounds
    _plans: dict[tuple[str, float], tuple[str, ...] | None] = field(default_factory=dict)
    """The plan that was found for a number and a factor, or None."""

    def flips_outcome(self, name: str, factor: float) -> bool:
        """Return whether a number multiplied by a factor changes the outcome."""
        return (self.find_working_plan(name, factor) is not None) is not bool(self.verdict.ways)

    def find_working_plan(self, name: str, factor: float) -> tuple[str, ...] | None:
        """Return the calls of a plan that works with a number multiplied by a factor, or None.

        Known plans are tried first, because executing is cheaper than searching.
        """
        key = (name, factor)
        if key not in self._plans:
            known = self._find_known_plan_that_still_works(name, factor)
            self._plans[key] = self._search_plan(name, factor) if known is None else known
        return self._plans[key]

    def _search_plan(self, name: str, factor: float) -> tuple[str, ...] | None:
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

    def begin_interval(self, name: str, inside: float, outside: float) -> _FlipInterval:
        """Return the interval in which a flip is to be located."""
        if not self.verdict.ways:
            return _FlipInterval(name, inside, outside, inside, 0)
        # Where a known plan works the outcome is not flipped, and executing plans needs no search.
        nearest = _bisect_flip_factor(
            inside, outside, lambda factor: self._find_known_plan_that_still_works(name, factor) is None
        )
        return _FlipInterval(name, inside, outside, nearest, None)

    def narrow_interval(self, interval: _FlipInterval) -> _FlipInterval:
        """Return the interval after one more trial."""
        name, inside, outside = interval.quantity, interval.inside, interval.outside
        if interval.halvings is None:
            if self.flips_outcome(name, interval.least):
                return replace(interval, outside=interval.least, halvings=_BISECTIONS)
            # Another plan works where the known ones fail.
            return replace(interval, halvings=0)
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if self.flips_outcome(name, middle) else (middle, outside)
        halvings = interval.halvings + 1
        least = outside if halvings == _BISECTIONS else max(interval.least, inside, key=_measure_change_size)
        return _FlipInterval(name, inside, outside, least, halvings)

    def build_flip(self, name: str, factor: float) -> OutcomeFlip:
        """Return the flip of the outcome at a factor."""
        becomes = "impossible" if self.verdict.ways else "solvable"
        value = scale_quantity(self.analysis.world, name, factor)
        return OutcomeFlip(name, factor, value, becomes, self.find_working_plan(name, factor) or ())


def _bisect_flip_factor(inside: float, outside: float, flips: Callable[[float], bool]) -> float:
    """Return the factor nearest to `inside` at which `flips` is true, given that it is true at `outside`."""
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if flips(middle) else (middle, outside)
    return outside
