"""Affordances of library rows: the roles a row can fill, and the operators it can take part in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from impossible_moments.mechanics.language import UNDEFINED, Closure, Value, compile_expression
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import (
    Library,
    LibraryRow,
    Quantity,
    parse_line,
    parse_quantity_value,
)
from impossible_moments.mechanics.world import (
    CONSTANTS,
    LibraryActionProfile,
    ThingRole,
    build_library_action_catalogue,
)


@dataclass(frozen=True, slots=True)
class OperatorUse:
    """An operator, and the slot and role that a row can fill in it."""

    operator: LibraryActionProfile
    slot: str
    role: str


def read_row_properties(row: LibraryRow) -> Mapping[str, Quantity]:
    """Parse the property lines of a row and return the quantities by property name."""
    parts = [parse_line(line, example="mass = 4[kg]") for line in row.props]
    return {part.head: parse_quantity_value(part.head, part.body, part.evidence) for part in parts}


def find_row_affordances(row: LibraryRow, library: Library) -> tuple[str, ...]:
    """Return the roles whose test a row passes with its own properties and those of the standard agent."""
    known = read_row_properties(row)
    return tuple(
        role.name
        for role in build_library_action_catalogue(library).roles.values()
        if _passes_role_test(role, row.name, known, library)
    )


def iterate_operator_uses(row: LibraryRow, library: Library) -> Iterator[OperatorUse]:
    """Yield the operators in which a row can fill a slot.

    The row must have the properties that the operator uses and must pass the test of the slot. Each operator
    is yielded once, with the first slot that fits.
    """
    roles = build_library_action_catalogue(library).roles
    has = set(read_row_properties(row)) | _list_kind_properties(row, library)
    serves = set(find_row_affordances(row, library))
    for operator in build_library_action_catalogue(library).actions.values():
        for slot in operator.action.slots:
            is_fitting = (
                slot.type in serves if slot.type in roles else slot.type in {row.kind, row.name, "thing"}
            )
            if is_fitting and operator.needs[slot.name] <= has:
                yield OperatorUse(operator, slot.name, slot.type)
                break


def _list_kind_properties(row: LibraryRow, library: Library) -> set[str]:
    """Return the names of the properties that a row inherits from its kind."""
    kind = library.kinds.get(row.kind)
    lines = kind.props if kind is not None else []
    return {parse_line(line, example="mass = 4[kg]").head for line in lines}


def _passes_role_test(role: ThingRole, name: str, known: Mapping[str, Quantity], library: Library) -> bool:
    """Return whether the test of a role holds for a row; False if a value it reads is unknown."""
    tree = ex.bind_variables(role.test, {role.variable: ex.Text(name)})
    values = {
        f"{name}.{each}": quantity.value for each, quantity in known.items()
    } | _collect_permanent_values(library)
    if not all(values.get(path) is not None or path in CONSTANTS for path in ex.collect_paths(tree)):
        return False

    def resolve_path(path: str) -> Closure:
        value = CONSTANTS[path].value if path in CONSTANTS else values[path]
        return lambda _values: value

    try:
        return bool(compile_expression(tree, resolve_path)([]))
    except UNDEFINED:
        return False


@lru_cache(maxsize=4)
def _collect_permanent_values(library: Library) -> dict[str, Value | None]:
    """Return the property values of the things that are present in every world."""
    return {
        f"{name}.{each}": quantity.value
        for name in library.form.always
        for each, quantity in read_row_properties(library.rows[name]).items()
    }
