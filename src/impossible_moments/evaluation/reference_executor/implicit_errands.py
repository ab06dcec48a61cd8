"""Errands: implicit calls for going and fetching that a plan need not state."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from impossible_moments.evaluation.reference_executor.call_parser import ActionCall, can_fill_slot
from impossible_moments.evaluation.reference_executor.reference_state import (
    Bindings,
    ReferenceState,
    UndefinedValue,
    collect_names_read,
    resolve_path,
)
from impossible_moments.mechanics.language import Expression
from impossible_moments.mechanics.world import Action, World


def passes_role_test(state: ReferenceState, action_call: ActionCall, slot: str) -> bool:
    """Check whether the thing in a slot passes the test of its role."""
    world = state.world
    kind = next(each.type for each in action_call.action.slots if each.name == slot)
    role = world.roles.get(kind)
    if role is None:
        return True
    argument = action_call.bindings[slot]
    return role.allows_thing(world.things[str(argument)]) and state.satisfies_condition(
        role.test, {role.variable: argument}
    )


def find_first_failing_condition(
    state: ReferenceState, action_call: ActionCall
) -> tuple[str, Expression | None, Bindings] | None:
    """Return the first failing slot or condition: name, test and variables; None if nothing fails.

    The test is None if no errand could make it true.
    """
    for slot in action_call.action.slots:
        if not passes_role_test(state, action_call, slot.name):
            role = state.world.roles[slot.type]
            admitted = role.allows_thing(state.world.things[str(action_call.bindings[slot.name])])
            return (
                slot.name,
                role.test if admitted else None,
                {role.variable: action_call.bindings[slot.name]},
            )
    for condition in action_call.action.when:
        if not state.satisfies_condition(condition.tree, action_call.bindings):
            return condition.name, condition.tree, action_call.bindings
    return None


def find_errand(state: ReferenceState, test: Expression, bindings: Bindings) -> ActionCall | None:
    """Return the first errand that is possible now and makes a test true, or None."""
    for errand in _iterate_errands(state.world):
        if find_first_failing_condition(state, errand) is None:
            trial_state = state.copy()
            try:
                trial_state.values.update(compute_call_effects(state, errand))
            except UndefinedValue:
                continue
            if trial_state.satisfies_condition(test, bindings):
                return errand
    return None


def compute_call_effects(state: ReferenceState, action_call: ActionCall) -> dict[str, float | bool | str]:
    """Return the values that a call sets, all computed from the same state."""
    return {
        resolve_path(effect.target, action_call.bindings): state.evaluate(effect.tree, action_call.bindings)
        for effect in action_call.action.then
    }


def collect_names_read_by_call(world: World, action_call: ActionCall) -> frozenset[str]:
    """Return all names that a call reads in its roles, conditions, duration and effects."""
    action = action_call.action
    trees = [action.takes, *(each.tree for each in action.when), *(each.tree for each in action.then)]
    names = collect_names_read(world, trees, action_call.bindings)
    for slot in action.slots:
        if (role := world.roles.get(slot.type)) is not None:
            names |= collect_names_read(world, [role.test], {role.variable: action_call.bindings[slot.name]})
    return names


def _iterate_errands(world: World) -> Iterator[ActionCall]:
    for action in world.actions.values():
        if action.logistics:
            yield from _iterate_calls_with_slots_filled(world, action)


def _iterate_calls_with_slots_filled(world: World, action: Action) -> Iterator[ActionCall]:
    choices = [[name for name in world.things if can_fill_slot(world, slot, name)] for slot in action.slots]
    for things in product(*choices):
        bindings = {slot.name: thing for slot, thing in zip(action.slots, things, strict=True)}
        if all(resolve_path(effect.target, bindings) in world.quantities for effect in action.then):
            yield ActionCall(action, bindings, f"{action.verb}({', '.join(things)})")
