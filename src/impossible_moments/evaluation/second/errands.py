"""Errands: implicit calls for going and fetching that a plan need not state."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from impossible_moments.evaluation.second.calls import Deed, could_stand
from impossible_moments.evaluation.second.state import Bindings, NoValue, State, names_read, path_of
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.world import Action, World


def fills(state: State, action_call: Deed, slot: str) -> bool:
    """Check whether the thing in a slot passes the test of its role."""
    world = state.world
    kind = next(each.type for each in action_call.action.slots if each.name == slot)
    role = world.roles.get(kind)
    if role is None:
        return True
    argument = action_call.bindings[slot]
    return role.admits(world.things[str(argument)]) and state.holds(role.test, {role.variable: argument})


def first_failing(state: State, action_call: Deed) -> tuple[str, Expression | None, Bindings] | None:
    """Return the first failing slot or condition: name, test and variables; None if nothing fails.

    The test is None if no errand could make it true.
    """
    for slot in action_call.action.slots:
        if not fills(state, action_call, slot.name):
            role = state.world.roles[slot.type]
            admitted = role.admits(state.world.things[str(action_call.bindings[slot.name])])
            return (
                slot.name,
                role.test if admitted else None,
                {role.variable: action_call.bindings[slot.name]},
            )
    for condition in action_call.action.when:
        if not state.holds(condition.tree, action_call.bindings):
            return condition.name, condition.tree, action_call.bindings
    return None


def errand_for(state: State, test: Expression, bindings: Bindings) -> Deed | None:
    """Return the first errand that is possible now and makes a test true, or None."""
    for errand in _errands(state.world):
        if first_failing(state, errand) is None:
            tried = state.copy()
            try:
                tried.values.update(effects_of(state, errand))
            except NoValue:
                continue
            if tried.holds(test, bindings):
                return errand
    return None


def effects_of(state: State, action_call: Deed) -> dict[str, float | bool | str]:
    """Return the values that a call sets, all computed from the same state."""
    return {
        path_of(effect.target, action_call.bindings): state.worth(effect.tree, action_call.bindings)
        for effect in action_call.action.then
    }


def read_by(world: World, action_call: Deed) -> frozenset[str]:
    """Return all names that a call reads in its roles, conditions, duration and effects."""
    action = action_call.action
    trees = [action.takes, *(each.tree for each in action.when), *(each.tree for each in action.then)]
    names = names_read(world, trees, action_call.bindings)
    for slot in action.slots:
        if (role := world.roles.get(slot.type)) is not None:
            names |= names_read(world, [role.test], {role.variable: action_call.bindings[slot.name]})
    return names


def _errands(world: World) -> Iterator[Deed]:
    for action in world.actions.values():
        if action.logistics:
            yield from _filled(world, action)


def _filled(world: World, action: Action) -> Iterator[Deed]:
    choices = [[name for name in world.things if could_stand(world, slot, name)] for slot in action.slots]
    for things in product(*choices):
        bindings = {slot.name: thing for slot, thing in zip(action.slots, things, strict=True)}
        if all(path_of(effect.target, bindings) in world.quantities for effect in action.then):
            yield Deed(action, bindings, f"{action.verb}({', '.join(things)})")
