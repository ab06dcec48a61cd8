"""The world: what a record says once its lines are read, ready to be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final

from impossible_moments.mechanics import dimensions as dim
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.library import Library
from impossible_moments.mechanics.puzzles.solved import SolvedPuzzle
from impossible_moments.mechanics.quantities import Kind, Quantity
from impossible_moments.mechanics.record import Record

CONSTANTS: Final[Mapping[str, ex.Number]] = {
    "g": ex.Number(9.80665, dim.SPEED / dim.TIME, "g"),
    "pi": ex.Number(3.141592653589793, text="pi"),
    "R_gas": ex.Number(8.31446261815324, dim.ENERGY / dim.AMOUNT / dim.TEMPERATURE, "R_gas"),
    "sigma_sb": ex.Number(
        5.670374419e-8, dim.POWER / dim.LENGTH.to_the(2) / dim.TEMPERATURE.to_the(4), "sigma_sb"
    ),
}
ELAPSED: Final = "elapsed"
AMBIENT_KELVIN: Final = 293.15


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that is there."""

    name: str
    label: str
    kind: str
    like: str | None = None
    own: bool = True


TOOLS: Final = frozenset({"object", "substance"})


@dataclass(frozen=True, slots=True)
class Role:
    """A test on a bound variable."""

    name: str
    variable: str
    test: Expression
    own: bool = True

    def admits(self, thing: Thing) -> bool:
        """Whether a thing is of a sort that can fill it: in the library's eyes nobody is a hammer, and no wall a lever."""
        return self.own or thing.kind in TOOLS


@dataclass(frozen=True, slots=True)
class Slot:
    """A variable of an action and what may fill it: a thing, a role, a kind, `thing` or `number`."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A named condition."""

    name: str
    tree: Expression


@dataclass(frozen=True, slots=True)
class Effect:
    """A property or state that is set."""

    target: ex.Name | ex.Property
    tree: Expression


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done."""

    verb: str
    slots: tuple[Slot, ...]
    when: tuple[Condition, ...]
    then: tuple[Effect, ...]
    takes: Expression
    unattended: bool = False
    of: str | None = None
    own: bool = True
    logistics: bool = False

    @property
    def signature(self) -> str:
        """The action as its author heads it."""
        return f"{self.verb}({', '.join(f'{slot.name}: {slot.type}' for slot in self.slots)})"


class Imposed(StrEnum):
    """What stands behind a never-line."""

    QUOTE = "quote"
    LIBRARY = "library"
    PREMISE = "premise"


@dataclass(frozen=True, slots=True)
class Never:
    """A condition that ends a plan, and what imposes it."""

    name: str
    tree: Expression
    by: Imposed
    evidence: str


@dataclass(frozen=True, slots=True)
class Preference:
    """What makes one working plan better than another; `what` is margin, time or a state."""

    what: str = "margin"
    most: bool = True


@dataclass(frozen=True)
class World:
    """Everything a record says, names resolved. Quantities include properties, as `thing.property`."""

    record: Record
    library: Library
    quantities: Mapping[str, Quantity]
    things: Mapping[str, Thing]
    roles: Mapping[str, Role]
    actions: Mapping[str, Action]
    rates: Mapping[str, Expression]
    nevers: tuple[Never, ...]
    goal: Expression
    deadline: Expression | None
    preference: Preference
    mutable: frozenset[str]
    gives: Mapping[str, tuple[Effect, ...]]
    puzzles: Mapping[str, SolvedPuzzle] = field(default_factory=dict)
    agrees: tuple[Condition, ...] = ()
    own_paths: frozenset[str] = frozenset()

    @cached_property
    def follows_from(self) -> Mapping[str, frozenset[str]]:
        """For each quantity the stated quantities it comes from; a stated one comes from itself."""
        found: dict[str, frozenset[str]] = {}

        def base(name: str) -> frozenset[str]:
            if name not in found:
                quantity = self.quantities.get(name)
                if quantity is None:
                    found[name] = frozenset()
                elif quantity.kind is Kind.DERIVED:
                    found[name] = frozenset().union(*(base(each) for each in sorted(ex.reads(quantity.tree))))
                else:
                    found[name] = frozenset({name})
            return found[name]

        for name in self.quantities:
            base(name)
        return found

    @cached_property
    def _known_bases(self) -> dict[frozenset[str], frozenset[str]]:
        return {}

    def bases(self, tree: Expression) -> frozenset[str]:
        """The stated quantities that a tree comes from."""
        names = ex.reads(tree)
        found = self._known_bases.get(names)
        if found is None:
            known = self.follows_from
            found = frozenset().union(*(known.get(name, frozenset()) for name in names))
            self._known_bases[names] = found
        return found

    def expanded(self, tree: Expression) -> Expression:
        """The tree with every derived quantity written out down to stated ones and constants."""

        def leaf(node: ex.Name | ex.Property) -> Expression:
            name = node.name if isinstance(node, ex.Name) else node.path
            if isinstance(node, ex.Name) and name in CONSTANTS:
                return CONSTANTS[name]
            quantity = self.quantities.get(name)
            if quantity is not None and quantity.kind is Kind.DERIVED:
                return self.expanded(quantity.tree)
            return node

        return ex.rebuilt(tree, leaf)

    def things_of(self, kind: str) -> tuple[Thing, ...]:
        """The things of a kind."""
        return tuple(thing for thing in self.things.values() if thing.kind == kind)
