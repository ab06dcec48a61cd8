"""The draft of a world during parsing, with its name and type checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_parser import (
    ExpressionError,
    FormulaCall,
    list_formula_calls,
    parse_expression,
)
from impossible_moments.mechanics.language.expression_types import (
    ExpressionType,
    ExpressionTypeError,
    NonNumericType,
    infer_type,
    require_condition,
    suggest_similar_name,
)
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.records.library import Library
from impossible_moments.mechanics.records.quantities import Quantity, QuantityKind
from impossible_moments.mechanics.records.record import Record
from impossible_moments.mechanics.world.world_model import CONSTANTS, Action, NeverRule, ThingRole, WorldThing

LARGEST_COUNT: Final = 16
STATE_QUANTITY: Final = ", so state it in `quantities`"
STATE_THING: Final = ", so list it in `things`"


@dataclass
class WorldDraft:
    """The parts of a world that have been parsed so far."""

    record: Record
    library: Library
    findings: Findings
    quantities: dict[str, Quantity] = field(default_factory=dict)
    things: dict[str, WorldThing] = field(default_factory=dict)
    roles: dict[str, ThingRole] = field(default_factory=dict)
    actions: dict[str, Action] = field(default_factory=dict)
    rates: dict[str, Expression] = field(default_factory=dict)
    never_rules: list[NeverRule] = field(default_factory=list)
    mutable: set[str] = field(default_factory=set)
    read_names: set[str] = field(default_factory=set)
    own_paths: set[str] = field(default_factory=set)
    foreign_paths: set[str] = field(default_factory=set)
    formula_calls: list[tuple[str, FormulaCall]] = field(default_factory=list)
    _types: dict[str, ExpressionType] = field(default_factory=dict)
    _pending_names: set[str] = field(default_factory=set)

    def parse_expression(self, text: str, path: str, example: str = "") -> Expression | None:
        """Parse an expression. Return None and add a finding if the text is malformed."""
        try:
            return parse_expression(text)
        except ExpressionError as problem:
            self.findings.add("expression.form", path, str(problem), found=text, expected=example)
            return None

    def record_formula_calls(self, text: str, path: str) -> None:
        """Record the library formulas that a line calls, so that their arguments can be checked later."""
        # the same text was parsed before, so parsing it again cannot fail
        if "(" in text:
            self.formula_calls += [(path, call) for call in list_formula_calls(text, self.library.templates)]

    def has_property(self, thing: str, name: str) -> bool:
        """Return whether a thing has a property."""
        return f"{thing}.{name}" in self.quantities

    def look_up_type(
        self, node: ex.Name | ex.Property, variables: Mapping[str, ExpressionType] | None = None
    ) -> ExpressionType:
        """Return the type of a name or property. Raise `TypeProblem` with a suggestion if it is unknown."""
        if isinstance(node, ex.Name):
            if variables and node.name in variables:
                return variables[node.name]
            if node.name in CONSTANTS:
                return CONSTANTS[node.name].dimension
            if node.name in self.quantities:
                return self.infer_quantity_type(node.name)
            raise ExpressionTypeError(
                f"unknown name `{node.name}`{suggest_similar_name(node.name, self._list_known_names()) or STATE_QUANTITY}"
            )
        if node.path in self.quantities:
            return self.infer_quantity_type(node.path)
        if node.thing not in self.things:
            raise ExpressionTypeError(
                f"unknown thing `{node.thing}`{suggest_similar_name(node.thing, self.things) or STATE_THING}"
            )
        known = self.list_properties(node.thing)
        property_note = (
            f"; it has {', '.join(known) or 'no properties'}, so state `{node.name} = ...` in its `props`"
        )
        raise ExpressionTypeError(
            f"`{node.thing}` has no property `{node.name}`{suggest_similar_name(node.name, known) or property_note}"
        )

    def list_properties(self, thing: str) -> list[str]:
        """Return the property names of a thing."""
        start = f"{thing}."
        return [name.removeprefix(start) for name in self.quantities if name.startswith(start)]

    def infer_quantity_type(self, name: str) -> ExpressionType:
        """Return the type of a quantity. Raise `TypeProblem` if it is derived from itself."""
        if name not in self._types:
            if name in self._pending_names:
                raise ExpressionTypeError(f"`{name}` is derived from itself")
            self._pending_names.add(name)
            try:
                self._types[name] = infer_type(self.quantities[name].tree, self.look_up_type)
            finally:
                self._pending_names.discard(name)
        return self._types[name]

    def check_expression_type(
        self,
        tree: Expression,
        path: str,
        *,
        variables: Mapping[str, ExpressionType] | None = None,
        expected: ExpressionType | None = None,
    ) -> ExpressionType | None:
        """Return the type of an expression, or add a finding and return None if it is ill-typed.

        `expected` is the type it must have. `variables` gives the types of bound variables.
        """
        try:
            if expected is NonNumericType.TRUTH:
                require_condition(tree, lambda node: self.look_up_type(node, variables))
                found: ExpressionType = NonNumericType.TRUTH
            else:
                found = infer_type(tree, lambda node: self.look_up_type(node, variables))
        except ExpressionTypeError as problem:
            self.findings.add(
                _choose_type_finding_code(str(problem)), path, str(problem), found=ex.format_expression(tree)
            )
            return None
        self.read_names |= ex.collect_paths(tree)
        if expected is not None and found != expected and not _is_bare_zero(tree):
            self.findings.add(
                "dimension.mismatch", path, f"`{ex.format_expression(tree)}` is a {_format_type_name(found)}, but a {_format_type_name(expected)} is needed",
                found=ex.format_expression(tree),
            )  # fmt: skip
            return None
        return found

    def _list_known_names(self) -> Iterable[str]:
        return [name for name in (*self.quantities, *CONSTANTS) if "." not in name]

    def report_unnamed_literals(self, tree: Expression, path: str) -> None:
        """Add a finding for each number in an expression that must be a named quantity instead."""
        for node in ex.walk_nodes(tree):
            if isinstance(node, ex.Number) and _needs_quantity_name(node):
                self.findings.add(
                    "literal.unnamed",
                    path,
                    f"the number `{node.text}` is written inside an expression: name it in `quantities`, where it "
                    "is printed (given) or has a range and a source (assumed)",
                    found=ex.format_expression(tree),
                    expected=f"quantities: `limit = {node.text}`, and `limit` here",
                )

    def report_constant_condition(self, tree: Expression, path: str) -> None:
        """Add a finding if a condition reads no quantity and no property."""
        if not ex.collect_paths(tree) - CONSTANTS.keys():
            self.findings.add(
                "condition.constant",
                path,
                f"the condition `{ex.format_expression(tree)}` reads no quantity and no property",
                found=ex.format_expression(tree),
                expected="a condition on the world, as in `tool.edge <= plate.slot`",
            )

    def is_state(self, name: str) -> bool:
        """Return whether a name is a quantity of kind state."""
        quantity = self.quantities.get(name)
        return quantity is not None and quantity.kind is QuantityKind.STATE


def _needs_quantity_name(number: ex.Number) -> bool:
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


def _choose_type_finding_code(problem: str) -> str:
    if problem.startswith("unknown") or "has no property" in problem:
        return "name.unknown"
    return "quantity.cycle" if "derived from itself" in problem else "dimension.mismatch"


def _format_type_name(type_: ExpressionType) -> str:
    return type_.value if isinstance(type_, NonNumericType) else str(type_)


def _is_bare_zero(tree: Expression) -> bool:
    return isinstance(tree, ex.Number) and tree.is_bare_zero
