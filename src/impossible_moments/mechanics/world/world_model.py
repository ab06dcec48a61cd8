"""The world model: the parsed content of a record with all names resolved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final

from impossible_moments.mechanics.language import dimensions as dim
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.records.library import Library
from impossible_moments.mechanics.records.quantities import Quantity, QuantityKind
from impossible_moments.mechanics.records.record import Record
from impossible_moments.mechanics.world.puzzle_solution import SolvedPuzzle

CONSTANTS: Final[Mapping[str, ex.Number]] = {
    "g": ex.Number(9.80665, dim.SPEED / dim.TIME, "g"),
    "pi": ex.Number(3.141592653589793, text="pi"),
    "R_gas": ex.Number(8.31446261815324, dim.ENERGY / dim.AMOUNT / dim.TEMPERATURE, "R_gas"),
    "sigma_sb": ex.Number(
        5.670374419e-8, dim.POWER / dim.LENGTH.raise_to(2) / dim.TEMPERATURE.raise_to(4), "sigma_sb"
    ),
}
ELAPSED: Final = "elapsed"
AMBIENT_KELVIN: Final = 293.15


@dataclass(frozen=True, slots=True)
class WorldThing:
    """A thing of the world. `own` is true for things of the record, false for those of the library."""

    name: str
    label: str
    kind: str
    like: str | None = None
    own: bool = True


TOOLS: Final = frozenset({"object", "substance"})


@dataclass(frozen=True, slots=True)
class ThingRole:
    """A condition on one variable that decides which things may fill a slot."""

    name: str
    variable: str
    test: Expression
    own: bool = True

    def allows_thing(self, thing: WorldThing) -> bool:
        """Return whether a thing's kind can fill the role: library roles take only objects and substances."""
        return self.own or thing.kind in TOOLS


@dataclass(frozen=True, slots=True)
class ActionSlot:
    """A variable of an action and its type: a thing, a role, a kind, `thing` or `number`."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class NamedCondition:
    """A condition with the name by which findings and proofs refer to it."""

    name: str
    tree: Expression


@dataclass(frozen=True, slots=True)
class ActionEffect:
    """A property or state and the expression that it is set to."""

    target: ex.Name | ex.Property
    tree: Expression


@dataclass(frozen=True, slots=True)
class Action:
    """An action with its slots, conditions, effects and duration.

    `of` names the library verb or mechanism that the action is a special case of.
    """

    verb: str
    slots: tuple[ActionSlot, ...]
    when: tuple[NamedCondition, ...]
    then: tuple[ActionEffect, ...]
    takes: Expression
    unattended: bool = False
    of: str | None = None
    own: bool = True
    logistics: bool = False

    @property
    def signature(self) -> str:
        """The head of the action as the author writes it, such as `undo(tool: driver, plate: vent)`."""
        return f"{self.verb}({', '.join(f'{slot.name}: {slot.type}' for slot in self.slots)})"


class NeverRuleSource(StrEnum):
    """The kinds of source that impose a never-line."""

    QUOTE = "quote"
    LIBRARY = "library"
    PREMISE = "premise"


@dataclass(frozen=True, slots=True)
class NeverRule:
    """A condition that ends a plan as soon as it holds, with the source that imposes it."""

    name: str
    tree: Expression
    by: NeverRuleSource
    evidence: str


@dataclass(frozen=True, slots=True)
class PlanPreference:
    """The criterion that ranks working plans. `what` is `margin`, `time` or the name of a state."""

    what: str = "margin"
    most: bool = True


@dataclass(frozen=True)
class World:
    """The content of a record with names resolved. Quantities include properties, as `thing.property`."""

    record: Record
    library: Library
    quantities: Mapping[str, Quantity]
    things: Mapping[str, WorldThing]
    roles: Mapping[str, ThingRole]
    actions: Mapping[str, Action]
    rates: Mapping[str, Expression]
    never_rules: tuple[NeverRule, ...]
    goal: Expression
    deadline: Expression | None
    preference: PlanPreference
    mutable: frozenset[str]
    effects_of_answers: Mapping[str, tuple[ActionEffect, ...]]
    puzzles: Mapping[str, SolvedPuzzle] = field(default_factory=dict)
    agrees: tuple[NamedCondition, ...] = ()
    own_paths: frozenset[str] = frozenset()

    @cached_property
    def stated_quantities_by_name(self) -> Mapping[str, frozenset[str]]:
        """The stated quantities that each quantity depends on. A stated quantity depends on itself."""
        found: dict[str, frozenset[str]] = {}

        def resolve_stated_quantities(name: str) -> frozenset[str]:
            if name not in found:
                quantity = self.quantities.get(name)
                if quantity is None:
                    found[name] = frozenset()
                elif quantity.kind is QuantityKind.DERIVED:
                    found[name] = frozenset().union(
                        *(resolve_stated_quantities(each) for each in sorted(ex.collect_paths(quantity.tree)))
                    )
                else:
                    found[name] = frozenset({name})
            return found[name]

        for name in self.quantities:
            resolve_stated_quantities(name)
        return found

    @cached_property
    def _stated_quantities_cache(self) -> dict[frozenset[str], frozenset[str]]:
        return {}

    def collect_stated_quantities(self, tree: Expression) -> frozenset[str]:
        """Return the stated quantities that an expression depends on, directly or through derived ones."""
        names = ex.collect_paths(tree)
        found = self._stated_quantities_cache.get(names)
        if found is None:
            known = self.stated_quantities_by_name
            found = frozenset().union(*(known.get(name, frozenset()) for name in names))
            self._stated_quantities_cache[names] = found
        return found

    def expand_derived_quantities(self, tree: Expression) -> Expression:
        """Return the expression with derived quantities replaced by stated quantities and constants."""

        def expand_leaf(node: ex.Name | ex.Property) -> Expression:
            name = node.name if isinstance(node, ex.Name) else node.path
            if isinstance(node, ex.Name) and name in CONSTANTS:
                return CONSTANTS[name]
            quantity = self.quantities.get(name)
            if quantity is not None and quantity.kind is QuantityKind.DERIVED:
                return self.expand_derived_quantities(quantity.tree)
            return node

        return ex.replace_leaves(tree, expand_leaf)

    def list_things_of_kind(self, kind: str) -> tuple[WorldThing, ...]:
        """Return the things whose kind is `kind`, in the order of the record."""
        return tuple(thing for thing in self.things.values() if thing.kind == kind)
