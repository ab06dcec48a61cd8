"""The names an expression may read, with types and values from the record and from the call."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.tools.arguments import LONGEST_NAME, ToolRefused, meant
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.dimensions import TEMPERATURE, Dimension
from impossible_moments.mechanics.document_values import excerpt, in_words
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.margins import Judged, Scale, judge
from impossible_moments.mechanics.parsing import IDENTIFIER, LARGEST_NUMBER
from impossible_moments.mechanics.quantities import Kind, Quantity, QuantityError, read_value
from impossible_moments.mechanics.scalars import UNDEFINED, Closure, Value, compiled
from impossible_moments.mechanics.sorts import Sort, Type, TypeProblem, type_of
from impossible_moments.mechanics.world import AMBIENT_KELVIN, CONSTANTS

MOST_GIVEN: Final = 60
LONGEST_VALUE: Final = 80
EXAMPLE: Final = '{"sill": "0.4 m"}'
_LISTED: Final = 12


class UnknownName(TypeProblem):
    """A name without a value."""


class Names:
    """Quantities by name, with their types and values. Each derived quantity is computed once."""

    def __init__(self, quantities: Mapping[str, Quantity]) -> None:
        self.quantities = quantities
        self._types: dict[str, Type] = {}
        self._values: dict[str, Value] = {}
        is_known = "ambient" in quantities and self._is_temperature(ex.Name("ambient"))
        ambient: Closure = self._resolve("ambient") if is_known else lambda _: AMBIENT_KELVIN
        self._scale = Scale(self._resolve, self._is_temperature, self._is_plain, ambient)

    def type_of(self, tree: Expression) -> Type:
        """Return the type of a tree. Raise `TypeProblem` if it has none."""
        self._settle(tree)
        return type_of(tree, self._lookup)

    def value(self, tree: Expression) -> Value:
        """Return the value of a tree whose type was inferred.

        Raise an arithmetic error if it is undefined.
        """
        found: Value = compiled(tree, self._resolve)([])
        return found

    def judged(self, tree: Expression) -> Judged:
        """Return whether a condition holds, and its margin."""
        return judge(tree, self._scale)([])

    def _settle(self, tree: Expression) -> None:
        """Compute every quantity that a tree reads, dependencies first, without recursion."""
        waiting = [(name, False) for name in sorted(ex.reads(tree))]
        while waiting:
            name, is_ready = waiting.pop()
            if name in self._types or name not in self.quantities:
                continue
            own = self.quantities[name].tree
            if not is_ready:
                waiting += [(name, True), *((each, False) for each in sorted(ex.reads(own)))]
                continue
            self._types[name] = type_of(own, self._lookup)
            try:
                self._values[name] = compiled(own, self._resolve)([])
            except UNDEFINED:
                self._values[name] = math.nan

    def _lookup(self, node: ex.Name | ex.Property) -> Type:
        name = node.name if isinstance(node, ex.Name) else node.path
        if name in self._types:
            return self._types[name]
        if name in CONSTANTS:
            return CONSTANTS[name].dimension
        raise UnknownName(f"no such name: `{name}`{meant(name, self.quantities) or self._listed(node)}")

    def _listed(self, node: ex.Name | ex.Property) -> str:
        """Return the list of known names for the message about an unknown name."""
        start = f"{node.thing}." if isinstance(node, ex.Property) else ""
        known = [each for each in self.quantities if each.startswith(start) and (start or "." not in each)]
        if not known:
            return ""
        more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
        return f"; there are {', '.join(known[:_LISTED])}{more}"

    def _resolve(self, name: str) -> Closure:
        if name not in self.quantities:
            constant = CONSTANTS[name].value
            return lambda _values: constant
        return lambda _values: self._value_of(name)

    def _value_of(self, name: str) -> Value:
        value = self._values[name]
        if isinstance(value, float) and math.isnan(value):
            raise ValueError(f"`{name}` has no value")
        return value

    def _is_temperature(self, tree: Expression) -> bool:
        return self.type_of(tree) == TEMPERATURE

    def _is_plain(self, tree: Expression) -> bool:
        measured = self.type_of(tree)
        return isinstance(measured, Sort) or measured.is_plain


def names_over(quantities: Mapping[str, Quantity], values: object) -> Names:
    """Build the names of a record, overridden by the values of a call.

    Raise `ToolRefusal` if a value has another dimension than the record's own.
    """
    known = Names(quantities)
    given = {name: _given(name, value) for name, value in _entries(values)}
    for name, quantity in given.items():
        if name not in quantities:
            continue
        own, new = known.type_of(quantities[name].tree), known.type_of(quantity.tree)
        if own != new:
            raise ToolRefused(
                f"`{name}` is a {_called(own)} in the record, but the given value is a {_called(new)}; give it in a unit of that dimension."
            )
    return Names({**quantities, **given})


def _entries(values: object) -> list[tuple[str, object]]:
    if values is None:
        return []
    if not isinstance(values, Mapping):
        raise ToolRefused(
            f"`values` is {in_words(values)}, but must be a map of names to texts, as in {EXAMPLE}."
        )
    if len(values) > MOST_GIVEN:
        raise ToolRefused(
            f"`values` has {len(values)} entries, but at most {MOST_GIVEN} are allowed; give only those that the expression reads."
        )
    return [(_named(name), value) for name, value in values.items()]


def _named(name: object) -> str:
    parts = name.split(".") if isinstance(name, str) and len(name) <= LONGEST_NAME else []
    if not 1 <= len(parts) <= 2 or not all(map(IDENTIFIER.fullmatch, parts)):  # noqa: PLR2004 - thing.property
        raise ToolRefused(
            f"`{excerpt(str(name)[:LONGEST_NAME])}` in `values` is not a name; a name consists of letters, digits and underscores, or is thing.property."
        )
    if parts[0] in CONSTANTS and len(parts) == 1:
        raise ToolRefused(
            f"`{name}` in `values` is a physical constant and cannot be changed; use another name."
        )
    return ".".join(parts)


def _given(name: str, value: object) -> Quantity:
    spelled = str(value).lower() if isinstance(value, bool | int | float) else value
    if not isinstance(spelled, str) or not spelled.strip() or len(spelled) > LONGEST_VALUE:
        raise ToolRefused(
            f"the value of `{name}` must be a text of 1 to {LONGEST_VALUE} characters; write a number with its unit, as in {EXAMPLE}."
        )
    try:
        quantity = read_value(name, spelled)
    except QuantityError as problem:
        raise ToolRefused(
            f"cannot parse the value of `{name}`: {problem}; write it as in {EXAMPLE}."
        ) from None
    if quantity.kind is not Kind.GIVEN or quantity.value is None:
        raise ToolRefused(
            f"the value of `{name}` is `{excerpt(spelled)}`, but must be a number with its unit, true, false or a quoted word, as in {EXAMPLE}."
        )
    found = quantity.value
    if isinstance(found, float) and not (math.isfinite(found) and abs(found) <= LARGEST_NUMBER):
        raise ToolRefused(
            f"the value of `{name}` is larger than {LARGEST_NUMBER:g} in SI units, the largest number allowed."
        )
    return quantity


def _called(found: Type) -> str:
    return str(found) if isinstance(found, Dimension) else found.value
