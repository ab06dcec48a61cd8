"""Contested scenarios: the disputed quantity that decides the best plan, and at which value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.execute import Executor
from impossible_moments.mechanics.outcomes import Outcome
from impossible_moments.mechanics.quantities import Kind, Quantity
from impossible_moments.mechanics.search import Bounds, Situation
from impossible_moments.mechanics.ways import Way, WayFinder, covers

_BISECTIONS: Final = 30
TIE: Final = 0.02
"""Difference in score up to which two plans count as equally good."""


@dataclass(frozen=True, slots=True)
class Crux:
    """A disputed quantity that decides the best plan, and the best plans at both ends of its range.

    The best plan changes at the value `at`. An empty tuple means that no plan works at that end.
    """

    quantity: str
    at: float
    all_low: tuple[Way, ...]
    all_high: tuple[Way, ...]


def crux_of(finder: WayFinder, bounds: Bounds) -> Crux | None:
    """Return the first disputed quantity whose range changes the best plan, or None."""
    world = finder.world
    for quantity in world.quantities.values():
        if quantity.kind is Kind.DISPUTED and quantity.low is not None and quantity.high is not None:
            crux = _crux(finder, quantity, quantity.low, quantity.high, bounds)
            if crux is not None:
                return crux
    return None


def _crux(finder: WayFinder, quantity: Quantity, low: float, high: float, bounds: Bounds) -> Crux | None:
    candidates: list[Way] = []
    for point in (low, high, (low + high) / 2):
        for way in finder.all(bounds, Situation({quantity.name: point})).ways:
            if not any(covers(other.signature, way.signature) for other in candidates):
                candidates.append(way)
    ways = tuple(candidates)
    first, last = best_at(finder, ways, quantity.name, low), best_at(finder, ways, quantity.name, high)
    # The best plan at one end must be clearly worse, or fail, at the other. Otherwise the dispute has no effect.
    if not (first or last) or set(first) & set(last):
        return None
    edge = _edge(finder, ways, quantity.name, low, high)
    return Crux(quantity.name, edge, first, last)


def best_at(finder: WayFinder, ways: tuple[Way, ...], name: str, value: float) -> tuple[Way, ...]:
    """Return the best plans among those that work with a quantity at a value.

    The record's preference decides. Plans that are nearly as good as the best are included.
    """
    executor = finder.searcher.executor
    working = [
        (way, goodness(executor, outcome))
        for way in ways
        if (outcome := executor.run(way.plan, changes={name: value})).reaches_goal
    ]
    if not working:
        return ()
    most = max(good for _, good in working)
    slack = TIE if executor.engine.world.preference.what == "margin" else TIE * abs(most)
    return tuple(way for way, good in working if good >= most - slack)


def goodness(executor: Executor, outcome: Outcome) -> float:
    """Return the score of a working plan by the record's preference; higher is better."""
    preference = executor.engine.world.preference
    if preference.what == "time":
        return -outcome.time
    if preference.what == "margin":
        return 1.0 if outcome.least_margin is None else outcome.least_margin
    final = outcome.values[executor.engine.places[preference.what]]
    value = float(final) if not isinstance(final, str) else 0.0
    return value if preference.most else -value


def _edge(finder: WayFinder, ways: tuple[Way, ...], name: str, low: float, high: float) -> float:
    """Return the value above which the best plan at the low end is no longer among the best."""
    first = set(best_at(finder, ways, name, low))
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        here = set(best_at(finder, ways, name, middle))
        if (here & first) if first else not here:
            low = middle
        else:
            high = middle
    return high
