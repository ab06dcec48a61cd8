"""Sensitivity of plans to their quantities: breaking values, and the profile of 20 % lower and higher."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from impossible_moments.mechanics.checks.temperature_kinds import is_temperature
from impossible_moments.mechanics.execution.executor import PlanExecutor
from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.execution.outcomes import PlanOutcome
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.interval_evaluation import Box, IntervalEvaluator
from impossible_moments.mechanics.proofs import Witness, decide_joint_satisfiability
from impossible_moments.mechanics.proofs.admissible_box import build_admissible_box
from impossible_moments.mechanics.records.plan_margins import VARIED_SHARE
from impossible_moments.mechanics.records.quantities import Quantity, QuantityKind
from impossible_moments.mechanics.world.world_model import AMBIENT_KELVIN, World

_BISECTIONS: Final = 24


@dataclass(frozen=True, slots=True)
class QuantitySensitivity:
    """How a plan ends with one quantity 20 % lower and 20 % higher."""

    quantity: str
    lower: str
    higher: str

    @property
    def breaks(self) -> bool:
        """Whether either change keeps the plan from reaching the goal."""
        return self.lower != "goal" or self.higher != "goal"


@dataclass(frozen=True, slots=True)
class Fragility:
    """An assumed quantity with a value in its own range at which no plan works.

    `breaks_at` is the value nearest to the stated one at which nothing works. `last_working` is the value before it: the
    next whole number of a quantity that counts, and the same value of any other.
    """

    quantity: str
    at: float
    breaks_at: float
    last_working: float
    end: str


def find_numbers_read_by_moves(world: World, moves: Iterable[Move]) -> tuple[str, ...]:
    """Return the stated numbers that the moves, the goal, the deadline, the dangers or the rates read."""
    trees = [world.goal, *world.rates.values(), *(never.tree for never in world.never_rules)]
    trees += [world.deadline] if world.deadline is not None else []
    for move in moves:
        trees += [
            *(test.tree for test in move.tests),
            move.takes_tree,
            *(change.tree for change in move.changes),
        ]
    names_read = frozenset().union(*(world.collect_stated_quantities(tree) for tree in trees))
    return tuple(
        name
        for name, quantity in world.quantities.items()
        if name in names_read and _can_quantity_vary(quantity)
    )


def find_numbers_behind_plan(executor: PlanExecutor, plan: tuple[Move, ...]) -> tuple[str, ...]:
    """Return the stated numbers that a plan depends on, including those of inserted moves."""
    inserted_calls = [step.call for step in executor.run_plan(plan).steps if step.inserted]
    return find_numbers_read_by_moves(
        executor.engine.world, (*plan, *(move for move in executor.logistics if move.text in inserted_calls))
    )


def _can_quantity_vary(quantity: Quantity) -> bool:
    return isinstance(quantity.value, float) and quantity.kind in {
        QuantityKind.GIVEN,
        QuantityKind.ASSUMED,
        QuantityKind.DISPUTED,
        QuantityKind.STATE,
    }


def scale_quantity(world: World, name: str, factor: float) -> float:
    """Return a quantity multiplied by a factor. A temperature is varied by its difference from ambient."""
    quantity = world.quantities[name]
    value = quantity.value
    assert isinstance(value, float)
    if is_temperature(world, name):
        ambient = world.quantities["ambient"].value if "ambient" in world.quantities else AMBIENT_KELVIN
        zero = ambient if isinstance(ambient, float) else AMBIENT_KELVIN
        return zero + (value - zero) * factor
    return value * factor


def compute_sensitivity_profile(
    executor: PlanExecutor,
    plan: tuple[Move, ...],
    lifted: frozenset[str] = frozenset(),
    *,
    working_values: Mapping[str, float] = MappingProxyType({}),
) -> tuple[QuantitySensitivity, ...]:
    """Return how a plan ends with each number that it depends on 20 % lower and higher.

    `working_values` holds the values at which the plan works where they differ from the stated ones, such as
    the end of a disputed range.
    """
    world = executor.engine.world

    def find_end(name: str, factor: float) -> str:
        changes = {**working_values, name: scale_quantity(world, name, factor)}
        return executor.run_plan(plan, changes=changes, lifted=lifted).end

    return tuple(
        QuantitySensitivity(name, find_end(name, 1 - VARIED_SHARE), find_end(name, 1 + VARIED_SHARE))
        for name in find_numbers_behind_plan(executor, plan)
    )


def find_quantities_that_break_all_plans(
    executor: PlanExecutor, plans: tuple[tuple[Move, ...], ...]
) -> Iterator[tuple[str, float, str]]:
    """Yield the assumed quantities with a value in their range at which every plan fails.

    Each result has the name, the value, and the end of the first plan at that value.
    """
    world = executor.engine.world
    stated_box = build_admissible_box(world.quantities, names=frozenset())
    for name in dict.fromkeys(name for plan in plans for name in find_numbers_behind_plan(executor, plan)):
        quantity = world.quantities[name]
        value = quantity.value
        if (
            quantity.kind is not QuantityKind.ASSUMED
            or not isinstance(value, float)
            or quantity.low is None
            or quantity.high is None
        ):
            continue
        failing = [
            found
            for plan in plans
            for found in _find_values_where_plan_fails(executor, plan, quantity, stated_box)
        ]
        for trial in (*_list_trial_values(value, quantity.low, quantity.high), *failing):
            ends = [executor.run_plan(plan, changes={name: trial}).end for plan in plans]
            if "goal" not in ends:
                yield name, trial, ends[0]
                break


def _find_values_where_plan_fails(
    executor: PlanExecutor, plan: tuple[Move, ...], quantity: Quantity, stated_box: Box
) -> Iterator[float]:
    """Yield values of a quantity at which a condition of the plan fails, as found by the prover.

    Only conditions that read no changing state are considered.
    """
    world = executor.engine.world
    box = {**stated_box, quantity.name: (quantity.low or 0.0, quantity.high or 0.0)}
    for test in (test for move in plan for test in move.tests):
        if test.reads_state or quantity.name not in world.collect_stated_quantities(test.tree):
            continue
        tree = world.expand_derived_quantities(test.tree)
        if IntervalEvaluator(box).decide_condition(tree) is True:
            continue
        verdict = decide_joint_satisfiability({"fails": ex.Negation(tree)}, box)
        if isinstance(verdict, Witness) and isinstance(found := verdict.point.get(quantity.name), float):
            yield found


def _list_trial_values(value: float, low: float, high: float) -> Iterator[float]:
    for end in (low, high):
        for share in (1.0, 0.5):
            if end != value:
                yield value + (end - value) * share


def locate_value_breaking_last_plan(
    executor: PlanExecutor, works: Callable[[float], bool], name: str, failing_value: float
) -> float:
    """Return the value between the stated and a bad one at which the last plan stops working."""
    stated_value = executor.engine.world.quantities[name].value
    assert isinstance(stated_value, float)
    good = stated_value
    for _ in range(_BISECTIONS):
        middle = (good + failing_value) / 2
        if works(middle):
            good = middle
        else:
            failing_value = middle
    return failing_value


def find_worst_outcome_over_ranges(executor: PlanExecutor, plan: tuple[Move, ...]) -> PlanOutcome:
    """Return the worst outcome of a plan with one quantity at either end of its range."""
    world = executor.engine.world
    outcomes = [executor.run_plan(plan)]
    for name in find_numbers_behind_plan(executor, plan):
        quantity = world.quantities[name]
        if quantity.kind in {QuantityKind.ASSUMED, QuantityKind.DISPUTED}:
            outcomes += [
                executor.run_plan(plan, changes={name: end})
                for end in (quantity.low, quantity.high)
                if end is not None
            ]
    return min(outcomes, key=_rank_outcome)


def _rank_outcome(outcome: PlanOutcome) -> tuple[bool, float]:
    margin = outcome.least_margin
    return outcome.reaches_goal, float("inf") if margin is None else margin
