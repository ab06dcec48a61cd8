"""Hypothesis strategies for the mechanics: units, names, orders, plans and planted worlds."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from hypothesis import strategies as st

from impossible_moments.mechanics.execution.executor import PlanExecutor
from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.language.units import list_known_units, parse_unit
from impossible_moments.mechanics.records.plans import PlannedCall
from support.golden_records import Data
from support.rewritten_records import Names, collect_names

MOST_MOVES: Final = 6
_WAITS: Final = ("0[s]", "1[s]", "20[min]", "3[day]")
_SIZES: Final = st.floats(0.1, 1000)

orders = st.randoms(use_true_random=False)
"""Orders and choices that Hypothesis makes."""


def units() -> st.SearchStrategy[str]:
    """Draw the name of a unit."""
    return st.sampled_from(list_known_units())


def commensurable_units() -> st.SearchStrategy[tuple[str, str]]:
    """Draw two units of one dimension."""
    pairs = [
        (one, other)
        for one in list_known_units()
        for other in list_known_units()
        if parse_unit(one).dimension == parse_unit(other).dimension
    ]
    return st.sampled_from(pairs)


def new_names(data: Data) -> st.SearchStrategy[Names]:
    """Draw new names for everything that a record names, in an order unrelated to the old names."""
    return orders.map(lambda order: build_fresh_names(data, order))


def build_fresh_names(data: Data, order: Random) -> Names:
    """Build new names for everything that a record names, in the given order."""
    old = collect_names(data)
    numbers = list(range(sum(map(len, old.values()))))
    order.shuffle(numbers)
    fresh = iter(numbers)
    return Names(**{sort: {name: f"n{next(fresh):03d}x" for name in names} for sort, names in old.items()})


def plans(executor: PlanExecutor) -> st.SearchStrategy[tuple[Move, ...]]:
    """Draw plans of any moves of a world: its actions, the library's, right answers and waits."""
    waits = [executor.moves.get_move(PlannedCall("wait", (text,))) for text in _WAITS]
    moves = (*executor.moves.all_actions, *executor.moves.list_answer_moves(), *waits)
    return st.lists(st.sampled_from(moves), min_size=1, max_size=MOST_MOVES).map(tuple)


@dataclass(frozen=True, slots=True)
class PlantedWorld:
    """A world with one plan, which works for suitable values of the assumed `pull`."""

    value: float
    low: float
    high: float
    limit: float
    condition: str = "pull >= limit"
    middle: float = 1.0

    @property
    def data(self) -> Data:
        """The record of the world."""
        return {
            "format": "im-mechanics/1",
            "title": "Planted",
            "category": "The Locked Room",
            "quantities": [
                f"pull = {self.value!r}[N] ({self.low!r}..{self.high!r}) assumed @ handbook value, planted",
                f"limit = {self.limit!r}[N]",
                f"middle = {self.middle!r}[N]",
                "left = 1.5[s]",
            ],
            "things": [
                {"name": "bar", "label": "a bar", "props": []},
                {"name": "lid", "label": "the lid", "props": ["open = false"]},
            ],
            "actions": [
                {
                    "do": "prise(b: bar, l: lid)",
                    "when": [f"strong = {self.condition}"],
                    "then": ["l.open = true"],
                    "takes": "1[s]",
                }
            ],
            "goal": "lid.open",
            "deadline": "left",
            "approaches": [
                {"name": "lever", "plan": ["prise(bar, lid)"], "ends": "goal", "why": "a bar is a lever"},
                {"name": "sit", "plan": ["wait(1[s])"], "ends": "short", "why": "somebody may come"},
            ],
            "status": {"claim": "KS-Fragile", "ways": ["lever"], "traps": ["sit"], "fragile_in": ["pull"]},
            "prose": {"narrative": "{thing:bar}, {thing:lid}, {limit|N}, {middle|N} and {left|s}."},
        }


@st.composite
def breaking_worlds(draw: st.DrawFn) -> PlantedWorld:
    """Draw a world whose plan fails from some value on within the assumed range."""
    limit = draw(_SIZES)
    value = limit * draw(st.floats(1.05, 1.9))
    low = limit * draw(st.floats(0.1, 0.95))
    return PlantedWorld(value, low, value * draw(st.floats(1, 3)), limit)


@st.composite
def holding_worlds(draw: st.DrawFn) -> PlantedWorld:
    """Draw a world whose plan works in the whole assumed range."""
    limit = draw(_SIZES)
    low = limit * draw(st.floats(1.05, 2))
    value = low * draw(st.floats(1, 2))
    return PlantedWorld(value, low, value * draw(st.floats(1, 3)), limit)


@st.composite
def breaking_between_worlds(draw: st.DrawFn) -> PlantedWorld:
    """Draw a world whose plan fails in a part of the range that contains neither the stated value nor an end."""
    value, width = draw(_SIZES), draw(st.floats(0.1, 0.3))
    start = draw(st.floats(0.05, 0.95 - width))
    first, last = value * (1 + start), value * (1 + start + width)
    return PlantedWorld(
        value, value * 0.99, value * 2, (last - first) / 2, "abs(pull - middle) >= limit", (first + last) / 2
    )


@st.composite
def conflicting_worlds(draw: st.DrawFn) -> Data:
    """Draw a world in which each of two calls can succeed somewhere in the range, but never both."""
    first = draw(_SIZES)
    second = first * draw(st.floats(0.5, 0.95))
    data = PlantedWorld(first, second / 2, first * 2, first).data
    data["quantities"] = [line.replace("left = 1.5[s]", "left = 10[min]") for line in data["quantities"]]
    data["quantities"].append(f"most = {second!r}[N]")
    data["things"][1]["props"] = ["open = false", "loose = false"]
    data["actions"][0]["then"] = ["l.loose = true"]
    data["actions"].append(
        {
            "do": "lift(l: lid)",
            "when": ["freed = l.loose", "gentle = pull <= most"],
            "then": ["l.open = true"],
            "takes": "1[s]",
        }
    )
    return data
