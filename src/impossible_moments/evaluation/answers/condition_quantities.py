"""The quantities that the named conditions of a record depend on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import QuantityKind
from impossible_moments.mechanics.world import World

DEADLINE: Final = "deadline"


@dataclass(frozen=True)
class ConditionQuantities:
    """The expressions and quantities of the conditions of one world."""

    world: World
    _paths: dict[str, frozenset[str]] = field(default_factory=dict)

    def get_quantity_paths(self, condition: str) -> frozenset[str]:
        """Return the paths of the stated quantities that a condition depends on, for any slot values."""
        if condition not in self._paths:
            found: set[str] = set()
            for tree in self.list_tested_expressions(condition):
                found |= self._find_stated_quantities(tree)
            self._paths[condition] = frozenset(found)
        return self._paths[condition]

    def list_tested_expressions(self, condition: str) -> list[ex.Expression]:
        """Return the expressions that a condition tests."""
        verb, _, name = condition.partition(".")
        found = [each.tree for each in self.world.never_rules if each.name == condition]
        if condition == DEADLINE and self.world.deadline is not None:
            found.append(self.world.deadline)
        if verb in self.world.actions:
            action = self.world.actions[verb]
            found += [each.tree for each in action.when if each.name.rpartition(".")[2] == name]
            # the role test of a slot is a condition too
            roles = (self.world.roles.get(slot.type) for slot in action.slots if slot.name == name)
            found += [role.test for role in roles if role is not None]
        return found

    def _find_stated_quantities(self, tree: ex.Expression) -> set[str]:
        """Return the quantities an expression depends on; for states also those of effects that set them."""
        world = self.world
        found = set(
            self._expand_property_paths(ex.collect_paths(tree) | world.collect_stated_quantities(tree))
        )
        for path in found & world.mutable:
            for effect in self._effect_expressions.get(path.rpartition(".")[2], ()):
                found = found | set(
                    self._expand_property_paths(
                        ex.collect_paths(effect) | world.collect_stated_quantities(effect)
                    )
                )
        return found | self._find_inputs_of_derived_quantities(found)

    def _find_inputs_of_derived_quantities(self, paths: set[str]) -> set[str]:
        """Return what the derived ones among some quantities are computed from: a load is the sum of two weights."""
        quantities = (self.world.quantities.get(path) for path in paths)
        return {
            path
            for each in quantities
            if each is not None and each.kind is QuantityKind.DERIVED
            for path in self.world.collect_stated_quantities(each.tree)
        }

    def _expand_property_paths(self, paths: frozenset[str]) -> Iterator[str]:
        for path in paths:
            thing, _, prop = path.partition(".")
            if thing in self.world.things or not prop:
                yield path
            else:
                yield from self._paths_by_property.get(prop, ())

    @cached_property
    def _paths_by_property(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in self.world.quantities:
            found[path.partition(".")[2]].append(path)
        return {prop: tuple(paths) for prop, paths in found.items()}

    @cached_property
    def _effect_expressions(self) -> Mapping[str, tuple[ex.Expression, ...]]:
        """Expressions of the effects that set each state or property, by the last part of its name."""
        found: dict[str, list[ex.Expression]] = defaultdict(list)
        for action in self.world.actions.values():
            for effect in action.then if action.own else ():
                found[effect.target.name].append(effect.tree)
        return {name: tuple(trees) for name, trees in found.items()}
