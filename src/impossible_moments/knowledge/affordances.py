"""Affordances of library rows: the roles a row can fill, and the operators it can take part in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.building.everyday import Everyday, repertoire
from impossible_moments.mechanics.library import Library, LibraryRow
from impossible_moments.mechanics.lines import split_line
from impossible_moments.mechanics.quantities import Quantity, read_value
from impossible_moments.mechanics.scalars import UNDEFINED, Closure, Value, compiled
from impossible_moments.mechanics.world import CONSTANTS, Role


@dataclass(frozen=True, slots=True)
class Use:
    """An operator, and the slot and role that a row can fill in it."""

    operator: Everyday
    slot: str
    role: str


def figures_of(row: LibraryRow) -> Mapping[str, Quantity]:
    """Parse the property lines of a row and return the quantities by property name."""
    parts = [split_line(line, example="mass = 4[kg]") for line in row.props]
    return {part.head: read_value(part.head, part.body, part.evidence) for part in parts}


def affordances_of(row: LibraryRow, library: Library) -> tuple[str, ...]:
    """Return the roles whose test a row passes with its own properties and those of the standard agent."""
    known = figures_of(row)
    return tuple(
        role.name for role in repertoire(library).roles.values() if _passes(role, row.name, known, library)
    )


def uses_of(row: LibraryRow, library: Library) -> Iterator[Use]:
    """Yield the operators in which a row can fill a slot.

    The row must have the properties that the operator uses and must pass the test of the slot. Each operator
    is yielded once, with the first slot that fits.
    """
    roles = repertoire(library).roles
    has = set(figures_of(row)) | _of_kind(row, library)
    serves = set(affordances_of(row, library))
    for operator in repertoire(library).actions.values():
        for slot in operator.action.slots:
            fits = slot.type in serves if slot.type in roles else slot.type in {row.kind, row.name, "thing"}
            if fits and operator.needs[slot.name] <= has:
                yield Use(operator, slot.name, slot.type)
                break


def _of_kind(row: LibraryRow, library: Library) -> set[str]:
    """Return the names of the properties that a row inherits from its kind."""
    kind = library.kinds.get(row.kind)
    lines = kind.props if kind is not None else []
    return {split_line(line, example="mass = 4[kg]").head for line in lines}


def _passes(role: Role, name: str, known: Mapping[str, Quantity], library: Library) -> bool:
    """Return whether the test of a role holds for a row; False if a value it reads is unknown."""
    tree = ex.bound(role.test, {role.variable: ex.Text(name)})
    values = {f"{name}.{each}": quantity.value for each, quantity in known.items()} | _standing(library)
    if not all(values.get(path) is not None or path in CONSTANTS for path in ex.reads(tree)):
        return False

    def resolve(path: str) -> Closure:
        value = CONSTANTS[path].value if path in CONSTANTS else values[path]
        return lambda _values: value

    try:
        return bool(compiled(tree, resolve)([]))
    except UNDEFINED:
        return False


@lru_cache(maxsize=4)
def _standing(library: Library) -> dict[str, Value | None]:
    """Return the property values of the things that are present in every world."""
    return {
        f"{name}.{each}": quantity.value
        for name in library.form.always
        for each, quantity in figures_of(library.rows[name]).items()
    }
