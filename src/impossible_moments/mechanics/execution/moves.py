"""Moves: planned calls compiled for execution, with conditions, duration and effects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from impossible_moments.mechanics.execution.move_arguments import MoveError
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.condition_margins import ConditionMarginFunction
from impossible_moments.mechanics.language.dimensions import TIME
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import Closure
from impossible_moments.mechanics.records.plans import PlannedCall
from impossible_moments.mechanics.records.quantities import QuantityKind
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.world_model import ActionEffect


class MoveKind(StrEnum):
    """The ways in which a move is executed."""

    ACT = "act"
    WAIT_UNTIL = "wait_until"
    CHOOSE = "choose"
    SAY = "say"


class MoveCondition:
    """A named condition of a move. It is compiled on first use, because most moves are never executed."""

    def __init__(self, name: str, tree: Expression, engine: WorldEngine) -> None:
        self.name = name
        self.tree = tree
        self.arranged_by: tuple[Move, ...] | None = None
        self._engine = engine

    @cached_property
    def reads_state(self) -> bool:
        """Whether the condition reads anything that actions or rates can change."""
        world = self._engine.world
        return bool(world.collect_stated_quantities(self.tree) & world.mutable)

    @cached_property
    def judge(self) -> ConditionMarginFunction:
        """The closure that returns truth and margin."""
        return self._engine.compile_condition_judge(self.tree)

    @cached_property
    def holds(self) -> Closure:
        """The faster closure that returns the truth alone."""
        return self._engine.compile_expression(self.tree)


@dataclass(frozen=True, slots=True)
class StateChange:
    """A compiled effect of a move. `place` is the index in the values, `low` and `high` are its bounds."""

    name: str
    place: int
    tree: Expression
    compute: Closure
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Move:
    """A call compiled for one world."""

    text: str
    verb: str
    arguments: tuple[str, ...]
    kind: MoveKind = MoveKind.ACT
    tests: tuple[MoveCondition, ...] = ()
    takes: Closure | None = None
    takes_tree: Expression = field(default_factory=lambda: ex.Number(0.0, TIME))
    changes: tuple[StateChange, ...] = ()
    unattended: bool = False
    logistics: bool = False
    own: bool = True
    of: str | None = None
    decides: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


def compile_state_change(
    engine: WorldEngine, effect: ActionEffect, bindings: dict[str, Expression], *, call: PlannedCall
) -> StateChange:
    """Compile an effect of a call. Raise `MoveError` if it would set something that does not exist."""
    target, tree = ex.bind_variables(effect.target, bindings), ex.bind_variables(effect.tree, bindings)
    name = ex.format_expression(target)
    if name not in engine.places or not engine.has_all_names(tree):
        raise MoveError(
            "plan.argument",
            f"`{call}` would set `{name}`, which does not exist",
            "a thing with that property",
        )
    quantity = engine.world.quantities[name]
    bounded = quantity.kind is QuantityKind.STATE
    return StateChange(
        name,
        engine.places[name],
        tree,
        engine.compile_expression(tree),
        quantity.low if bounded else None,
        quantity.high if bounded else None,
    )


def find_decisions_read(engine: WorldEngine, trees: Iterable[Expression]) -> frozenset[str]:
    """Return the names of the decisions that expressions read."""
    if not engine.decisions:
        return frozenset()
    read = frozenset[str]().union(*(engine.world.collect_stated_quantities(tree) for tree in trees))
    return read & {quantity.name for quantity in engine.decisions}
