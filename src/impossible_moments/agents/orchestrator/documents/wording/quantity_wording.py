"""The things, quantities, values and comparisons of a record in the words of its public text and its library."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.language import (
    TIME,
    Dimension,
    ExpressionType,
    ExpressionTypeError,
    infer_type,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.prose import (
    PlaceholderError,
    PrintableValue,
    ProseRequirements,
    ShownValue,
    choose_print_form,
    render_piece,
    render_template_text,
)
from impossible_moments.mechanics.records import Quantity, QuantityKind
from impossible_moments.mechanics.wording import QuantityNames
from impossible_moments.mechanics.world import World

RELATIONS: Final = {
    ">=": "at least",
    ">": "more than",
    "<=": "at most",
    "<": "less than",
    "==": "equal to",
    "!=": "other than",
}
_OPERATORS: Final = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}
_OPEN_KINDS: Final = frozenset({QuantityKind.DECISION, QuantityKind.DISPUTED})
_MOST_DIGITS: Final = 6
_MOST_OPERANDS: Final = 6


@dataclass(frozen=True, slots=True)
class ComparisonInWords:
    """A comparison of two quantities with their values at the start, where nothing changes them."""

    left: str
    left_value: str
    relation: str
    right: str
    right_value: str

    @property
    def figures(self) -> str:
        """Both values in short, or nothing if one of them has no value."""
        if not self.left_value or not self.right_value:
            return ""
        return f"{self.left_value}; needed: {self.relation} {self.right_value}"

    def __str__(self) -> str:
        known = f" is {self.left_value}; it" if self.left_value else ""
        named = f"{self.right_value} ({self.right})" if self.right else self.right_value
        needed = named if self.right_value and self.right != self.right_value else self.right
        return f"{self.left}{known} must be {self.relation} {needed}"


@dataclass(frozen=True)
class QuantityWording:
    """Words for the things and quantities that a record names."""

    analysis: WorldAnalysis
    requirements: ProseRequirements
    free_values: Mapping[str, Quantity]
    """What an answer to an open question may state, by name."""

    @property
    def world(self) -> World:
        """The world of the record."""
        return self.analysis.world

    @cached_property
    def names(self) -> QuantityNames:
        """The names of things and quantities."""
        return QuantityNames(self.world, self.free_values)

    def name_thing(self, name: str) -> str:
        """Return the label of a thing, or the name in words."""
        return self.names.name_thing(name)

    def name_quantity(self, path: str) -> str:
        """Return what the public text, the wording or the library calls a quantity."""
        return self.names.name_quantity(path)

    def is_printed(self, path: str) -> bool:
        """Return whether the public text prints the value of a quantity."""
        return self.names.is_printed(path)

    def format_value(self, path: str, value: float | None = None, *, digits: int | None = None) -> str:
        """Format the value of a quantity as the public text does; `value` replaces the stated one."""
        printable = self.requirements.printable.get(path)
        if printable is None:
            return self._format_unprinted_value(path, value)
        stated = printable.value if value is None else value
        form = self.names.find_phrase(path).form or choose_print_form(printable)
        return self._render(replace(printable, value=stated), form, digits)

    def _format_unprinted_value(self, path: str, value: float | None) -> str:
        quantity = self.free_values.get(path) or self.world.quantities.get(path)
        number = quantity.value if value is None and quantity is not None else value
        if quantity is None or not isinstance(number, float):
            return ""
        if path in self.free_values and quantity.display_unit is not None:
            unit = quantity.display_unit
            return self._render(PrintableValue(number, unit.dimension), unit.text)
        return self._format_tree_value(ex.Name(path), number)

    def format_duration(self, seconds: float) -> str:
        """Format a time in the unit that suits it."""
        printable = PrintableValue(seconds, TIME)
        return self._render(printable, choose_print_form(printable))

    def render_text(self, text: str) -> str:
        """Return a quotation from the record with its placeholders printed as the public text prints them."""
        try:
            return render_template_text(text, self.requirements)
        except PlaceholderError:
            return text

    def describe_comparison(self, tree: ex.Comparison) -> ComparisonInWords | None:
        """Describe a comparison of numbers. Comparisons with zero and of words are left out."""
        if tree.operator not in RELATIONS or self._infer_dimension(tree.left) is None:
            return None
        if any(map(self._is_fixed_at_zero, (tree.left, tree.right))):
            return None
        left = self._evaluate_side(tree.left, like=tree.right)
        right = self._evaluate_side(tree.right, like=tree.left)
        left, right = _write_as_percentage(left, right), _write_as_percentage(right, left)
        return ComparisonInWords(
            self._describe_operand(tree.left),
            left,
            RELATIONS[tree.operator],
            self._describe_operand(tree.right),
            right,
        )

    def describe_tree(self, tree: ex.Expression) -> str:
        """Describe a condition of comparisons joined by `and` and `or`."""
        match tree:
            case ex.Comparison():
                words = self.describe_comparison(tree)
                return str(words) if words is not None else self._describe_other_comparison(tree)
            case ex.Conjunction(parts):
                return ", and ".join(map(self.describe_tree, parts))
            case ex.Disjunction(parts):
                return ", or ".join(map(self.describe_tree, parts))
            case _:
                return self._describe_operand(tree)

    def _describe_other_comparison(self, tree: ex.Comparison) -> str:
        """Describe a comparison with a word or with zero."""
        match tree.right:
            case ex.Text(value):
                relation = "is" if tree.operator == "==" else "is not"
                return f"{self._describe_operand(tree.left)} {relation} “{value.replace('_', ' ')}”"
            case ex.Number(number) if tree.operator in RELATIONS:
                return f"{self._describe_operand(tree.left)} is {RELATIONS[tree.operator]} {number:g}"
            case _:
                return self._describe_operand(tree)

    def _describe_operand(self, tree: ex.Expression) -> str:
        match tree:
            case ex.Name(name):
                return "the deadline" if tree == self.world.deadline else self.name_quantity(name)
            case ex.Property():
                return self.name_quantity(tree.path)
            case ex.Number():
                return ""
            case ex.Arithmetic(operator, left, right) if len(ex.collect_paths(tree)) <= _MOST_OPERANDS:
                first = self._describe_side(left, is_product=operator in {"*", "/"})
                second = self._describe_side(right, is_product=operator != "+", is_divisor=operator == "/")
                return f"{first} {_OPERATORS.get(operator, operator)} {second}"
            case ex.FunctionCall(("min" | "max") as function, arguments):
                which = "smaller" if function == "min" else "larger"
                return f"the {which} of {' and '.join(map(self._describe_operand, arguments))}"
            case ex.Conditional(test, then, otherwise):
                one, other = (
                    " ".join(filter(None, (self._describe_operand(each), self._evaluate_side(each))))
                    for each in (then, otherwise)
                )
                return f"{one} where {self.describe_tree(test)}, and else {other}"
            case _:
                names = ", ".join(map(self.name_quantity, sorted(ex.collect_paths(tree))))
                return f"what follows from {names}" if names else ""

    def _describe_side(self, tree: ex.Expression, *, is_product: bool, is_divisor: bool = False) -> str:
        """Describe one side of an operation, in brackets where it would be read otherwise without them.

        `is_product` is true where a sum needs them, `is_divisor` where a product does, too.
        """
        words = self._describe_operand(tree) or self._evaluate_side(tree)
        is_sum = isinstance(tree, ex.Arithmetic) and tree.operator in {"+", "-"}
        needs_brackets = (
            (is_sum and is_product)
            or (is_divisor and isinstance(tree, ex.Arithmetic))
            or isinstance(tree, ex.Conditional | ex.FunctionCall)
        )
        return f"({words})" if needs_brackets else words

    def _evaluate_side(self, tree: ex.Expression, like: ex.Expression | None = None) -> str:
        """Return the value of one side, or nothing if it has none or an action or a rate can change it.

        A value that the text does not print has the unit in which the text prints `like`, or an answer states it.
        """
        if not self._has_fixed_value(tree):
            return ""
        if isinstance(tree, ex.Name | ex.Property):
            path = tree.name if isinstance(tree, ex.Name) else tree.path
            if self.is_printed(path) and (printed_value := self.format_value(path)):
                return printed_value
        value = self.analysis.engine.evaluate_expression(tree)
        if not isinstance(value, float):
            return ""
        if isinstance(like, ex.Name) and like.name in self.free_values:
            return self._format_unprinted_value(like.name, value)
        return self._format_as_printed((like, tree), value) or self._format_tree_value(tree, value)

    def _format_as_printed(self, trees: tuple[ex.Expression | None, ...], value: float) -> str:
        """Format a value in the unit in which the public text prints a quantity of the same kind in some expressions.

        Return nothing if it prints none.
        """
        given = [tree for tree in trees if tree is not None]
        dimension = self._infer_dimension(given[-1])
        if dimension is None or dimension.is_plain or not math.isfinite(value):
            return ""
        for tree in given:
            for path in sorted(self.world.collect_stated_quantities(tree)):
                form = self.names.find_phrase(path).form
                if form and self._infer_dimension(_parse_path(path)) == dimension:
                    return self._render(PrintableValue(value, dimension), form)
        return ""

    def _is_fixed_at_zero(self, tree: ex.Expression) -> bool:
        """Return whether a side is zero whatever is done, so that the comparison decides nothing."""
        return self._has_fixed_value(tree) and self.analysis.engine.evaluate_expression(tree) == 0.0

    def _has_fixed_value(self, tree: ex.Expression) -> bool:
        """Return whether an expression has one value. What is chosen, disputed or left free has none."""
        if not self.analysis.engine.has_all_names(tree):
            return False
        read = self.world.collect_stated_quantities(tree)
        return not read & self.world.mutable and all(
            self.world.quantities[name].kind not in _OPEN_KINDS for name in read
        )

    def _format_tree_value(self, tree: ex.Expression, value: float) -> str:
        dimension = self._infer_dimension(tree)
        if dimension is None or not math.isfinite(value):
            return ""
        printable = PrintableValue(value, dimension)
        return self._render(printable, choose_print_form(printable))

    def _infer_dimension(self, tree: ex.Expression) -> Dimension | None:
        try:
            found = infer_type(tree, self._look_up_type)
        except ExpressionTypeError:
            return None
        return found if isinstance(found, Dimension) else None

    def _look_up_type(self, name: ex.Name | ex.Property) -> ExpressionType:
        path = name.name if isinstance(name, ex.Name) else name.path
        free = self.free_values.get(path)
        if free is not None and isinstance(free.tree, ex.Number):
            return free.tree.dimension
        return self.analysis.engine.infer_expression_type(name)

    def _render(self, printable: PrintableValue, form: str, digits: int | None = None) -> str:
        """Render a value, with as many digits as keep it within one per cent of the truth."""
        requirements = replace(self.requirements, printable={"value": printable})
        for shown_digits in (digits, *range(1, _MOST_DIGITS + 1)):
            try:
                return render_piece(ShownValue(0, "", "value", form, shown_digits), requirements)
            except PlaceholderError:
                continue
        return f"{printable.value:.4g}" if isinstance(printable.value, float) else str(printable.value)


def _write_as_percentage(value: str, other: str) -> str:
    """Return a plain number as a percentage, if it is compared with one."""
    if not other.endswith("%") or value.endswith("%"):
        return value
    try:
        return f"{float(value) * 100:.3g} %"
    except ValueError:
        return value


def _parse_path(path: str) -> ex.Name | ex.Property:
    owner, _, name = path.rpartition(".")
    return ex.Property(owner, name) if owner else ex.Name(name)
