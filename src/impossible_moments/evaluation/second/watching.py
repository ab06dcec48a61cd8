"""Watches: conditions looked at while time passes, and the first moment inside a step at which one holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from impossible_moments.evaluation.second.state import NoValue, State, Value, nodes, side
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.world import World

Glimpse: TypeAlias = Callable[[float], State]
"""The state after a share of a step, from 0 to 1."""

Switch: TypeAlias = ex.Comparison | ex.Call | ex.Arithmetic

HALVINGS: Final = 60
SHORTLY: Final = 1e-9
"""The share of a step by which it is looked before something turns."""


@dataclass(frozen=True)
class Watch:
    """A condition that ends the passing of time when it comes true."""

    name: str
    tree: Expression
    undefined: bool
    """What counts where it has no value: a danger then is met, something awaited is not."""

    def holds(self, state: State) -> bool:
        """Whether it holds in a state."""
        return state.holds(self.tree, undefined=self.undefined)


def first_holding(watches: Iterable[Watch], state: State) -> Watch | None:
    """The first of the watches that holds."""
    return next((watch for watch in watches if watch.holds(state)), None)


JUMPING: Final = frozenset({"ceil", "floor"})
BENT: Final = frozenset({"abs", "min", "max", "/"})
"""What has a corner, or a place at which it leaps from one end of all numbers to the other."""


def switches(
    world: World, trees: Iterable[Expression], functions: frozenset[str] = JUMPING
) -> tuple[Switch, ...]:
    """All parts of some trees at which their worth may jump: comparisons, and calls of some functions."""
    found = (node for node, _ in nodes(world, trees))
    return tuple(
        dict.fromkeys(
            node
            for node in found
            if isinstance(node, ex.Comparison)
            or (isinstance(node, ex.Call) and node.function in functions)
            or (isinstance(node, ex.Arithmetic) and node.operator in functions)
        )
    )


def position(switch: Switch, state: State) -> Value | None:
    """On which side a switch is; None where it has no value."""
    try:
        if isinstance(switch, ex.Call):
            return _branch(switch, state)
        if isinstance(switch, ex.Arithmetic):
            return side(state.number(switch.right), 0.0)
        left, right = state.worth(switch.left), state.worth(switch.right)
    except NoValue:
        return None
    if isinstance(left, bool | str) or isinstance(right, bool | str):
        return left == right
    return side(left, right)


def _branch(call: ex.Call, state: State) -> Value:
    """The whole number that is made, or which of its arguments a bent function follows."""
    if call.function in JUMPING:
        return state.worth(call)
    numbers = [state.number(each) for each in call.arguments]
    if call.function == "abs":
        return side(numbers[0], 0.0)
    return numbers.index(min(numbers) if call.function == "min" else max(numbers))


def first_moment(
    watches: tuple[Watch, ...], deciding: tuple[Switch, ...], glimpse: Glimpse
) -> tuple[float, Watch] | None:
    """The share of a step after which a watch holds first, and that watch.

    Looked at are the moments at which some switch turns, those shortly before them, the middles between them, and
    the end: so a condition that comes and goes within the step is seen too.
    """
    start, end = glimpse(0.0), glimpse(1.0)
    turns = {1.0}
    for each in deciding:
        if position(each, end) != position(each, start):
            turns.add(_halved(partial(_turned, each, glimpse)))
    middles = {(one + other) / 2 for one, other in zip(sorted(turns), sorted(turns)[1:], strict=False)}
    looks = sorted(turns | middles | {turn * (1 - SHORTLY) for turn in turns})
    previous = 0.0
    for look in looks:
        if first_holding(watches, glimpse(look)) is not None:
            share = _halved(lambda at: first_holding(watches, glimpse(at)) is not None, previous, look)
            found = first_holding(watches, glimpse(share))
            assert found is not None, "the upper end of a bisection holds"
            return share, found
        previous = look
    return None


def _turned(switch: Switch, glimpse: Glimpse, share: float) -> bool:
    return position(switch, glimpse(share)) != position(switch, glimpse(0.0))


def _halved(holds: Callable[[float], bool], low: float = 0.0, high: float = 1.0) -> float:
    """The least share that holds, where the low end does not and the high end does."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
