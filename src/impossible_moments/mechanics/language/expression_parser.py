"""Parser of expressions, built on Python's parser in expression mode.

Only the syntax nodes listed here are converted. Everything else is rejected, and nothing is evaluated.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.units import UnitError, parse_unit

MAX_LENGTH: Final = 600
MAX_DEPTH: Final = 40
LARGEST_EXPONENT: Final = 6
LARGEST_NUMBER: Final = 1e60
LONGEST_EXCERPT: Final = 60

IDENTIFIER: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*_?")
NUMBER: Final = r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_PIECES: Final = re.compile(rf"'[^']*'|\"[^\"]*\"|({NUMBER})\s*\[([^\[\]]*)\]|\[")
_OPERATORS: Final = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_COMPARISONS: Final = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_WORDS: Final = {"true": True, "True": True, "false": False, "False": False}


class ExpressionError(ValueError):
    """Text that is not an expression of the language. The message says what is wrong and what to write."""


@dataclass(frozen=True, slots=True)
class FormulaDefinition:
    """Parameters and body of a named formula."""

    parameters: tuple[str, ...]
    tree: Expression


@dataclass(frozen=True, slots=True)
class FormulaCall:
    """Call of a named formula that was replaced by the body of the formula."""

    name: str
    arguments: tuple[Expression, ...]


class FormulaTable(Protocol):
    """Mapping of named formulas, compared by identity."""

    def __hash__(self) -> int:
        """Return a hash, so that parsed expressions can be cached with the formulas as part of the key."""

    @property
    def formulas(self) -> Mapping[str, FormulaDefinition]:
        """Formulas by name."""


def parse_expression(text: str, formulas: FormulaTable | None = None) -> Expression:
    """Parse an expression and expand its formula calls. Raise `ExpressionError` if it is not valid."""
    return _parse_tree_and_calls(text, formulas)[0]


def list_formula_calls(text: str, formulas: FormulaTable) -> tuple[FormulaCall, ...]:
    """Return the calls of named formulas in an expression, in the order of parsing."""
    return _parse_tree_and_calls(text, formulas)[1]


@lru_cache(maxsize=8192)
def _parse_tree_and_calls(
    text: str, formulas: FormulaTable | None
) -> tuple[Expression, tuple[FormulaCall, ...]]:
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            f"an expression may have at most {MAX_LENGTH} characters; this one has {len(text)}; define its parts as quantities"
        )
    if not text.strip():
        raise ExpressionError("the expression is empty")
    units: list[str] = []
    source = _extract_units(text, units).strip()
    _reject_forbidden_characters(source)
    reader = _SyntaxTreeConverter(units, formulas.formulas if formulas is not None else {})
    return reader.convert(_parse_python_syntax(source, text), 0), tuple(reader.calls)


def _extract_units(text: str, units: list[str]) -> str:
    """Return the text with each unit replaced by its index in `units`: `0.6[m]` becomes `0.6[0]`.

    Units have a grammar of their own, which Python's parser does not accept.
    """

    def replace_unit(match: re.Match[str]) -> str:
        if match[1] is None:
            if match[0] == "[":
                raise ExpressionError(
                    f"a unit is written in brackets after its number, as in 0.6[m]; found `{text.strip()}`"
                )
            return match[0]
        units.append(match[2])
        return f"{match[1]}[{len(units) - 1}]"

    return _PIECES.sub(replace_unit, text)


def _reject_forbidden_characters(source: str) -> None:
    outside = re.sub(r"'[^']*'|\"[^\"]*\"", "''", source)
    forbidden = next((sign for sign in outside if not (sign.isascii() and sign.isprintable())), None)
    if forbidden is not None or "\\" in source:
        printed_character = forbidden or "\\"
        raise ExpressionError(f"the character {printed_character!r} is not allowed in an expression")
    if "^" in outside:
        raise ExpressionError("a power is written with **, as in width**2")
    if re.search(r"(?<![=<>!])=(?!=)", outside):
        raise ExpressionError("a comparison is written with ==; found =")


def _parse_python_syntax(source: str, text: str) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ExpressionError(
            f"cannot parse `{_shorten_source(text)}`; check brackets, operators and quotes"
        ) from None


class _SyntaxTreeConverter:
    """Converter of Python syntax nodes to expression trees, which also collects the formula calls."""

    def __init__(self, units: list[str], formulas: Mapping[str, FormulaDefinition]) -> None:
        self._units = units
        self._formulas = formulas
        self._inside = False
        self.calls: list[FormulaCall] = []

    def convert(self, node: ast.expr, depth: int) -> Expression:
        if depth > MAX_DEPTH:
            raise ExpressionError(
                f"an expression may be at most {MAX_DEPTH} levels deep; define its parts as quantities"
            )
        match node:
            case ast.Constant(value=value):
                return _convert_constant(value)
            case ast.Subscript(
                value=ast.Constant(value=int() | float() as value), slice=ast.Constant(value=int() as at)
            ):
                return _convert_measured_number(float(value), self._units[at])
            case ast.Name(id=name):
                return ex.Truth(_WORDS[name]) if name in _WORDS else ex.Name(_check_identifier(name))
            case ast.Attribute(value=ast.Name(id=thing), attr=name):
                return ex.Property(_check_identifier(thing), _check_identifier(name))
            case ast.Attribute():
                raise ExpressionError("a property is written thing.property, with one dot")
            case ast.BinOp(op=ast.Pow()):
                return self._convert_power(node, depth)
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
                return ex.Arithmetic(
                    _OPERATORS[type(operator)], self.convert(left, depth + 1), self.convert(right, depth + 1)
                )
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return _negate_expression(self.convert(inner, depth + 1))
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return self.convert(inner, depth + 1)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return ex.Negation(self.convert(inner, depth + 1))
            case ast.BoolOp(op=operator, values=values):
                parts = tuple(self.convert(value, depth + 1) for value in values)
                return ex.Conjunction(parts) if isinstance(operator, ast.And) else ex.Disjunction(parts)
            case ast.Compare():
                return self._convert_comparison(node, depth)
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                return ex.Conditional(
                    self.convert(test, depth + 1),
                    self.convert(then, depth + 1),
                    self.convert(otherwise, depth + 1),
                )
            case ast.Call():
                return self._convert_call(node, depth)
            case _:
                raise ExpressionError(
                    "an expression may contain only numbers, names, thing.property, + - * / **, comparisons, and, or, "
                    f"not, if-else and the functions {', '.join(ex.FUNCTIONS)}"
                )

    def _convert_power(self, node: ast.BinOp, depth: int) -> Expression:
        exponent = _evaluate_exponent(self.convert(node.right, depth + 1))
        if exponent is None or abs(exponent) > LARGEST_EXPONENT:
            raise ExpressionError(
                f"an exponent must be a number without a unit, at most {LARGEST_EXPONENT}; otherwise use exp(x*log(y))"
            )
        return ex.Power(self.convert(node.left, depth + 1), exponent)

    def _convert_comparison(self, node: ast.Compare, depth: int) -> Expression:
        sides = [self.convert(side, depth + 1) for side in (node.left, *node.comparators)]
        pairs: list[Expression] = []
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            if type(operator) not in _COMPARISONS:
                raise ExpressionError("a comparison operator must be one of < <= > >= == !=")
            pairs.append(ex.Comparison(_COMPARISONS[type(operator)], left, right))
        return pairs[0] if len(pairs) == 1 else ex.Conjunction(tuple(pairs))

    def _convert_call(self, node: ast.Call, depth: int) -> Expression:
        name = node.func.id if isinstance(node.func, ast.Name) else "that"
        if name in self._formulas:
            return self._expand_formula_call(name, node, depth)
        if name not in ex.FUNCTIONS:
            raise ExpressionError(f"no such function: `{name}`; the functions are {', '.join(ex.FUNCTIONS)}")
        fewest, most = ex.FUNCTIONS[name]
        if node.keywords or not fewest <= len(node.args) <= most:
            count = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            raise ExpressionError(
                f"`{name}` takes {count} argument{'s' * (most > 1)}, found {len(node.args)}"
            )
        return ex.FunctionCall(name, tuple(self.convert(argument, depth + 1) for argument in node.args))

    def _expand_formula_call(self, name: str, node: ast.Call, depth: int) -> Expression:
        formula = self._formulas[name]
        if self._inside:
            raise ExpressionError(
                f"`{name}` is called inside another formula; define its value as a quantity first"
            )
        if node.keywords or len(node.args) != len(formula.parameters):
            raise ExpressionError(
                f"`{name}` takes {len(formula.parameters)} arguments ({', '.join(formula.parameters)}), found {len(node.args)}"
            )
        self._inside = True
        arguments = tuple(self.convert(argument, depth + 1) for argument in node.args)
        self._inside = False
        self.calls.append(FormulaCall(name, arguments))
        return ex.bind_variables(formula.tree, dict(zip(formula.parameters, arguments, strict=True)))


def _convert_constant(value: object) -> Expression:
    if isinstance(value, bool):
        return ex.Truth(value)
    if isinstance(value, str):
        return ex.Text(value)
    if isinstance(value, int | float):
        return ex.Number(
            _check_number_size(value), text=f"{value:g}" if float(f"{value:g}") == value else f"{value!r}"
        )
    raise ExpressionError("a value must be a number, true, false or a word in quotes")


def _convert_measured_number(value: float, text: str) -> Expression:
    try:
        measure = parse_unit(text)
    except UnitError as problem:
        raise ExpressionError(str(problem)) from None
    if measure.offset:
        raise ExpressionError(
            f"`{value:g}[{text}]` inside an expression: a temperature in {measure.text} is allowed only as the whole value "
            f"of a quantity or property; write {measure.to_si(value):g}[K], or a difference in [K]"
        )
    return ex.Number(
        _check_number_size(measure.to_si(value)), measure.dimension, f"{value:g}[{measure.text}]"
    )


def _check_number_size(value: float) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not abs(number) <= LARGEST_NUMBER:
        raise ExpressionError(f"the absolute value of a number may be at most {LARGEST_NUMBER:g}")
    return number


def _negate_expression(inner: Expression) -> Expression:
    if isinstance(inner, ex.Number):
        return ex.Number(-inner.value, inner.dimension, f"-{inner.text}" if inner.text else "")
    return ex.UnaryMinus(inner)


def _evaluate_exponent(tree: Expression) -> float | None:
    """Return the value of an exponent such as `2`, `-1`, `1.5` or `1/3`, or None for any other expression."""
    match tree:
        case ex.Number(value, dimension, _) if dimension.is_plain:
            return value
        case ex.Arithmetic("/", ex.Number(top, _, _), ex.Number(bottom, _, _)) if bottom:
            return top / bottom
        case _:
            return None


def _check_identifier(name: str) -> str:
    if not IDENTIFIER.fullmatch(name):
        raise ExpressionError(
            f"`{_shorten_source(name)}` is not a name; a name has letters, digits and single underscores"
        )
    return name


def _shorten_source(text: str) -> str:
    return text if len(text) <= LONGEST_EXCERPT else text[: LONGEST_EXCERPT - 3] + "..."
