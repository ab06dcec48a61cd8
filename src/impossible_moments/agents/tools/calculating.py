"""Calculators: the value, truth, margin and dimension of an expression."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.agents.tools.arguments import ToolRefused, text
from impossible_moments.agents.tools.bench import Bench
from impossible_moments.agents.tools.names import EXAMPLE, Names, UnknownName, names_over
from impossible_moments.agents.tools.readable import measured, si_unit
from impossible_moments.agents.tools.results import Data
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.dimensions import Dimension
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.parsing import MAX_LENGTH, ExpressionError, formula_calls, parse
from impossible_moments.mechanics.quantities import Kind, Quantity
from impossible_moments.mechanics.scalars import UNDEFINED
from impossible_moments.mechanics.sorts import Sort, Type, TypeProblem
from impossible_moments.mechanics.units import Unit

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
        description=f"Values by name, each a text with its unit, as in {EXAMPLE}; they go before the record's."
    ),
]


@dataclass(frozen=True)
class Calculator:
    """Calculator of expressions over the record and the values of a call."""

    bench: Bench

    def evaluate(self, *, expression: ExpressionText, values: Values = None) -> Data:
        """Compute an expression: its value with unit, or for a condition its truth, its signed margin and both sides."""
        tree = self._parsed(expression)
        names = names_over(self._quantities(), values)
        found = self._typed(tree, expression, names)
        data: Data = {"expression": expression.strip()}
        data |= _judged(tree, names) if found is Sort.TRUTH else _side(tree, names)
        data["reads"] = dict(_read(tree, names))
        notes = [*self._unread(), *self._chosen(tree, names, values), *self._formula_notes(expression, names)]
        return {**data, **({"notes": notes} if notes else {})}

    def dimensions(self, *, expression: ExpressionText) -> Data:
        """Say what an expression measures, or name the parts that cannot be added or compared."""
        tree = self._parsed(expression)
        names = Names(self._quantities())
        try:
            found = names.type_of(tree)
            problems = list(self._formula_problems(expression, names))
        except UnknownName as problem:
            raise self._unknown(problem) from None
        except TypeProblem as problem:
            return {"agrees": False, "problem": str(problem)}
        if problems:
            return {"agrees": False, "problem": "; ".join(problems)}
        unit = {"si_unit": si_unit(found)} if isinstance(found, Dimension) else {}
        return {"agrees": True, "dimension": _called(found), **unit}

    def _quantities(self) -> Mapping[str, Quantity]:
        world, _ = self.bench.reading
        return world.quantities if world is not None else {}

    def _parsed(self, expression: object) -> Expression:
        try:
            return parse(text(expression, "expression", MAX_LENGTH), self.bench.library.templates)
        except ExpressionError as problem:
            raise ToolRefused(f"cannot parse the expression: {problem}.") from None

    def _typed(self, tree: Expression, expression: str, names: Names) -> Type:
        try:
            list(
                self._formula_problems(expression, names)
            )  # checks also arguments that the formula does not read
            return names.type_of(tree)
        except UnknownName as problem:
            raise self._unknown(problem) from None
        except TypeProblem as problem:
            raise ToolRefused(f"cannot compute the expression: {problem}.") from None

    def _unknown(self, problem: UnknownName) -> ToolRefused:
        _, unread = self.bench.reading
        why = f" (the record cannot be read: {unread.rstrip('.')})" if unread else ""
        return ToolRefused(
            f"{problem}{why}; use a known name, or pass it to evaluate in `values`, as in {EXAMPLE}."
        )

    def _unread(self) -> Iterator[str]:
        _, unread = self.bench.reading
        if unread:
            yield f"The record cannot be read, so only the given values were used: {unread}"

    def _chosen(self, tree: Expression, names: Names, values: object) -> Iterator[str]:
        """Yield a note for each decision that was read at a default value."""
        given = values if isinstance(values, Mapping) else {}
        for name in sorted(ex.reads(tree)):
            quantity = names.quantities.get(name)
            if quantity is not None and quantity.kind is Kind.DECISION and name not in given:
                which = "first option" if quantity.options else "middle of its range"
                yield f"`{name}` is for a solver to choose; the {which} was taken."

    def _formula_notes(self, expression: str, names: Names) -> Iterator[str]:
        yield from self._formula_problems(expression, names)
        for call in formula_calls(expression.strip(), self.bench.library.templates):
            template = self.bench.library.templates.by_name[call.name]
            bindings = template.bindings(call.arguments)
            for name, tree in template.valid:
                if not _holds(ex.bound(tree, bindings), names):
                    yield f"`{call.name}` does not hold here: {name} ({ex.written(tree)}) is not met."

    def _formula_problems(self, expression: str, names: Names) -> Iterator[str]:
        for call in formula_calls(expression.strip(), self.bench.library.templates):
            template = self.bench.library.templates.by_name[call.name]
            for (name, wanted), argument in zip(template.parameters, call.arguments, strict=True):
                found = names.type_of(argument)
                zero = isinstance(argument, ex.Number) and argument.is_bare_zero
                if found != wanted and not zero:
                    yield f"`{call.name}` takes a {wanted} as `{name}`, and `{ex.written(argument)}` is a {_called(found)}"


def _holds(tree: Expression, names: Names) -> bool:
    try:
        return bool(names.value(tree))
    except UNDEFINED:
        return False


def _judged(tree: Expression, names: Names) -> Data:
    """Evaluate a condition: its truth, its margin and its sides.

    A compound condition is also evaluated part by part.
    """
    try:
        holds, margin = names.judged(tree)
    except UNDEFINED:
        return _no_value()
    data: Data = {"holds": holds, "margin": margin}
    if isinstance(tree, ex.Comparison):
        return {**data, "left": _side(tree.left, names), "right": _side(tree.right, names)}
    parts = [each for each in ex.walk(tree) if isinstance(each, ex.Comparison)]
    return {
        **data,
        "parts": [{"part": ex.written(each), **_judged(each, names)} for each in parts[:MOST_PARTS]],
    }


def _side(tree: Expression, names: Names) -> Data:
    """Evaluate an operand: its value with unit, or why it has none."""
    found = names.type_of(tree)
    try:
        value = names.value(tree)
    except UNDEFINED:
        return _no_value()
    if isinstance(found, Sort):
        return {"value": value, "is": found.value}
    if not math.isfinite(float(value)):
        return _no_value()
    return measured(float(value), found, _shown(tree, names))


def _no_value() -> Data:
    return {
        "value": None,
        "why": "It has no value here: a division by zero, a root or logarithm of a negative number, or a number too large.",
    }


def _shown(tree: Expression, names: Names) -> Unit | None:
    """Return the unit that the author used for a quantity, or None if the tree is not a single quantity."""
    if not isinstance(tree, ex.Name | ex.Property):
        return None
    quantity = names.quantities.get(next(iter(ex.reads(tree))))
    return quantity.shown if quantity is not None else None


def _read(tree: Expression, names: Names) -> Iterator[tuple[str, object]]:
    """Yield the names that an expression reads, with their values."""
    for name in sorted(ex.reads(tree))[:MOST_READ]:
        owner, _, last = name.rpartition(".")
        side = _side(ex.Property(owner, last) if owner else ex.Name(last), names)
        yield name, side.get("readable", side["value"])


def _called(found: Type) -> str:
    return found.value if isinstance(found, Sort) else str(found)
