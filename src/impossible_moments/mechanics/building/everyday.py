"""Selection of the library actions that can matter in the world of a record.

The roles and actions of the library are parsed once and cached. An action is added to a world only if every
slot can be filled by a thing with the properties that the action touches, and if one of its effects is read
by the goal, a never-line, a rate, an action of the record or another added action. Other actions cannot
change a verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.building.draft import Draft
from impossible_moments.mechanics.building.roles import properties_read
from impossible_moments.mechanics.building.verbs import mark_mutable, read_library_verbs
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.library import Library
from impossible_moments.mechanics.quantities import Kind, Quantity
from impossible_moments.mechanics.record import Record
from impossible_moments.mechanics.world import CONSTANTS, Action, Role, Slot

_NOTHING: Final[dict[str, Any]] = {}
"""Fields of the empty record with which the roles and actions of a library are parsed."""


@dataclass(frozen=True, slots=True)
class Everyday:
    """A parsed action of the library with the names that it reads and sets."""

    action: Action
    duration: Quantity | None
    needs: Mapping[str, frozenset[str]]
    """The properties that are read or set, by slot."""
    fixed: frozenset[str]
    """Names and properties of fixed things that the action touches, such as `you.reach`."""
    reads: frozenset[str]
    sets: frozenset[str]
    anything: frozenset[str]
    """All properties needed by any slot. If no thing has one of them, the action is impossible."""


@dataclass(frozen=True)
class Repertoire:
    """All parsed roles and actions of a library."""

    roles: Mapping[str, Role]
    actions: Mapping[str, Everyday]

    @cached_property
    def _reads(self) -> dict[tuple[str, str], frozenset[str]]:
        """The properties that actions read, by mechanism and slot type."""
        found: dict[tuple[str, str], frozenset[str]] = {}
        for each in self.actions.values():
            for slot in each.action.slots if each.action.of is not None else ():
                key = (each.action.of or "", slot.type)
                found[key] = found.get(key, frozenset()) | each.needs[slot.name]
        return found

    def judged_by(self, mechanism: str, kind: str, name: str) -> frozenset[str] | None:
        """Return the properties that actions of a mechanism read of a thing with this kind or name.

        Return None if no action of the mechanism takes such a thing.
        """
        found = [self._reads.get((mechanism, each)) for each in (kind, name)]
        known = [each for each in found if each is not None]
        return frozenset().union(*known) if known else None


@lru_cache(maxsize=16)
def repertoire(library: Library) -> Repertoire:
    """Parse the roles and actions of a library. Raise `ValueError` with the first problem found."""
    draft = Draft(Record.model_construct(**_NOTHING), library, Findings())
    read_library_verbs(draft)
    if draft.findings.errors:
        problem = draft.findings.errors[0]
        raise ValueError(f"library error at {problem.where.removeprefix('/library/')}: {problem.what}")
    return Repertoire(
        draft.roles,
        {
            verb: _everyday(action, draft.roles, draft.quantities.get(f"{verb}.takes"))
            for verb, action in draft.actions.items()
        },
    )


def _everyday(action: Action, roles: Mapping[str, Role], duration: Quantity | None) -> Everyday:
    slots = {slot.name for slot in action.slots}
    conditions = [condition.tree for condition in action.when]
    read = [*conditions, action.takes, *(effect.tree for effect in action.then)]
    touched = [*read, *(effect.target for effect in action.then)]
    tests = {slot.name: roles[slot.type] for slot in action.slots if slot.type in roles}
    needs = {
        slot: frozenset(
            {name for tree in touched for name in properties_read(tree, slot)}
            | set(properties_read(tests[slot].test, tests[slot].variable) if slot in tests else ())
        )
        for slot in slots
    }
    own_duration = f"{action.verb}.takes"
    fixed = frozenset(
        path
        for tree in (*touched, *(role.test for role in tests.values()))
        for node in ex.walk(tree)
        if (path := _path(node))
        and path.split(".")[0] not in {*slots, *(role.variable for role in tests.values())}
        if path not in CONSTANTS and path != own_duration
    )
    names = {_last(node) for tree in read for node in ex.walk(tree)} - {""}
    names |= {name for role in tests.values() for name in properties_read(role.test, role.variable)}
    sets = frozenset(_last(effect.target) for effect in action.then)
    return Everyday(
        action, duration, needs, fixed, frozenset(names), sets, frozenset().union(*needs.values())
    )


def _path(node: Expression) -> str:
    match node:
        case ex.Property():
            return node.path
        case ex.Name(name):
            return name
        case _:
            return ""


def _last(node: Expression) -> str:
    return _path(node).split(".")[-1]


def add_everyday_verbs(draft: Draft, goal: Expression, deadline: Expression | None) -> None:
    """Add the library actions that can matter in this world, and the roles of their slots."""
    known = repertoire(draft.library)
    renamed = {name: _free_name(draft, name) for name in known.roles}
    has = _properties_of_things(draft)
    anywhere = frozenset().union(*has.values())
    possible = {
        verb: each
        for verb, each in known.actions.items()
        if each.anything <= anywhere and _possible(draft, each, known.roles, has)
    }
    called = _called(draft)
    wanted = _wanted(draft, goal, deadline)
    chosen: set[str] = set(called & known.actions.keys())
    while True:
        fresh = [verb for verb, each in possible.items() if verb not in chosen and each.sets & wanted]
        if not fresh:
            break
        chosen.update(fresh)
        for verb in fresh:
            wanted |= known.actions[verb].reads
    own, draft.actions = draft.actions, {}
    for verb in (verb for verb in known.actions if verb in chosen):
        _add(draft, known.actions[verb], renamed, known.roles, has)
    draft.actions.update(own)


def _free_name(draft: Draft, role: str) -> str:
    """Return the name for a library role, with the prefix `library_` if the record uses the name itself."""
    taken = role in draft.roles or role in draft.things
    return f"library_{role}" if taken else role


def _properties_of_things(draft: Draft) -> dict[str, set[str]]:
    has: dict[str, set[str]] = {thing: set() for thing in draft.things}
    for path in draft.quantities:
        thing, dot, name = path.partition(".")
        if dot and thing in has and path not in draft.foreign:
            has[thing].add(name)
    return has


def _fitting(
    draft: Draft, each: Everyday, slot: Slot, roles: Mapping[str, Role], has: Mapping[str, set[str]]
) -> Iterator[str]:
    needs = each.needs[slot.name]
    for name, thing in draft.things.items():
        role = roles.get(slot.type)
        fits = role.admits(thing) if role is not None else slot.type in {"thing", thing.kind, name}
        if fits and needs <= has[name]:
            yield name


def _possible(draft: Draft, each: Everyday, roles: Mapping[str, Role], has: Mapping[str, set[str]]) -> bool:
    if not all(path in draft.quantities for path in each.fixed):
        return False
    return all(
        slot.type == "number" or any(_fitting(draft, each, slot, roles, has)) for slot in each.action.slots
    )


def _called(draft: Draft) -> set[str]:
    """Return the verbs that the plans of the record call."""
    calls = [call for approach in draft.record.approaches for call in approach.plan]
    return set(re.findall(r"([A-Za-z]\w*)\s*\(", " ".join(calls)))


def _wanted(draft: Draft, goal: Expression, deadline: Expression | None) -> set[str]:
    trees: list[Expression] = [goal, *draft.rates.values(), *(never.tree for never in draft.nevers)]
    trees += [ex.Name(state) for state in draft.rates]
    if deadline is not None:
        trees.append(deadline)
    for action in draft.actions.values():
        trees += [condition.tree for condition in action.when] + [action.takes]
        trees += [tree for effect in action.then for tree in (effect.tree, effect.target)]
        trees += [draft.roles[slot.type].test for slot in action.slots if slot.type in draft.roles]
    found: set[str] = set()
    for tree in trees:
        _gather(draft, tree, found)
    return found


def _gather(draft: Draft, tree: Expression, found: set[str]) -> None:
    """Add to `found` the last name part of everything that an expression depends on."""
    for name in ex.reads(tree):
        last = name.split(".")[-1]
        quantity = draft.quantities.get(name)
        if quantity is not None and quantity.kind is Kind.DERIVED and name not in found:
            found.add(name)
            _gather(draft, quantity.tree, found)
        found.add(last)


def _add(
    draft: Draft,
    each: Everyday,
    renamed: Mapping[str, str],
    roles: Mapping[str, Role],
    has: Mapping[str, set[str]],
) -> None:
    action = each.action
    for slot in action.slots:
        if slot.type in roles:
            name = renamed[slot.type]
            draft.roles.setdefault(name, replace(roles[slot.type], name=name))
    slots = tuple(Slot(slot.name, renamed.get(slot.type, slot.type)) for slot in action.slots)
    draft.actions[action.verb] = replace(action, slots=slots)
    if each.duration is not None:
        draft.quantities[each.duration.name] = each.duration
    holds = {slot.name: list(_fitting(draft, each, slot, roles, has)) for slot in action.slots}
    for effect in action.then:
        mark_mutable(draft, effect.target, holds)
