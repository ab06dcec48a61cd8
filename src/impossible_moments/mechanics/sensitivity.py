"""Sensitivity: which change of which quantity breaks a way, and the full profile of 20 % either way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.dimensions import TEMPERATURE
from impossible_moments.mechanics.execute import Executor
from impossible_moments.mechanics.intervals import Box, Reading
from impossible_moments.mechanics.moves import Move
from impossible_moments.mechanics.outcomes import Outcome
from impossible_moments.mechanics.proofs import Witness, decide
from impossible_moments.mechanics.quantities import Kind, Quantity
from impossible_moments.mechanics.symbolic import admissible_box
from impossible_moments.mechanics.world import AMBIENT_KELVIN, World

SHARE: Final = 0.2
_BISECTIONS: Final = 24


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How a way ends with one quantity lower and higher by 20 %."""

    quantity: str
    lower: str
    higher: str

    @property
    def breaks(self) -> bool:
        """Whether either change stops the way."""
        return self.lower != "goal" or self.higher != "goal"


@dataclass(frozen=True, slots=True)
class Fragility:
    """An assumed quantity whose own range holds a value at which nothing works any more."""

    quantity: str
    at: float
    breaks_at: float
    end: str


def numbers_read(world: World, moves: Iterable[Move]) -> tuple[str, ...]:
    """The stated numbers that a plan, the goal, the deadline, the dangers or the rates rest on."""
    trees = [world.goal, *world.rates.values(), *(never.tree for never in world.nevers)]
    trees += [world.deadline] if world.deadline is not None else []
    for move in moves:
        trees += [
            *(test.tree for test in move.tests),
            move.takes_tree,
            *(change.tree for change in move.changes),
        ]
    read = frozenset().union(*(world.bases(tree) for tree in trees))
    return tuple(name for name, quantity in world.quantities.items() if name in read and _can_vary(quantity))


def numbers_behind(executor: Executor, plan: tuple[Move, ...]) -> tuple[str, ...]:
    """The stated numbers a plan rests on, those of inserted going and fetching included."""
    inserted = [step.call for step in executor.run(plan).steps if step.inserted]
    return numbers_read(
        executor.engine.world, (*plan, *(move for move in executor.logistics if move.text in inserted))
    )


def _can_vary(quantity: Quantity) -> bool:
    return isinstance(quantity.value, float) and quantity.kind in {
        Kind.GIVEN,
        Kind.ASSUMED,
        Kind.DISPUTED,
        Kind.STATE,
    }


def varied(world: World, name: str, factor: float) -> float:
    """A quantity times a factor; temperatures vary as differences to ambient."""
    quantity = world.quantities[name]
    value = quantity.value
    assert isinstance(value, float)
    tree = quantity.tree
    if isinstance(tree, ex.Number) and tree.dimension == TEMPERATURE:
        ambient = world.quantities["ambient"].value if "ambient" in world.quantities else AMBIENT_KELVIN
        zero = ambient if isinstance(ambient, float) else AMBIENT_KELVIN
        return zero + (value - zero) * factor
    return value * factor


def profile(
    executor: Executor, plan: tuple[Move, ...], lifted: frozenset[str] = frozenset()
) -> tuple[Sensitivity, ...]:
    """How a plan ends with every number it rests on 20 % lower and higher."""
    world = executor.engine.world
    return tuple(
        Sensitivity(
            name,
            executor.run(plan, changes={name: varied(world, name, 1 - SHARE)}, lifted=lifted).end,
            executor.run(plan, changes={name: varied(world, name, 1 + SHARE)}, lifted=lifted).end,
        )
        for name in numbers_behind(executor, plan)
    )


def breaking_points(
    executor: Executor, plans: tuple[tuple[Move, ...], ...]
) -> Iterator[tuple[str, float, str]]:
    """The assumed quantities in whose range every plan fails somewhere: name, a value at which, and how."""
    world = executor.engine.world
    stated = admissible_box(world.quantities, only=frozenset())
    for name in dict.fromkeys(name for plan in plans for name in numbers_behind(executor, plan)):
        quantity = world.quantities[name]
        value = quantity.value
        if (
            quantity.kind is not Kind.ASSUMED
            or not isinstance(value, float)
            or quantity.low is None
            or quantity.high is None
        ):
            continue
        failing = [found for plan in plans for found in _failing_values(executor, plan, quantity, stated)]
        for trial in (*_trials(value, quantity.low, quantity.high), *failing):
            ends = [executor.run(plan, changes={name: trial}).end for plan in plans]
            if "goal" not in ends:
                yield name, trial, ends[0]
                break


def _failing_values(
    executor: Executor, plan: tuple[Move, ...], quantity: Quantity, stated: Box
) -> Iterator[float]:
    """Values within a range at which a condition of the plan that reads no changing state fails, found by the prover."""
    world = executor.engine.world
    box = {**stated, quantity.name: (quantity.low or 0.0, quantity.high or 0.0)}
    for test in (test for move in plan for test in move.tests):
        if test.reads_state or quantity.name not in world.bases(test.tree):
            continue
        tree = world.expanded(test.tree)
        if Reading(box).truth(tree) is True:
            continue
        verdict = decide({"fails": ex.Not(tree)}, box)
        if isinstance(verdict, Witness) and isinstance(found := verdict.point.get(quantity.name), float):
            yield found


def _trials(value: float, low: float, high: float) -> Iterator[float]:
    for end in (low, high):
        for share in (1.0, 0.5):
            if end != value:
                yield value + (end - value) * share


def breaking_edge(executor: Executor, works: Callable[[float], bool], name: str, bad: float) -> float:
    """The value between the stated and a bad one at which the last plan stops working."""
    stated = executor.engine.world.quantities[name].value
    assert isinstance(stated, float)
    good = stated
    for _ in range(_BISECTIONS):
        middle = (good + bad) / 2
        if works(middle):
            good = middle
        else:
            bad = middle
    return bad


def worst(executor: Executor, plan: tuple[Move, ...]) -> Outcome:
    """How a plan ends at the least kind end of any one range it rests on."""
    world = executor.engine.world
    outcomes = [executor.run(plan)]
    for name in numbers_behind(executor, plan):
        quantity = world.quantities[name]
        if quantity.kind in {Kind.ASSUMED, Kind.DISPUTED}:
            outcomes += [
                executor.run(plan, changes={name: end})
                for end in (quantity.low, quantity.high)
                if end is not None
            ]
    return min(outcomes, key=_goodness)


def _goodness(outcome: Outcome) -> tuple[bool, float]:
    margin = outcome.least_margin
    return outcome.reaches_goal, float("inf") if margin is None else margin
