"""Moves: planned calls compiled for execution, with conditions, duration and effects."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import product
from typing import Final

from impossible_moments.mechanics.execution.move_arguments import (
    MoveError,
    bind_arguments_to_slots,
    parse_chosen_value,
    parse_number_argument,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.condition_margins import ConditionMarginFunction
from impossible_moments.mechanics.language.dimensions import TIME
from impossible_moments.mechanics.language.expression_parser import ExpressionError, parse_expression
from impossible_moments.mechanics.language.expression_types import (
    ExpressionTypeError,
    NonNumericType,
    suggest_similar_name,
)
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import Closure, is_same_value
from impossible_moments.mechanics.records.plans import PlannedCall, strip_quotes
from impossible_moments.mechanics.records.quantities import QuantityError, QuantityKind, parse_quantity_value
from impossible_moments.mechanics.world.building.library_actions import build_library_action_catalogue
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.world_model import Action, ActionEffect, ActionSlot, ThingRole

MOST_COUNTED: Final = 12
"""The largest whole number that the search puts into a number slot. A written plan may use any number."""


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


class MoveFactory:
    """Factory and cache of the moves of a world."""

    def __init__(self, engine: WorldEngine) -> None:
        self.engine = engine
        self._made: dict[PlannedCall, Move] = {}
        self._touching: dict[str, frozenset[tuple[str, str]]] = {}
        self._decisions = frozenset(quantity.name for quantity in engine.decisions)

    def get_move(self, call: PlannedCall) -> Move:
        """Return the compiled move of a call. Raise `MoveError` if the call is invalid in this world."""
        if call not in self._made:
            try:
                self._made[call] = self._build_move(call)
            except KeyError as missing:
                # the thing in a slot lacks a property that the call reads
                raise MoveError(
                    "plan.argument",
                    f"`{call}` reads {missing}, which does not exist",
                    "a thing that has this property",
                ) from None
        return self._made[call]

    @cached_property
    def all_actions(self) -> tuple[Move, ...]:
        """All calls of all actions with fitting arguments that have every property the action touches."""
        found: list[Move] = []
        for action in self.engine.world.actions.values():
            found += [
                self.get_move(PlannedCall(action.verb, arguments))
                for arguments in product(*(self._list_fitting_arguments(slot) for slot in action.slots))
                if len(set(arguments)) == len(arguments) and self._has_all_properties(action, arguments)
            ]
        return tuple(found)

    def list_answer_moves(self) -> tuple[Move, ...]:
        """Return one answer move for each puzzle: a right answer, or an empty one if there is none."""
        return tuple(
            self.get_move(
                PlannedCall("answer", (puzzle.name, f"'{puzzle.answers[0] if puzzle.answers else ''}'"))
            )
            for puzzle in self.engine.world.puzzles.values()
        )

    def _list_fitting_arguments(self, slot: ActionSlot) -> list[str]:
        world = self.engine.world
        if slot.type == "number":
            return [str(number) for number in range(MOST_COUNTED + 1)]
        if slot.type in world.things:
            return [slot.type]
        role = world.roles.get(slot.type)
        return [
            name for name, thing in world.things.items()
            if (role is not None and role.allows_thing(thing) and self.engine.has_all_names(ex.bind_variables(role.test, {role.variable: ex.Text(name)})))
            or slot.type in {"thing", thing.kind}
        ]  # fmt: skip

    def _has_all_properties(self, action: Action, arguments: tuple[str, ...]) -> bool:
        """Return whether the arguments have every property that the action reads or sets."""
        held = dict(zip((slot.name for slot in action.slots), arguments, strict=True))
        return all(
            self.engine.has_name(f"{held.get(thing, thing)}.{name}" if thing else name)
            for thing, name in self._collect_touched_names(action)
        )

    def _collect_touched_names(self, action: Action) -> frozenset[tuple[str, str]]:
        """Return what an action reads and sets, as (slot or thing, property) or ("", quantity)."""
        if action.verb not in self._touching:
            trees = [condition.tree for condition in action.when] + [action.takes]
            trees += [tree for effect in action.then for tree in (effect.target, effect.tree)]
            slots = {slot.name for slot in action.slots}
            self._touching[action.verb] = frozenset(
                (node.thing, node.name) if isinstance(node, ex.Property) else ("", node.name)
                for tree in trees
                for node in ex.walk_nodes(tree)
                if isinstance(node, ex.Property) or (isinstance(node, ex.Name) and node.name not in slots)
            )
        return self._touching[action.verb]

    def _build_move(self, call: PlannedCall) -> Move:
        match call.verb:
            case "answer":
                return self._build_answer_move(call)
            case "wait":
                return self._build_wait_move(call)
            case "wait_until":
                return self._build_wait_until_move(call)
            case "choose":
                return self._build_choose_move(call)
            case "claim" | "challenge" | "impossible":
                return Move(str(call), call.verb, call.arguments, MoveKind.SAY)
            case _:
                return self._build_action_move(call)

    def _build_action_move(self, call: PlannedCall) -> Move:
        world = self.engine.world
        action = world.actions.get(call.verb) or self._find_unused_library_action(call.verb)
        if action is None:
            known = [*world.actions, "answer", "wait", "wait_until", "choose"]
            raise MoveError(
                "plan.verb",
                f"`{call.verb}` is not an action{suggest_similar_name(call.verb, known)}",
                f"one of {', '.join(name for name in known if name not in world.actions or world.actions[name].own)}",
            )
        if len(call.arguments) != len(action.slots):
            raise MoveError(
                "plan.argument",
                f"`{call}` has {len(call.arguments)} arguments for {len(action.slots)} slots",
                action.signature,
            )
        tests: list[MoveCondition] = []
        notes: list[str] = []
        for slot, argument in zip(action.slots, call.arguments, strict=True):
            tests += self._build_slot_conditions(action, slot, argument, notes)
        bindings = bind_arguments_to_slots(action, call.arguments)
        tests += [
            self._build_move_condition(
                f"{action.verb}.{each.name}", ex.bind_variables(each.tree, bindings), notes
            )
            for each in action.when
        ]
        takes = ex.bind_variables(action.takes, bindings)
        changes = tuple(self._build_state_change(effect, bindings, call) for effect in action.then)
        reads = [test.tree for test in tests] + [takes] + [change.tree for change in changes]
        return Move(
            str(call), action.verb, call.arguments, MoveKind.ACT, tuple(tests), self.engine.compile_expression(takes), takes, changes,
            action.unattended, action.logistics, action.own, action.of, self._find_decisions_read(reads), tuple(notes),
        )  # fmt: skip

    def _find_unused_library_action(self, verb: str) -> Action | None:
        """Return a library action that this world leaves out, so that a plan with it fails with a reason."""
        each = build_library_action_catalogue(self.engine.world.library).actions.get(verb)
        return each.action if each is not None else None

    def _find_slot_role(self, action: Action, slot: ActionSlot) -> ThingRole | None:
        world = self.engine.world
        known = (
            world.roles
            if action.verb in world.actions
            else build_library_action_catalogue(world.library).roles
        )
        return known.get(slot.type)

    def _find_decisions_read(self, trees: list[Expression]) -> frozenset[str]:
        if not self._decisions:
            return frozenset()
        return (
            frozenset().union(*(self.engine.world.collect_stated_quantities(tree) for tree in trees))
            & self._decisions
        )

    def _build_slot_conditions(
        self, action: Action, slot: ActionSlot, argument: str, notes: list[str]
    ) -> list[MoveCondition]:
        world = self.engine.world
        if slot.type == "number":
            parse_number_argument(argument)
            return []
        thing = world.things.get(argument)
        if thing is None:
            raise MoveError(
                "plan.argument",
                f"`{argument}` is not a thing{suggest_similar_name(argument, world.things)}",
                action.signature,
            )
        role = self._find_slot_role(action, slot)
        if role is not None and not role.allows_thing(thing):
            notes.append(f"`{argument}` is a {thing.kind}, and no `{slot.type}`")
            return [MoveCondition(f"{action.verb}.{slot.name}", ex.FALSE, self.engine)]
        if role is not None:
            return [
                self._build_move_condition(
                    f"{action.verb}.{slot.name}",
                    ex.bind_variables(role.test, {role.variable: ex.Text(argument)}),
                    notes,
                )
            ]
        if slot.type not in {argument, thing.kind, "thing"}:
            raise MoveError(
                "plan.argument",
                f"`{argument}` is not a `{slot.type}`: it cannot fill slot `{slot.name}`",
                action.signature,
            )
        return []

    def _build_move_condition(self, name: str, tree: Expression, notes: list[str]) -> MoveCondition:
        missing = sorted(each for each in ex.collect_paths(tree) if not self.engine.has_name(each))
        if missing:
            notes.append(f"`{missing[0].split('.')[0]}` has no `{missing[0].split('.')[-1]}`")
            tree = ex.FALSE
        return MoveCondition(name, tree, self.engine)

    def _build_state_change(
        self, effect: ActionEffect, bindings: dict[str, Expression], call: PlannedCall
    ) -> StateChange:
        target, tree = ex.bind_variables(effect.target, bindings), ex.bind_variables(effect.tree, bindings)
        name = ex.format_expression(target)
        if name not in self.engine.places or not self.engine.has_all_names(tree):
            raise MoveError(
                "plan.argument",
                f"`{call}` would set `{name}`, which does not exist",
                "a thing with that property",
            )
        quantity = self.engine.world.quantities[name]
        bounded = quantity.kind is QuantityKind.STATE
        return StateChange(
            name,
            self.engine.places[name],
            tree,
            self.engine.compile_expression(tree),
            quantity.low if bounded else None,
            quantity.high if bounded else None,
        )

    def _build_answer_move(self, call: PlannedCall) -> Move:
        puzzles = self.engine.world.puzzles
        if len(call.arguments) != 2:  # noqa: PLR2004 - a puzzle and a value
            raise MoveError(
                "plan.argument",
                f"`{call}` must have two arguments: a puzzle and a value",
                "answer(shelf, '8274')",
            )
        name, value = call.arguments[0], strip_quotes(call.arguments[1])
        puzzle = puzzles.get(name)
        if puzzle is None:
            raise MoveError(
                "plan.argument",
                f"`{name}` is not a puzzle{suggest_similar_name(name, puzzles)}",
                "answer(shelf, '8274')",
            )
        right = ex.Truth(puzzle.accepts_answer(value))
        test = MoveCondition(f"answer.{name}", right, self.engine)
        changes = tuple(
            self._build_state_change(effect, {}, call) for effect in self.engine.world.gives.get(name, ())
        )
        return Move(str(call), "answer", call.arguments, tests=(test,), changes=changes)

    def _build_wait_move(self, call: PlannedCall) -> Move:
        tree = self._parse_wait_duration(", ".join(call.arguments))
        if tree is None:
            raise MoveError("plan.argument", f"`{call}` does not give a duration", "wait(20[s])")
        return Move(
            str(call), "wait", call.arguments, takes=self.engine.compile_expression(tree), takes_tree=tree,
            decides=self._find_decisions_read([tree]),
        )  # fmt: skip

    def _parse_wait_duration(self, text: str) -> Expression | None:
        try:
            tree = parse_quantity_value("wait", text).tree
            return tree if self.engine.infer_expression_type(tree) == TIME else None
        except (QuantityError, ExpressionTypeError):
            return None

    def _build_wait_until_move(self, call: PlannedCall) -> Move:
        text = strip_quotes(", ".join(call.arguments))
        try:
            tree = parse_expression(text)
            fits = self.engine.infer_expression_type(tree) is NonNumericType.TRUTH
        except (ExpressionError, ExpressionTypeError) as problem:
            raise MoveError(
                "plan.argument", f"`{call}`: {problem}", "wait_until('level >= hatch.sill')"
            ) from None
        if not fits:
            raise MoveError(
                "plan.argument", f"`{call}` does not give a condition", "wait_until('level >= hatch.sill')"
            )
        test = MoveCondition("wait_until", tree, self.engine)
        return Move(
            str(call), "wait_until", call.arguments, MoveKind.WAIT_UNTIL, tests=(test,), decides=self._find_decisions_read([tree])
        )  # fmt: skip

    def _build_choose_move(self, call: PlannedCall) -> Move:
        changes = tuple(self._parse_choice(argument) for argument in call.arguments)
        if not changes:
            raise MoveError("plan.argument", f"`{call}` does not give a choice", "choose(angle=35[deg])")
        return Move(str(call), "choose", call.arguments, MoveKind.CHOOSE, changes=changes)

    def _parse_choice(self, argument: str) -> StateChange:
        name, _, text = (part.strip() for part in argument.partition("="))
        quantity = self.engine.world.quantities.get(name)
        if quantity is None or quantity.kind is not QuantityKind.DECISION:
            raise MoveError(
                "plan.argument",
                f"`{name}` cannot be chosen{suggest_similar_name(name, self._decisions)}",
                "choose(angle=35[deg])",
            )
        value = parse_chosen_value(text, self.engine.infer_expression_type(quantity.tree))
        if quantity.options:
            # the written value may have fewer digits than the option it means
            meant = next((option for option in quantity.options if is_same_value(option, value)), None)
            fits, value = meant is not None, value if meant is None else meant
        else:
            fits = isinstance(value, float) and (quantity.low or 0.0) <= value <= (quantity.high or 0.0)
        if not fits:
            raise MoveError(
                "plan.argument",
                f"`{argument}` is outside the values that can be chosen",
                ex.format_expression(quantity.tree),
            )
        tree: Expression = (
            ex.Number(value)
            if isinstance(value, float)
            else ex.Truth(value)
            if isinstance(value, bool)
            else ex.Text(value)
        )
        return StateChange(
            name, self.engine.places[name], tree, self.engine.compile_expression(tree), None, None
        )
