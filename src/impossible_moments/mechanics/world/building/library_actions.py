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

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.records.library import Library
from impossible_moments.mechanics.records.quantities import Quantity, QuantityKind
from impossible_moments.mechanics.records.record import Record
from impossible_moments.mechanics.world.building.actions import (
    mark_mutable_quantities,
    read_library_roles_and_actions,
)
from impossible_moments.mechanics.world.building.roles import list_properties_read
from impossible_moments.mechanics.world.building.world_draft import WorldDraft
from impossible_moments.mechanics.world.world_model import CONSTANTS, Action, ActionSlot, ThingRole

_NOTHING: Final[dict[str, Any]] = {}
"""Fields of the empty record with which the roles and actions of a library are parsed."""


@dataclass(frozen=True, slots=True)
class LibraryActionProfile:
    """A parsed action of the library with the names that it reads and sets."""

    action: Action
    duration: Quantity | None
    needs: Mapping[str, frozenset[str]]
    """The properties that are read or set, by slot."""
    fixed_paths: frozenset[str]
    """Names and properties of fixed things that the action touches, such as `you.reach`."""
    reads: frozenset[str]
    sets: frozenset[str]
    needed_properties: frozenset[str]
    """All properties needed by any slot. If no thing has one of them, the action is impossible."""


@dataclass(frozen=True)
class LibraryActionCatalogue:
    """All parsed roles and actions of a library."""

    roles: Mapping[str, ThingRole]
    actions: Mapping[str, LibraryActionProfile]

    @cached_property
    def _properties_by_mechanism(self) -> dict[tuple[str, str], frozenset[str]]:
        """The properties that actions read, by mechanism and slot type."""
        found: dict[tuple[str, str], frozenset[str]] = {}
        for each in self.actions.values():
            for slot in each.action.slots if each.action.of is not None else ():
                key = (each.action.of or "", slot.type)
                found[key] = found.get(key, frozenset()) | each.needs[slot.name]
        return found

    def find_properties_read_by_mechanism(
        self, mechanism: str, kind: str, name: str
    ) -> frozenset[str] | None:
        """Return the properties that actions of a mechanism read of a thing with this kind or name.

        Return None if no action of the mechanism takes such a thing.
        """
        found = [self._properties_by_mechanism.get((mechanism, each)) for each in (kind, name)]
        known = [each for each in found if each is not None]
        return frozenset().union(*known) if known else None


@lru_cache(maxsize=16)
def build_library_action_catalogue(library: Library) -> LibraryActionCatalogue:
    """Parse the roles and actions of a library. Raise `ValueError` with the first problem found."""
    draft = WorldDraft(Record.model_construct(**_NOTHING), library, Findings())
    read_library_roles_and_actions(draft)
    if draft.findings.errors:
        problem = draft.findings.errors[0]
        raise ValueError(f"library error at {problem.where.removeprefix('/library/')}: {problem.what}")
    return LibraryActionCatalogue(
        draft.roles,
        {
            verb: _build_action_profile(action, draft.roles, draft.quantities.get(f"{verb}.takes"))
            for verb, action in draft.actions.items()
        },
    )


def _build_action_profile(
    action: Action, roles: Mapping[str, ThingRole], duration: Quantity | None
) -> LibraryActionProfile:
    slots = {slot.name for slot in action.slots}
    conditions = [condition.tree for condition in action.when]
    expressions_read = [*conditions, action.takes, *(effect.tree for effect in action.then)]
    expressions = [*expressions_read, *(effect.target for effect in action.then)]
    tests = {slot.name: roles[slot.type] for slot in action.slots if slot.type in roles}
    needs = {
        slot: frozenset(
            {name for tree in expressions for name in list_properties_read(tree, slot)}
            | set(list_properties_read(tests[slot].test, tests[slot].variable) if slot in tests else ())
        )
        for slot in slots
    }
    own_duration = f"{action.verb}.takes"
    fixed = frozenset(
        path
        for tree in (*expressions, *(role.test for role in tests.values()))
        for node in ex.walk_nodes(tree)
        if (path := _get_name_path(node))
        and path.split(".")[0] not in {*slots, *(role.variable for role in tests.values())}
        if path not in CONSTANTS and path != own_duration
    )
    names = {_get_last_name_part(node) for tree in expressions_read for node in ex.walk_nodes(tree)} - {""}
    names |= {name for role in tests.values() for name in list_properties_read(role.test, role.variable)}
    sets = frozenset(_get_last_name_part(effect.target) for effect in action.then)
    return LibraryActionProfile(
        action, duration, needs, fixed, frozenset(names), sets, frozenset().union(*needs.values())
    )


def _get_name_path(node: Expression) -> str:
    match node:
        case ex.Property():
            return node.path
        case ex.Name(name):
            return name
        case _:
            return ""


def _get_last_name_part(node: Expression) -> str:
    return _get_name_path(node).split(".")[-1]


def add_library_actions(draft: WorldDraft, goal: Expression, deadline: Expression | None) -> None:
    """Add the library actions that can matter in this world, and the roles of their slots."""
    known = build_library_action_catalogue(draft.library)
    renamed = {name: _choose_free_role_name(draft, name) for name in known.roles}
    properties_by_thing = _collect_thing_properties(draft)
    all_properties = frozenset().union(*properties_by_thing.values())
    possible = {
        verb: each
        for verb, each in known.actions.items()
        if each.needed_properties <= all_properties
        and _can_fill_all_slots(draft, each, known.roles, properties_by_thing)
    }
    called = _list_verbs_called_in_plans(draft)
    wanted_names = _collect_names_that_draft_depends_on(draft, goal, deadline)
    chosen_actions: set[str] = set(called & known.actions.keys())
    while True:
        fresh = [
            verb for verb, each in possible.items() if verb not in chosen_actions and each.sets & wanted_names
        ]
        if not fresh:
            break
        chosen_actions.update(fresh)
        for verb in fresh:
            wanted_names |= known.actions[verb].reads
    own_actions, draft.actions = draft.actions, {}
    for verb in (verb for verb in known.actions if verb in chosen_actions):
        _add_library_action(draft, known.actions[verb], renamed, known.roles, properties_by_thing)
    draft.actions.update(own_actions)


def _choose_free_role_name(draft: WorldDraft, role: str) -> str:
    """Return the name for a library role, with the prefix `library_` if the record uses the name itself."""
    is_taken = role in draft.roles or role in draft.things
    return f"library_{role}" if is_taken else role


def _collect_thing_properties(draft: WorldDraft) -> dict[str, set[str]]:
    has: dict[str, set[str]] = {thing: set() for thing in draft.things}
    for path in draft.quantities:
        thing, dot, name = path.partition(".")
        if dot and thing in has and path not in draft.foreign_paths:
            has[thing].add(name)
    return has


def _list_fitting_things(
    draft: WorldDraft,
    profile: LibraryActionProfile,
    slot: ActionSlot,
    roles: Mapping[str, ThingRole],
    properties_by_thing: Mapping[str, set[str]],
) -> Iterator[str]:
    needs = profile.needs[slot.name]
    for name, thing in draft.things.items():
        role = roles.get(slot.type)
        is_fitting = (
            role.allows_thing(thing) if role is not None else slot.type in {"thing", thing.kind, name}
        )
        if is_fitting and needs <= properties_by_thing[name]:
            yield name


def _can_fill_all_slots(
    draft: WorldDraft,
    profile: LibraryActionProfile,
    roles: Mapping[str, ThingRole],
    properties_by_thing: Mapping[str, set[str]],
) -> bool:
    if not all(path in draft.quantities for path in profile.fixed_paths):
        return False
    return all(
        slot.type == "number" or any(_list_fitting_things(draft, profile, slot, roles, properties_by_thing))
        for slot in profile.action.slots
    )


def _list_verbs_called_in_plans(draft: WorldDraft) -> set[str]:
    """Return the verbs that the plans of the record call."""
    calls = [call for approach in draft.record.approaches for call in approach.plan]
    return set(re.findall(r"([A-Za-z]\w*)\s*\(", " ".join(calls)))


def _collect_names_that_draft_depends_on(
    draft: WorldDraft, goal: Expression, deadline: Expression | None
) -> set[str]:
    trees: list[Expression] = [goal, *draft.rates.values(), *(never.tree for never in draft.never_rules)]
    trees += [ex.Name(state) for state in draft.rates]
    if deadline is not None:
        trees.append(deadline)
    for action in draft.actions.values():
        trees += [condition.tree for condition in action.when] + [action.takes]
        trees += [tree for effect in action.then for tree in (effect.tree, effect.target)]
        trees += [draft.roles[slot.type].test for slot in action.slots if slot.type in draft.roles]
    found: set[str] = set()
    for tree in trees:
        _collect_names_expression_depends_on(draft, tree, found)
    return found


def _collect_names_expression_depends_on(draft: WorldDraft, tree: Expression, names: set[str]) -> None:
    """Add to `names` the last name part of everything that an expression depends on."""
    for name in ex.collect_paths(tree):
        last = name.split(".")[-1]
        quantity = draft.quantities.get(name)
        if quantity is not None and quantity.kind is QuantityKind.DERIVED and name not in names:
            names.add(name)
            _collect_names_expression_depends_on(draft, quantity.tree, names)
        names.add(last)


def _add_library_action(
    draft: WorldDraft,
    profile: LibraryActionProfile,
    renamed: Mapping[str, str],
    roles: Mapping[str, ThingRole],
    properties_by_thing: Mapping[str, set[str]],
) -> None:
    action = profile.action
    for slot in action.slots:
        if slot.type in roles:
            name = renamed[slot.type]
            draft.roles.setdefault(name, replace(roles[slot.type], name=name))
    slots = tuple(ActionSlot(slot.name, renamed.get(slot.type, slot.type)) for slot in action.slots)
    draft.actions[action.verb] = replace(action, slots=slots)
    if profile.duration is not None:
        draft.quantities[profile.duration.name] = profile.duration
    holds = {
        slot.name: list(_list_fitting_things(draft, profile, slot, roles, properties_by_thing))
        for slot in action.slots
    }
    for effect in action.then:
        mark_mutable_quantities(draft, effect.target, holds)
