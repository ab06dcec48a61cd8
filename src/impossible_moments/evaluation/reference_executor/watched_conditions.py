"""Conditions watched while time passes, and the search for the first moment at which one holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from impossible_moments.evaluation.reference_executor.reference_state import (
    ReferenceState,
    UndefinedValue,
    Value,
    compare_numbers,
    iterate_expression_nodes,
)
from impossible_moments.mechanics.language import Expression
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.world import World

StateAtShare: TypeAlias = Callable[[float], ReferenceState]
"""Function that returns the state after a share of a step, from 0 to 1."""

Switch: TypeAlias = ex.Comparison | ex.FunctionCall | ex.Arithmetic

BISECTION_STEPS: Final = 60
SMALL_SHARE: Final = 1e-9
"""Relative distance before a turn at which conditions are evaluated too."""


@dataclass(frozen=True)
class WatchedCondition:
    """A condition that stops the passing of time when it becomes true."""

    name: str
    tree: Expression
    undefined: bool
    """Result if the condition has no value: True for a danger, False for an awaited condition."""

    def is_met_in(self, state: ReferenceState) -> bool:
        """Check whether the condition holds in a state."""
        return state.satisfies_condition(self.tree, undefined=self.undefined)


def find_first_met_condition(
    watches: Iterable[WatchedCondition], state: ReferenceState
) -> WatchedCondition | None:
    """Return the first watched condition that holds in a state, or None."""
    return next((watch for watch in watches if watch.is_met_in(state)), None)


DISCONTINUOUS_FUNCTIONS: Final = frozenset({"ceil", "floor"})
KINKED_OPERATORS: Final = frozenset({"abs", "min", "max", "/"})
"""Functions and operators with a kink or a pole."""


def collect_switches(
    world: World, trees: Iterable[Expression], functions: frozenset[str] = DISCONTINUOUS_FUNCTIONS
) -> tuple[Switch, ...]:
    """Return the parts of some expressions where values may jump: comparisons, and uses of `functions`."""
    found = (node for node, _ in iterate_expression_nodes(world, trees))
    return tuple(
        dict.fromkeys(
            node
            for node in found
            if isinstance(node, ex.Comparison)
            or (isinstance(node, ex.FunctionCall) and node.function in functions)
            or (isinstance(node, ex.Arithmetic) and node.operator in functions)
        )
    )


def compute_switch_position(switch: Switch, state: ReferenceState) -> Value | None:
    """Return the side on which a switch is in a state; None if it has no value."""
    try:
        if isinstance(switch, ex.FunctionCall):
            return _compute_function_branch(switch, state)
        if isinstance(switch, ex.Arithmetic):
            return compare_numbers(state.evaluate_number(switch.right), 0.0)
        left, right = state.evaluate(switch.left), state.evaluate(switch.right)
    except UndefinedValue:
        return None
    if isinstance(left, bool | str) or isinstance(right, bool | str):
        return left == right
    return compare_numbers(left, right)


def _compute_function_branch(call: ex.FunctionCall, state: ReferenceState) -> Value:
    """Return the rounded number, or which branch or argument a function follows."""
    if call.function in DISCONTINUOUS_FUNCTIONS:
        return state.evaluate(call)
    numbers = [state.evaluate_number(each) for each in call.arguments]
    if call.function == "abs":
        return compare_numbers(numbers[0], 0.0)
    return numbers.index(min(numbers) if call.function == "min" else max(numbers))


def find_first_met_moment(
    watches: tuple[WatchedCondition, ...], switches: tuple[Switch, ...], state_at: StateAtShare
) -> tuple[float, WatchedCondition] | None:
    """Return the share of a step after which a watched condition first holds, with that condition, or None.

    Conditions are evaluated where a switch turns, shortly before, midway between turns, and at the end. A
    condition that holds only within the step is therefore found too.
    """
    start, end = state_at(0.0), state_at(1.0)
    turns = {1.0}
    for each in switches:
        if compute_switch_position(each, end) != compute_switch_position(each, start):
            turns.add(_bisect_share(partial(_has_switch_turned, each, state_at)))
    middles = {(one + other) / 2 for one, other in zip(sorted(turns), sorted(turns)[1:], strict=False)}
    shares = sorted(turns | middles | {turn * (1 - SMALL_SHARE) for turn in turns})
    previous = 0.0
    for share in shares:
        if find_first_met_condition(watches, state_at(share)) is not None:
            first_share = _bisect_share(
                lambda at: find_first_met_condition(watches, state_at(at)) is not None, previous, share
            )
            found = find_first_met_condition(watches, state_at(first_share))
            assert found is not None, "the upper end of a bisection holds"
            return first_share, found
        previous = share
    return None


def _has_switch_turned(switch: Switch, state_at: StateAtShare, share: float) -> bool:
    return compute_switch_position(switch, state_at(share)) != compute_switch_position(switch, state_at(0.0))


def _bisect_share(holds: Callable[[float], bool], low: float = 0.0, high: float = 1.0) -> float:
    """Return the least share that holds, by bisection; the low end does not hold and the high end does."""
    for _ in range(BISECTION_STEPS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
