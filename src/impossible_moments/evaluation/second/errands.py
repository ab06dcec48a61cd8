"""Errands: the going and fetching that a plan need not spell out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from impossible_moments.evaluation.second.calls import Deed, could_stand
from impossible_moments.evaluation.second.state import Bindings, NoValue, State, names_read, path_of
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.world import Action, World


def fills(state: State, deed: Deed, slot: str) -> bool:
    """Whether what stands in a slot passes the test of its role."""
    world = state.world
    kind = next(each.type for each in deed.action.slots if each.name == slot)
    role = world.roles.get(kind)
    if role is None:
        return True
    argument = deed.bindings[slot]
    return role.admits(world.things[str(argument)]) and state.holds(role.test, {role.variable: argument})


def first_failing(state: State, deed: Deed) -> tuple[str, Expression | None, Bindings] | None:
    """The slot or condition that fails first: its name, and the test with its variables unless no errand could help."""
    for slot in deed.action.slots:
        if not fills(state, deed, slot.name):
            role = state.world.roles[slot.type]
            admitted = role.admits(state.world.things[str(deed.bindings[slot.name])])
            return slot.name, role.test if admitted else None, {role.variable: deed.bindings[slot.name]}
    for condition in deed.action.when:
        if not state.holds(condition.tree, deed.bindings):
            return condition.name, condition.tree, deed.bindings
    return None


def errand_for(state: State, test: Expression, bindings: Bindings) -> Deed | None:
    """The first going or fetching that can be done now and would make a test true."""
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


def effects_of(state: State, deed: Deed) -> dict[str, float | bool | str]:
    """What a deed sets, all of it computed from one state."""
    return {
        path_of(effect.target, deed.bindings): state.worth(effect.tree, deed.bindings)
        for effect in deed.action.then
    }


def read_by(world: World, deed: Deed) -> frozenset[str]:
    """Everything that a deed reads: in its slots' roles, its conditions, its duration and its effects."""
    action = deed.action
    trees = [action.takes, *(each.tree for each in action.when), *(each.tree for each in action.then)]
    names = names_read(world, trees, deed.bindings)
    for slot in action.slots:
        if (role := world.roles.get(slot.type)) is not None:
            names |= names_read(world, [role.test], {role.variable: deed.bindings[slot.name]})
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
