"""Factory of the moves of a world: calls of its actions compiled once, with arguments that fit their slots."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import Final

from impossible_moments.mechanics.execution.basic_moves import (
    build_answer_move,
    build_choose_move,
    build_wait_move,
    build_wait_until_move,
)
from impossible_moments.mechanics.execution.move_arguments import (
    MoveError,
    bind_arguments_to_slots,
    parse_number_argument,
)
from impossible_moments.mechanics.execution.moves import (
    Move,
    MoveCondition,
    MoveKind,
    compile_state_change,
    find_decisions_read,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_types import suggest_similar_name
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.records.plans import PlannedCall
from impossible_moments.mechanics.world.building.library_actions import build_library_action_catalogue
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.world_model import Action, ActionSlot, ThingRole

MOST_COUNTED: Final = 12
"""The largest whole number that the search puts into a number slot. A written plan may use any number."""


class MoveFactory:
    """Factory and cache of the moves of a world."""

    def __init__(self, engine: WorldEngine) -> None:
        self.engine = engine
        self._moves_by_call: dict[PlannedCall, Move] = {}
        self._touching: dict[str, frozenset[tuple[str, str]]] = {}

    def get_move(self, call: PlannedCall) -> Move:
        """Return the compiled move of a call. Raise `MoveError` if the call is invalid in this world."""
        if call not in self._moves_by_call:
            try:
                self._moves_by_call[call] = self._build_move(call)
            except KeyError as missing:
                # the thing in a slot lacks a property that the call reads
                raise MoveError(
                    "plan.argument",
                    f"`{call}` reads {missing}, which does not exist",
                    "a thing that has this property",
                ) from None
        return self._moves_by_call[call]

    @cached_property
    def all_actions(self) -> tuple[Move, ...]:
        """All calls of all actions with fitting arguments that have every property the action touches."""
        found: list[Move] = []
        for action in self.engine.world.actions.values():
            found += [
                self.get_move(PlannedCall(action.verb, arguments))
                for arguments in product(*(self._list_fitting_arguments(slot) for slot in action.slots))
                if len(set(arguments)) == len(arguments)
                and self._has_arguments_with_all_properties(action, arguments)
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

    def _has_arguments_with_all_properties(self, action: Action, arguments: tuple[str, ...]) -> bool:
        """Return whether the arguments have every property that the action reads or sets."""
        things_by_slot = dict(zip((slot.name for slot in action.slots), arguments, strict=True))
        return all(
            self.engine.has_name(f"{things_by_slot.get(thing, thing)}.{name}" if thing else name)
            for thing, name in self._collect_names_read_or_set_by_action(action)
        )

    def _collect_names_read_or_set_by_action(self, action: Action) -> frozenset[tuple[str, str]]:
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
                return build_answer_move(self.engine, call)
            case "wait":
                return build_wait_move(self.engine, call)
            case "wait_until":
                return build_wait_until_move(self.engine, call)
            case "choose":
                return build_choose_move(self.engine, call)
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
        duration = ex.bind_variables(action.takes, bindings)
        changes = tuple(
            compile_state_change(self.engine, effect, bindings, call=call) for effect in action.then
        )
        expressions_read = [test.tree for test in tests] + [duration] + [change.tree for change in changes]
        return Move(
            str(call), action.verb, call.arguments, MoveKind.ACT, tuple(tests), self.engine.compile_expression(duration), duration, changes,
            action.unattended, action.logistics, action.own, action.of, find_decisions_read(self.engine, expressions_read), tuple(notes),
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
            notes.append(self._describe_missing_name(missing[0]))
            tree = ex.FALSE
        return MoveCondition(name, tree, self.engine)

    def _describe_missing_name(self, path: str) -> str:
        thing, _, name = path.rpartition(".")
        if not thing:
            return f"there is no quantity `{name}`: write it in `quantities`"
        if thing not in self.engine.world.things:
            return f"there is no thing `{thing}`: write it in `things`, with `{name}` in its `props`"
        return f"`{thing}` has no `{name}`"
