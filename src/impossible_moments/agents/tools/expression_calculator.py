"""Calculators: the value, truth, margin and dimension of an expression."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.agents.tools.argument_checks import ToolRefusal, require_text_argument
from impossible_moments.agents.tools.expression_names import (
    EXAMPLE,
    ExpressionNames,
    UnknownName,
    build_expression_names,
)
from impossible_moments.agents.tools.readable_quantities import describe_quantity, format_si_unit
from impossible_moments.agents.tools.record_workbench import RecordWorkbench
from impossible_moments.agents.tools.tool_results import Data
from impossible_moments.mechanics.language import (
    MAX_LENGTH,
    UNDEFINED,
    Dimension,
    Expression,
    ExpressionError,
    ExpressionType,
    ExpressionTypeError,
    NonNumericType,
    Unit,
    list_formula_calls,
    parse_expression,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import Quantity, QuantityKind

MOST_PARTS: Final = 12
MOST_READ: Final = 24

ExpressionText = Annotated[
    str,
    Field(
        description="An expression of the record's language: numbers with units such as 0.6[m], names, thing.property, + - * / **, "
        "comparisons, and, or, not, if-else, sqrt, min, max, sin, ..., and the library's formulas."
    ),
]
Values = Annotated[
    dict[str, str] | None,
    Field(
        description=f"Values by name, each a text with its unit, as in {EXAMPLE}. They override the values of the record."
    ),
]


@dataclass(frozen=True)
class ExpressionCalculator:
    """Calculator of expressions over the record and the values of a call."""

    workbench: RecordWorkbench

    def evaluate(self, *, expression: ExpressionText, values: Values = None) -> Data:
        """Compute an expression: its value with unit, or for a condition its truth, its signed margin and both sides."""
        tree = self._parse_expression(expression)
        names = build_expression_names(self._get_record_quantities(), values)
        found = self._infer_type(tree, expression, names)
        data: Data = {"expression": expression.strip()}
        data |= (
            _evaluate_condition(tree, names)
            if found is NonNumericType.TRUTH
            else _evaluate_operand(tree, names)
        )
        data["reads"] = dict(_collect_read_values(tree, names))
        notes = [
            *self._note_unreadable_record(),
            *self._note_default_decisions(tree, names, values),
            *self._collect_formula_notes(expression, names),
        ]
        return {**data, **({"notes": notes} if notes else {})}

    def describe_dimension(self, *, expression: ExpressionText) -> Data:
        """Return the dimension of an expression, or the parts that cannot be added or compared."""
        tree = self._parse_expression(expression)
        names = ExpressionNames(self._get_record_quantities())
        try:
            found = names.infer_type(tree)
            problems = list(self._find_formula_problems(expression, names))
        except UnknownName as problem:
            raise self._build_unknown_name_refusal(problem) from None
        except ExpressionTypeError as problem:
            return {"agrees": False, "problem": str(problem)}
        if problems:
            return {"agrees": False, "problem": "; ".join(problems)}
        unit = {"si_unit": format_si_unit(found)} if isinstance(found, Dimension) else {}
        return {"agrees": True, "dimension": _format_expression_type(found), **unit}

    def _get_record_quantities(self) -> Mapping[str, Quantity]:
        world, _ = self.workbench.reading
        return world.quantities if world is not None else {}

    def _parse_expression(self, expression: object) -> Expression:
        try:
            return parse_expression(
                require_text_argument(expression, "expression", MAX_LENGTH), self.workbench.library.templates
            )
        except ExpressionError as problem:
            raise ToolRefusal(f"cannot parse the expression: {problem}.") from None

    def _infer_type(self, tree: Expression, expression: str, names: ExpressionNames) -> ExpressionType:
        try:
            list(
                self._find_formula_problems(expression, names)
            )  # checks also arguments that the formula does not read
            return names.infer_type(tree)
        except UnknownName as problem:
            raise self._build_unknown_name_refusal(problem) from None
        except ExpressionTypeError as problem:
            raise ToolRefusal(f"cannot compute the expression: {problem}.") from None

    def _build_unknown_name_refusal(self, problem: UnknownName) -> ToolRefusal:
        _, record_error = self.workbench.reading
        reason = f" (the record cannot be read: {record_error.rstrip('.')})" if record_error else ""
        return ToolRefusal(
            f"{problem}{reason}; use a known name, or pass it to evaluate in `values`, as in {EXAMPLE}."
        )

    def _note_unreadable_record(self) -> Iterator[str]:
        _, record_error = self.workbench.reading
        if record_error:
            yield f"The record cannot be read, so only the given values were used: {record_error}"

    def _note_default_decisions(
        self, tree: Expression, names: ExpressionNames, values: object
    ) -> Iterator[str]:
        """Yield a note for each decision that was read at a default value."""
        given_values = values if isinstance(values, Mapping) else {}
        for name in sorted(ex.collect_paths(tree)):
            quantity = names.quantities.get(name)
            if quantity is not None and quantity.kind is QuantityKind.DECISION and name not in given_values:
                default = "first option" if quantity.options else "middle of its range"
                yield f"`{name}` is for a solver to choose; the {default} was used."

    def _collect_formula_notes(self, expression: str, names: ExpressionNames) -> Iterator[str]:
        yield from self._find_formula_problems(expression, names)
        for call in list_formula_calls(expression.strip(), self.workbench.library.templates):
            template = self.workbench.library.templates.by_name[call.name]
            bindings = template.bind_parameters(call.arguments)
            for name, tree in template.valid:
                if not _is_condition_met(ex.bind_variables(tree, bindings), names):
                    yield f"`{call.name}` does not hold here: {name} ({ex.format_expression(tree)}) is not met."

    def _find_formula_problems(self, expression: str, names: ExpressionNames) -> Iterator[str]:
        for call in list_formula_calls(expression.strip(), self.workbench.library.templates):
            template = self.workbench.library.templates.by_name[call.name]
            for (name, expected_type), argument in zip(template.parameters, call.arguments, strict=True):
                found = names.infer_type(argument)
                zero = isinstance(argument, ex.Number) and argument.is_bare_zero
                if found != expected_type and not zero:
                    yield f"`{call.name}` takes a {expected_type} as `{name}`, but `{ex.format_expression(argument)}` is a {_format_expression_type(found)}"


def _is_condition_met(tree: Expression, names: ExpressionNames) -> bool:
    try:
        return bool(names.compute_value(tree))
    except UNDEFINED:
        return False


def _evaluate_condition(tree: Expression, names: ExpressionNames) -> Data:
    """Evaluate a condition: its truth, its margin and its sides.

    A compound condition is also evaluated part by part.
    """
    try:
        holds, margin = names.judge_condition(tree)
    except UNDEFINED:
        return _build_missing_value()
    data: Data = {"holds": holds, "margin": margin}
    if isinstance(tree, ex.Comparison):
        return {
            **data,
            "left": _evaluate_operand(tree.left, names),
            "right": _evaluate_operand(tree.right, names),
        }
    parts = [each for each in ex.walk_nodes(tree) if isinstance(each, ex.Comparison)]
    return {
        **data,
        "parts": [
            {"part": ex.format_expression(each), **_evaluate_condition(each, names)}
            for each in parts[:MOST_PARTS]
        ],
    }


def _evaluate_operand(tree: Expression, names: ExpressionNames) -> Data:
    """Evaluate an operand: its value with unit, or why it has none."""
    found = names.infer_type(tree)
    try:
        value = names.compute_value(tree)
    except UNDEFINED:
        return _build_missing_value()
    if isinstance(found, NonNumericType):
        return {"value": value, "is": found.value}
    if not math.isfinite(float(value)):
        return _build_missing_value()
    return describe_quantity(float(value), found, _find_author_unit(tree, names))


def _build_missing_value() -> Data:
    return {
        "value": None,
        "why": "It has no value here: a division by zero, a root or logarithm of a negative number, or a number too large.",
    }


def _find_author_unit(tree: Expression, names: ExpressionNames) -> Unit | None:
    """Return the unit that the author used for a quantity, or None if the tree is not a single quantity."""
    if not isinstance(tree, ex.Name | ex.Property):
        return None
    quantity = names.quantities.get(next(iter(ex.collect_paths(tree))))
    return quantity.display_unit if quantity is not None else None


def _collect_read_values(tree: Expression, names: ExpressionNames) -> Iterator[tuple[str, object]]:
    """Yield the names that an expression reads, with their values."""
    for name in sorted(ex.collect_paths(tree))[:MOST_READ]:
        owner, _, last = name.rpartition(".")
        side = _evaluate_operand(ex.Property(owner, last) if owner else ex.Name(last), names)
        yield name, side.get("readable", side["value"])


def _format_expression_type(type_: ExpressionType) -> str:
    return type_.value if isinstance(type_, NonNumericType) else str(type_)
