"""The draft of a world during parsing, with its name and type checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.library import Library
from impossible_moments.mechanics.parsing import ExpressionError, FormulaCall, formula_calls, parse
from impossible_moments.mechanics.quantities import Kind, Quantity
from impossible_moments.mechanics.record import Record
from impossible_moments.mechanics.sorts import Sort, Type, TypeProblem, condition_type, did_you_mean, type_of
from impossible_moments.mechanics.world import CONSTANTS, Action, Never, Role, Thing

LARGEST_COUNT: Final = 16


@dataclass
class Draft:
    """The parts of a world that have been parsed so far."""

    record: Record
    library: Library
    findings: Findings
    quantities: dict[str, Quantity] = field(default_factory=dict)
    things: dict[str, Thing] = field(default_factory=dict)
    roles: dict[str, Role] = field(default_factory=dict)
    actions: dict[str, Action] = field(default_factory=dict)
    rates: dict[str, Expression] = field(default_factory=dict)
    nevers: list[Never] = field(default_factory=list)
    mutable: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    own_paths: set[str] = field(default_factory=set)
    foreign: set[str] = field(default_factory=set)
    formula_calls: list[tuple[str, FormulaCall]] = field(default_factory=list)
    _types: dict[str, Type] = field(default_factory=dict)
    _underway: set[str] = field(default_factory=set)

    def expression(self, text: str, where: str, example: str = "") -> Expression | None:
        """Parse an expression. Return None and add a finding if the text is malformed."""
        try:
            return parse(text)
        except ExpressionError as problem:
            self.findings.add("expression.form", where, str(problem), found=text, expected=example)
            return None

    def note_formulas(self, text: str, where: str) -> None:
        """Record the library formulas that a line calls, so that their arguments can be checked later."""
        # the same text was parsed before, so parsing it again cannot fail
        if "(" in text:
            self.formula_calls += [(where, call) for call in formula_calls(text, self.library.templates)]

    def has(self, thing: str, name: str) -> bool:
        """Return whether a thing has a property."""
        return f"{thing}.{name}" in self.quantities

    def lookup(self, node: ex.Name | ex.Property, variables: Mapping[str, Type] | None = None) -> Type:
        """Return the type of a name or property. Raise `TypeProblem` with a suggestion if it is unknown."""
        if isinstance(node, ex.Name):
            if variables and node.name in variables:
                return variables[node.name]
            if node.name in CONSTANTS:
                return CONSTANTS[node.name].dimension
            if node.name in self.quantities:
                return self.type_of_quantity(node.name)
            raise TypeProblem(f"unknown name `{node.name}`{did_you_mean(node.name, self._known_names())}")
        if node.path in self.quantities:
            return self.type_of_quantity(node.path)
        if node.thing not in self.things:
            raise TypeProblem(f"unknown thing `{node.thing}`{did_you_mean(node.thing, self.things)}")
        known = self.properties_of(node.thing)
        listed = f"; it has {', '.join(known)}" if known else "; it has no properties"
        raise TypeProblem(
            f"`{node.thing}` has no property `{node.name}`{did_you_mean(node.name, known) or listed}"
        )

    def properties_of(self, thing: str) -> list[str]:
        """Return the property names of a thing."""
        start = f"{thing}."
        return [name.removeprefix(start) for name in self.quantities if name.startswith(start)]

    def type_of_quantity(self, name: str) -> Type:
        """Return the type of a quantity. Raise `TypeProblem` if it is derived from itself."""
        if name not in self._types:
            if name in self._underway:
                raise TypeProblem(f"`{name}` is derived from itself")
            self._underway.add(name)
            try:
                self._types[name] = type_of(self.quantities[name].tree, self.lookup)
            finally:
                self._underway.discard(name)
        return self._types[name]

    def typed(
        self,
        tree: Expression,
        where: str,
        *,
        variables: Mapping[str, Type] | None = None,
        want: Type | None = None,
    ) -> Type | None:
        """Return the type of an expression, or add a finding and return None if it is ill-typed.

        `want` is the type it must have. `variables` gives the types of bound variables.
        """
        try:
            if want is Sort.TRUTH:
                condition_type(tree, lambda node: self.lookup(node, variables))
                found: Type = Sort.TRUTH
            else:
                found = type_of(tree, lambda node: self.lookup(node, variables))
        except TypeProblem as problem:
            self.findings.add(_code(str(problem)), where, str(problem), found=ex.written(tree))
            return None
        self.read |= ex.reads(tree)
        if want is not None and found != want and not _fits_anything(tree):
            self.findings.add(
                "dimension.mismatch", where, f"`{ex.written(tree)}` is a {_called(found)}, but a {_called(want)} is needed",
                found=ex.written(tree),
            )  # fmt: skip
            return None
        return found

    def _known_names(self) -> Iterable[str]:
        return [name for name in (*self.quantities, *CONSTANTS) if "." not in name]

    def no_literals(self, tree: Expression, where: str) -> None:
        """Add a finding for each number in an expression that must be a named quantity instead."""
        for node in ex.walk(tree):
            if isinstance(node, ex.Number) and _escapes(node):
                self.findings.add(
                    "literal.unnamed",
                    where,
                    f"the number `{node.text}` is written inside an expression: name it in `quantities`, where it "
                    "is printed (given) or has a range and a source (assumed)",
                    found=ex.written(tree),
                    expected=f"quantities: `limit = {node.text}`, and `limit` here",
                )

    def not_constant(self, tree: Expression, where: str) -> None:
        """Add a finding if a condition reads no quantity and no property."""
        if not ex.reads(tree) - CONSTANTS.keys():
            self.findings.add(
                "condition.constant",
                where,
                f"`{ex.written(tree)}` reads no quantity and no property",
                found=ex.written(tree),
                expected="a condition on the world, as in `tool.edge <= plate.slot`",
            )

    def is_state(self, name: str) -> bool:
        """Return whether a name is a quantity of kind state."""
        quantity = self.quantities.get(name)
        return quantity is not None and quantity.kind is Kind.STATE


def _escapes(number: ex.Number) -> bool:
    """Return whether a number must be a named quantity.

    Exempt are zero, small whole numbers, and plain halves, quarters, 100 and 1000.
    """
    if not number.dimension.is_plain:
        return number.value != 0
    size = abs(number.value)
    return not (size <= LARGEST_COUNT and size % 1 == 0) and size not in {
        0.25,
        0.5,
        0.75,
        1.25,
        1.5,
        100.0,
        1000.0,
    }


def _code(problem: str) -> str:
    if problem.startswith("unknown") or "has no property" in problem:
        return "name.unknown"
    return "quantity.cycle" if "derived from itself" in problem else "dimension.mismatch"


def _called(found: Type) -> str:
    return found.value if isinstance(found, Sort) else str(found)


def _fits_anything(tree: Expression) -> bool:
    return isinstance(tree, ex.Number) and tree.is_bare_zero
