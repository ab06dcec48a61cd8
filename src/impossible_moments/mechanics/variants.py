"""Counterfactual variants: the smallest change of each quantity that flips the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Final

from impossible_moments.mechanics.analysis import Analysis
from impossible_moments.mechanics.scalars import Value
from impossible_moments.mechanics.search import Bounds, Situation
from impossible_moments.mechanics.sensitivity import numbers_read, varied
from impossible_moments.mechanics.status import Verdict

RINGS: Final = ((0.9, 1.1), (0.8, 1.25), (0.67, 1.5), (0.5, 2.0), (0.25, 4.0), (0.1, 10.0))
"""Factors by which a number is decreased and increased, the smallest changes first."""
_BISECTIONS: Final = 12


@dataclass(frozen=True, slots=True)
class Variant:
    """A change of one quantity that makes a solvable scenario impossible, or an impossible one solvable."""

    quantity: str
    factor: float
    value: float
    becomes: str
    plan: tuple[str, ...]

    def as_data(self) -> dict[str, object]:
        """Return the variant as plain data."""
        return {**asdict(self), "plan": list(self.plan)}


def variants_of(analysis: Analysis, verdict: Verdict, *, nodes: int = 60_000) -> Iterator[Variant]:
    """Yield the smallest outcome-flipping change of each number, the smallest of all first.

    Variants are computed lazily. Rings of growing changes are examined one after another, so the variants of
    a ring are smaller changes than those of later rings. `nodes` limits the search.
    """
    bounds = Bounds(nodes=nodes)
    trials = _Trials(analysis, verdict, bounds)
    left = list(numbers_read(analysis.world, analysis.searcher.moves))
    inner = (1.0, 1.0)
    for ring in RINGS:
        found = []
        for name in left:
            for inside, outside in zip(inner, ring, strict=True):
                if not bounds.exhausted:
                    return
                if trials.flips(name, outside) and bounds.exhausted:
                    found.append(trials.refined(name, inside, outside))
                    break
        yield from sorted(found, key=lambda each: (abs(_size(each.factor)), each.quantity))
        flipped = {each.quantity for each in found}
        left = [name for name in left if name not in flipped]
        inner = ring


def _size(factor: float) -> float:
    return max(factor, 1 / factor) - 1


@dataclass(frozen=True, slots=True)
class _Trials:
    """Search for plans with one number changed."""

    analysis: Analysis
    verdict: Verdict
    bounds: Bounds

    def flips(self, name: str, factor: float) -> bool:
        """Return whether a number multiplied by a factor changes the outcome."""
        return (self.plan(name, factor) is not None) is not bool(self.verdict.ways)

    def plan(self, name: str, factor: float) -> tuple[str, ...] | None:
        """Return the calls of a plan that works with a number multiplied by a factor, or None.

        Known plans are tried first, because executing is cheaper than searching.
        """
        known = self._known(name, factor)
        if known is not None:
            return known
        changes = {name: varied(self.analysis.world, name, factor)}
        plan = self.analysis.searcher.plan(self.bounds, Situation(changes))
        return None if plan is None else tuple(move.text for move in plan)

    def _known(self, name: str, factor: float) -> tuple[str, ...] | None:
        changes: dict[str, Value] = {name: varied(self.analysis.world, name, factor)}
        ways = (
            way
            for way in self.verdict.ways
            if self.analysis.executor.run(way.plan, changes=changes).reaches_goal
        )
        return next((way.calls for way in ways), None)

    def refined(self, name: str, inside: float, outside: float) -> Variant:
        """Return the variant with the smallest change between two factors at which the outcome flips."""
        nearest = outside
        if self.verdict.ways:
            nearest = _flip(inside, outside, lambda factor: self._known(name, factor) is None)
        # Another plan may work where the known ones fail. Then each step needs a search.
        if not self.verdict.ways or not self.flips(name, nearest):
            nearest = _flip(inside, outside, lambda factor: self.flips(name, factor))
        becomes = "impossible" if self.verdict.ways else "solvable"
        value = varied(self.analysis.world, name, nearest)
        return Variant(name, nearest, value, becomes, self.plan(name, nearest) or ())


def _flip(inside: float, outside: float, flips: Callable[[float], bool]) -> float:
    """Return the factor nearest to `inside` at which `flips` is true, given that it is true at `outside`."""
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if flips(middle) else (middle, outside)
    return outside
