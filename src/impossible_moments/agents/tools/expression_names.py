"""The names an expression may read, with types and values from the record and from the call."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.tools.argument_checks import LONGEST_NAME, ToolRefusal, format_name_suggestion
from impossible_moments.mechanics.language import (
    IDENTIFIER,
    LARGEST_NUMBER,
    TEMPERATURE,
    UNDEFINED,
    Closure,
    ConditionMargin,
    Dimension,
    Expression,
    ExpressionType,
    ExpressionTypeError,
    MarginScale,
    NonNumericType,
    Value,
    compile_condition_margin,
    compile_expression,
    infer_type,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import (
    Quantity,
    QuantityError,
    QuantityKind,
    describe_data_type,
    format_short_text,
    parse_quantity_value,
)
from impossible_moments.mechanics.world import AMBIENT_KELVIN, CONSTANTS

MOST_GIVEN_VALUES: Final = 60
LONGEST_VALUE: Final = 80
EXAMPLE: Final = '{"sill": "0.4 m"}'
_MOST_LISTED: Final = 12


class UnknownName(ExpressionTypeError):
    """A name without a value."""


class ExpressionNames:
    """Quantities by name, with their types and values. Each derived quantity is computed once."""

    def __init__(self, quantities: Mapping[str, Quantity]) -> None:
        self.quantities = quantities
        self._types: dict[str, ExpressionType] = {}
        self._values: dict[str, Value] = {}
        is_known = "ambient" in quantities and self._is_temperature(ex.Name("ambient"))
        ambient: Closure = self._build_value_getter("ambient") if is_known else lambda _: AMBIENT_KELVIN
        self._scale = MarginScale(
            self._build_value_getter, self._is_temperature, self._is_dimensionless, ambient
        )

    def infer_type(self, tree: Expression) -> ExpressionType:
        """Return the type of a tree. Raise `ExpressionTypeError` if it has none."""
        self._compute_dependencies(tree)
        return infer_type(tree, self._look_up_type)

    def compute_value(self, tree: Expression) -> Value:
        """Return the value of a tree whose type was inferred.

        Raise an arithmetic error if it is undefined.
        """
        found: Value = compile_expression(tree, self._build_value_getter)([])
        return found

    def judge_condition(self, tree: Expression) -> ConditionMargin:
        """Return whether a condition holds, and its margin."""
        return compile_condition_margin(tree, self._scale)([])

    def _compute_dependencies(self, tree: Expression) -> None:
        """Compute every quantity that a tree reads, dependencies first, without recursion."""
        pending = [(name, False) for name in sorted(ex.collect_paths(tree))]
        while pending:
            name, is_ready = pending.pop()
            if name in self._types or name not in self.quantities:
                continue
            definition = self.quantities[name].tree
            if not is_ready:
                pending += [(name, True), *((each, False) for each in sorted(ex.collect_paths(definition)))]
                continue
            self._types[name] = infer_type(definition, self._look_up_type)
            try:
                self._values[name] = compile_expression(definition, self._build_value_getter)([])
            except UNDEFINED:
                self._values[name] = math.nan

    def _look_up_type(self, node: ex.Name | ex.Property) -> ExpressionType:
        name = node.name if isinstance(node, ex.Name) else node.path
        if name in self._types:
            return self._types[name]
        if name in CONSTANTS:
            return CONSTANTS[name].dimension
        raise UnknownName(
            f"no such name: `{name}`{format_name_suggestion(name, self.quantities) or self._list_known_names(node)}"
        )

    def _list_known_names(self, node: ex.Name | ex.Property) -> str:
        """Return the list of known names for the message about an unknown name."""
        start = f"{node.thing}." if isinstance(node, ex.Property) else ""
        known = [each for each in self.quantities if each.startswith(start) and (start or "." not in each)]
        if not known:
            return ""
        remainder = f" and {len(known) - _MOST_LISTED} more" if len(known) > _MOST_LISTED else ""
        return f"; there are {', '.join(known[:_MOST_LISTED])}{remainder}"

    def _build_value_getter(self, name: str) -> Closure:
        if name not in self.quantities:
            constant = CONSTANTS[name].value
            return lambda _values: constant
        return lambda _values: self._get_value(name)

    def _get_value(self, name: str) -> Value:
        value = self._values[name]
        if isinstance(value, float) and math.isnan(value):
            raise ValueError(f"`{name}` has no value")
        return value

    def _is_temperature(self, tree: Expression) -> bool:
        return self.infer_type(tree) == TEMPERATURE

    def _is_dimensionless(self, tree: Expression) -> bool:
        measured = self.infer_type(tree)
        return isinstance(measured, NonNumericType) or measured.is_plain


def build_expression_names(quantities: Mapping[str, Quantity], values: object) -> ExpressionNames:
    """Build the names of a record, overridden by the values of a call.

    Raise `ToolRefusal` if a value has another dimension than the record's own.
    """
    known = ExpressionNames(quantities)
    given_quantities = {
        name: _parse_given_quantity(name, value) for name, value in _parse_value_entries(values)
    }
    for name, quantity in given_quantities.items():
        if name not in quantities:
            continue
        record_type, given_type = known.infer_type(quantities[name].tree), known.infer_type(quantity.tree)
        if record_type != given_type:
            raise ToolRefusal(
                f"`{name}` is a {_format_expression_type(record_type)} in the record, but the given value is "
                f"a {_format_expression_type(given_type)}; give it in a unit of that dimension."
            )
    return ExpressionNames({**quantities, **given_quantities})


def _parse_value_entries(values: object) -> list[tuple[str, object]]:
    if values is None:
        return []
    if not isinstance(values, Mapping):
        raise ToolRefusal(
            f"`values` is {describe_data_type(values)}, but must be a map of names to texts, as in {EXAMPLE}."
        )
    if len(values) > MOST_GIVEN_VALUES:
        raise ToolRefusal(
            f"`values` has {len(values)} entries, but at most {MOST_GIVEN_VALUES} are allowed; give only those that the expression reads."
        )
    return [(_require_valid_quantity_name(name), value) for name, value in values.items()]


def _require_valid_quantity_name(name: object) -> str:
    parts = name.split(".") if isinstance(name, str) and len(name) <= LONGEST_NAME else []
    if not 1 <= len(parts) <= 2 or not all(map(IDENTIFIER.fullmatch, parts)):  # noqa: PLR2004 - thing.property
        raise ToolRefusal(
            f"`{format_short_text(str(name)[:LONGEST_NAME])}` in `values` is not a name; a name consists of letters, digits and underscores, or is thing.property."
        )
    if parts[0] in CONSTANTS and len(parts) == 1:
        raise ToolRefusal(
            f"`{name}` in `values` is a physical constant and cannot be changed; use another name."
        )
    return ".".join(parts)


def _parse_given_quantity(name: str, value: object) -> Quantity:
    text = str(value).lower() if isinstance(value, bool | int | float) else value
    if not isinstance(text, str) or not text.strip() or len(text) > LONGEST_VALUE:
        raise ToolRefusal(
            f"the value of `{name}` must be a text of 1 to {LONGEST_VALUE} characters; write a number with its unit, as in {EXAMPLE}."
        )
    try:
        quantity = parse_quantity_value(name, text)
    except QuantityError as problem:
        raise ToolRefusal(
            f"cannot parse the value of `{name}`: {problem}; write it as in {EXAMPLE}."
        ) from None
    if quantity.kind is not QuantityKind.GIVEN or quantity.value is None:
        raise ToolRefusal(
            f"the value of `{name}` is `{format_short_text(text)}`, but must be a number with its unit, true, false or a quoted word, as in {EXAMPLE}."
        )
    found = quantity.value
    if isinstance(found, float) and not (math.isfinite(found) and abs(found) <= LARGEST_NUMBER):
        raise ToolRefusal(
            f"the value of `{name}` is larger than {LARGEST_NUMBER:g} in SI units, the largest number allowed."
        )
    return quantity


def _format_expression_type(type_: ExpressionType) -> str:
    return str(type_) if isinstance(type_, Dimension) else type_.value
