"""Contested: whether the answer turns on a disputed quantity, and at which value."""

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
"""How near two plans may come in what is preferred and count as equally good."""


@dataclass(frozen=True, slots=True)
class Crux:
    """A disputed quantity on which the answer turns, and the best ways at its ends; none means that nothing works."""

    quantity: str
    at: float
    all_low: tuple[Way, ...]
    all_high: tuple[Way, ...]


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
    candidates: list[Way] = []
    for point in (low, high, (low + high) / 2):
        for way in finder.all(bounds, Situation({quantity.name: point})).ways:
            if not any(covers(other.signature, way.signature) for other in candidates):
                candidates.append(way)
    ways = tuple(candidates)
    first, last = best_at(finder, ways, quantity.name, low), best_at(finder, ways, quantity.name, high)
    # the best at either end must be clearly worse, or fail, at the other; otherwise nothing turns on the dispute
    if not (first or last) or set(first) & set(last):
        return None
    edge = _edge(finder, ways, quantity.name, low, high)
    return Crux(quantity.name, edge, first, last)


def best_at(finder: WayFinder, ways: tuple[Way, ...], name: str, value: float) -> tuple[Way, ...]:
    """The best of the ways that work with a quantity at a value, by the record's preference; near ties are all best."""
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
    """How good a working plan is by the record's preference; more is better."""
    preference = executor.engine.world.preference
    if preference.what == "time":
        return -outcome.time
    if preference.what == "margin":
        return 1.0 if outcome.least_margin is None else outcome.least_margin
    final = outcome.values[executor.engine.places[preference.what]]
    value = float(final) if not isinstance(final, str) else 0.0
    return value if preference.most else -value


def _edge(finder: WayFinder, ways: tuple[Way, ...], name: str, low: float, high: float) -> float:
    """The value from which on the best at the low end is no longer among the best."""
    first = set(best_at(finder, ways, name, low))
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        here = set(best_at(finder, ways, name, middle))
        if (here & first) if first else not here:
            low = middle
        else:
            high = middle
    return high
