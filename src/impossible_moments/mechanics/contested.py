"""Contested: whether the answer turns on a disputed quantity, and at which value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.execute import Executor, Outcome
from impossible_moments.mechanics.quantities import Kind, Quantity
from impossible_moments.mechanics.search import Bounds, Situation
from impossible_moments.mechanics.ways import Signature, Way, WayFinder

_BISECTIONS: Final = 30
_LOOKS: Final = 7


@dataclass(frozen=True, slots=True)
class Crux:
    """A disputed quantity on which the answer turns; None for a best way means that nothing works there."""

    quantity: str
    at: float
    best_low: Way | None
    best_high: Way | None


def crux_of(finder: WayFinder, bounds: Bounds) -> Crux | None:
    """The first disputed quantity between whose ends the best way changes."""
    world = finder.world
    for quantity in world.quantities.values():
        if quantity.kind is Kind.DISPUTED and quantity.low is not None and quantity.high is not None:
            crux = _crux(finder, quantity, quantity.low, quantity.high, bounds)
            if crux is not None:
                return crux
    return None


def _crux(finder: WayFinder, quantity: Quantity, low: float, high: float, bounds: Bounds) -> Crux | None:
    points = [low + (high - low) * step / (_LOOKS - 1) for step in range(_LOOKS)]
    candidates: dict[Signature, Way] = {}
    for point in (points[0], points[-1], points[_LOOKS // 2]):
        for way in finder.all(bounds, Situation({quantity.name: point})).ways:
            candidates.setdefault(way.signature, way)
    best = [best_at(finder, tuple(candidates.values()), quantity.name, point) for point in points]
    for number in range(1, _LOOKS):
        if _differ(best[0], best[number]):
            edge = _edge(
                finder, tuple(candidates.values()), quantity.name, points[number - 1], points[number]
            )
            return Crux(quantity.name, edge, best[0], best[-1])
    return None


def best_at(finder: WayFinder, ways: tuple[Way, ...], name: str, value: float) -> Way | None:
    """The best of the ways that work with a quantity at a value, by the record's preference."""
    executor = finder.searcher.executor
    outcomes = [(way, executor.run(way.plan, changes={name: value})) for way in ways]
    working = [(way, outcome) for way, outcome in outcomes if outcome.reaches_goal]
    return max(
        working,
        key=lambda each: (goodness(executor, each[1]), sorted(each[0].signature)),
        default=(None, None),
    )[0]


def goodness(executor: Executor, outcome: Outcome) -> float:
    """How good a working plan is by the record's preference; more is better."""
    preference = executor.engine.world.preference
    if preference.what == "time":
        return -outcome.time
    if preference.what == "margin":
        return 1.0 if outcome.least_margin is None else outcome.least_margin
    final = outcome.values[executor.engine.places[preference.what]]
    value = float(final) if not isinstance(final, str) else 0.0
    return value if preference.most else -value


def _differ(one: Way | None, other: Way | None) -> bool:
    return (one.signature if one else None) != (other.signature if other else None)


def _edge(finder: WayFinder, ways: tuple[Way, ...], name: str, low: float, high: float) -> float:
    first = best_at(finder, ways, name, low)
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if _differ(first, best_at(finder, ways, name, middle)):
            high = middle
        else:
            low = middle
    return high
