"""Counterfactual variants: which change of which quantity flips the outcome, and how far away it is."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from impossible_moments.mechanics.analysis import Analysis
from impossible_moments.mechanics.search import Bounds, Situation
from impossible_moments.mechanics.sensitivity import numbers_read, varied
from impossible_moments.mechanics.status import Verdict

FACTORS: Final = (0.9, 1.1, 0.8, 1.25, 0.67, 1.5, 0.5, 2.0, 0.25, 4.0, 0.1, 10.0)
_BISECTIONS: Final = 14


@dataclass(frozen=True, slots=True)
class Variant:
    """One change that turns a solvable scenario into an impossible one, or the other way round."""

    quantity: str
    factor: float
    value: float
    becomes: str
    plan: tuple[str, ...]

    def as_data(self) -> dict[str, object]:
        """The variant as plain data."""
        return {**asdict(self), "plan": list(self.plan)}


def variants_of(analysis: Analysis, verdict: Verdict, *, nodes: int = 60_000) -> tuple[Variant, ...]:
    """For each number the nearest flip in either direction, the nearest first. The search says so if it runs out."""
    bounds = Bounds(nodes=nodes)
    solvable = bool(verdict.ways)
    names = numbers_read(analysis.world, analysis.searcher.moves)
    found = [
        variant
        for name in names
        for variant in (_nearest(analysis, name, bounds, solvable=solvable),)
        if variant is not None
    ]
    return tuple(sorted(found, key=lambda each: (abs(_size(each.factor)), each.quantity)))


def _size(factor: float) -> float:
    return max(factor, 1 / factor) - 1


def _nearest(analysis: Analysis, name: str, bounds: Bounds, *, solvable: bool) -> Variant | None:
    inside = 1.0
    by_side: dict[bool, float] = {True: 1.0, False: 1.0}
    for factor in FACTORS:
        if not bounds.exhausted:
            return None
        plan = _plan(analysis, name, factor, bounds)
        if (plan is not None) is not solvable and bounds.exhausted:
            inside = by_side[factor > 1]
            return _refined(analysis, name, inside, factor, bounds, solvable=solvable)
        by_side[factor > 1] = factor
    return None


def _plan(analysis: Analysis, name: str, factor: float, bounds: Bounds) -> tuple[str, ...] | None:
    plan = analysis.searcher.plan(bounds, Situation({name: varied(analysis.world, name, factor)}))
    return None if plan is None else tuple(move.text for move in plan)


def _refined(
    analysis: Analysis, name: str, inside: float, outside: float, bounds: Bounds, *, solvable: bool
) -> Variant:
    """The factor nearest to one at which the outcome flips."""
    plan = _plan(analysis, name, outside, bounds)
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        trial = _plan(analysis, name, middle, bounds)
        if (trial is not None) is not solvable:
            outside, plan = middle, trial
        else:
            inside = middle
    becomes = "impossible" if solvable else "solvable"
    return Variant(name, outside, varied(analysis.world, name, outside), becomes, plan or ())
