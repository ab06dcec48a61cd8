"""Quantities: named values with unit, range, kind and source.

The syntax is `value[unit] (low..high) kind @ source`, `choose low..high[unit]`, or any expression (derived).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import PLAIN, TEMPERATURE
from impossible_moments.mechanics.language.expression_parser import (
    IDENTIFIER,
    ExpressionError,
    FormulaTable,
    parse_expression,
)
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import Value
from impossible_moments.mechanics.language.units import Unit, UnitError, parse_unit
from impossible_moments.mechanics.numbers.number_text import RECORD_NUMBER
from impossible_moments.mechanics.records.lines import LineError, parse_line

EXAMPLE: Final = "mu = 0.6 (0.4..0.9) assumed @ estimate: wet rope"


NARROWEST: Final = 0.05


class QuantityKind(StrEnum):
    """Kind of a quantity: how its value is determined."""

    GIVEN = "given"
    ASSUMED = "assumed"
    DISPUTED = "disputed"
    DECISION = "decision"
    STATE = "state"
    DERIVED = "derived"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A named value in SI. `low` and `high` are its range, `options` the values of a decision."""

    name: str
    kind: QuantityKind
    tree: Expression
    low: float | None = None
    high: float | None = None
    options: tuple[Value, ...] = ()
    source: str = ""
    display_unit: Unit | None = None
    # False if the author gave no range and the default of 20 % either way was added
    has_stated_range: bool = True

    @property
    def value(self) -> Value | None:
        """Stated value, or None if the value must be computed."""
        match self.tree:
            case ex.Number(value, _, _) | ex.Text(value) | ex.Truth(value):
                return value
            case _:
                return None

    @property
    def is_estimate(self) -> bool:
        """Whether the source is only an estimate of the author."""
        return not is_citable_source(self.source)

    @property
    def is_number(self) -> bool:
        """Whether the value is a stated number."""
        return isinstance(self.tree, ex.Number)


_NAMES_A_WORK: Final = re.compile(
    r"\d|\b(?:handbook|library|standard|data sheet|datasheet|code of practice)\b", re.IGNORECASE
)


def is_citable_source(source: str) -> bool:
    """Return whether a source names a work that can be looked up, by a year, table, page or handbook.

    Whether the work exists is not checked.
    """
    return not source.lower().startswith("estimate") and _NAMES_A_WORK.search(source) is not None


class QuantityError(LineError):
    """Quantity that breaks the rule of the finding code `code`."""

    def __init__(self, code: str, message: str, *, found: str = "", expected: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.found = found
        self.expected = expected


def parse_quantity(line: str, formulas: FormulaTable | None = None) -> Quantity:
    """Parse a line `name = value`. Raise `QuantityError` if it is not a valid quantity."""
    try:
        parts = parse_line(line, example=EXAMPLE)
    except LineError as problem:
        raise QuantityError("line.form", str(problem), found=line) from None
    if not IDENTIFIER.fullmatch(parts.head):
        raise QuantityError(
            "line.form",
            "a name must have only letters, digits and single underscores",
            found=parts.head,
            expected=EXAMPLE,
        )
    return parse_quantity_value(parts.head, parts.body, parts.evidence, formulas)


_KIND: Final = re.compile(r"(.*?)\s*\b(given|assumed|disputed|state|decision|derived)\b\s*(?::\s*(.+))?$")
_END: Final = rf"({RECORD_NUMBER})\s*(?:\[([^\[\]]*)\])?"
_DOTS: Final = r"\s*(?:\.\.\.?|…|\bto\b)\s*"
_RANGE: Final = re.compile(rf"(.*?)\s*\(\s*{_END}{_DOTS}{_END}\s*\)$")
_CHOOSE: Final = re.compile(r"choose(?=[\s({]|$)")
_CHOOSE_RANGE: Final = re.compile(rf"\(?\s*{_END}{_DOTS}{_END}\s*\)?")
_PLAIN_QUANTITY: Final = re.compile(rf"({RECORD_NUMBER})\s*(?:\[([^\[\]]*)\]|([A-Za-zµ°%][\w/*^²³°%µ]*))?")


@lru_cache(maxsize=4096)
def parse_quantity_value(
    name: str, text: str, source: str = "", formulas: FormulaTable | None = None
) -> Quantity:
    """Parse the text after `name =`. Raise `QuantityError` if it is not a valid quantity."""
    body = text.replace("−", "-").strip()
    if (choice := _CHOOSE.match(body)) is not None:
        return _parse_decision(name, body[choice.end() :].strip(), source)
    kind: QuantityKind | None = None
    if (match := _KIND.fullmatch(body)) is not None and not body.startswith(("'", '"')):
        body, kind, source = match[1], QuantityKind(match[2]), match[3] or source
    low = high = None
    if (found := _RANGE.fullmatch(body)) is not None:
        body, low, high = found[1], (found[2], found[3]), (found[4], found[5])
    literal, display_unit = _parse_literal(body)
    tree: Expression = literal if literal is not None else _parse_quantity_expression(body, formulas)
    if literal is None and (low is not None or kind not in {None, QuantityKind.DERIVED}):
        raise QuantityError(
            "quantity.form",
            f"`{name}` has a range or a kind but no stated value before it; only a number, a word, true or false can have one",
            found=text,
            expected=f"{EXAMPLE}; or only an expression, for a derived quantity",
        )
    bounds = _parse_range_bounds(low, high, display_unit)
    quantity = Quantity(
        name,
        _infer_quantity_kind(tree, kind, bounds, source),
        tree,
        *bounds,
        source=source,
        display_unit=display_unit,
    )
    return _validate_quantity(quantity, text)


def _parse_literal(body: str) -> tuple[ex.Number | ex.Text | ex.Truth | None, Unit | None]:
    if (match := _PLAIN_QUANTITY.fullmatch(body)) is not None:
        value, text = float(match[1]), match[2] if match[2] is not None else match[3]
        if text is None:
            return ex.Number(value, text=match[1]), None
        measure = _parse_quantity_unit(text)
        return ex.Number(measure.to_si(value), measure.dimension, f"{match[1]}[{measure.text}]"), measure
    try:
        tree = parse_expression(body)
    except ExpressionError:
        return None, None
    return (tree, None) if isinstance(tree, ex.Number | ex.Text | ex.Truth) else (None, None)


def _parse_quantity_unit(text: str) -> Unit:
    try:
        return parse_unit(text)
    except UnitError as problem:
        raise QuantityError(
            "unit.unknown", str(problem), found=f"[{text}]", expected="0.6[m], 18[l/min], 293[K]"
        ) from None


def _parse_quantity_expression(body: str, formulas: FormulaTable | None) -> Expression:
    try:
        return parse_expression(body, formulas)
    except ExpressionError as problem:
        raise QuantityError("expression.form", str(problem), found=body) from None


_RangeEnd = tuple[str, str | None]


def _parse_range_bounds(
    low: _RangeEnd | None, high: _RangeEnd | None, display_unit: Unit | None
) -> tuple[float | None, float | None]:
    if low is None or high is None:
        return None, None
    return _parse_range_end(low, high[1], display_unit), _parse_range_end(high, low[1], display_unit)


def _parse_range_end(end: _RangeEnd, other: str | None, display_unit: Unit | None) -> float:
    """Parse one end of a range in its own unit, the unit of the other end, or the unit of the value.

    Raise `QuantityError` if the end and the value have different dimensions.
    """
    text = end[1] if end[1] is not None else other
    measure = _parse_quantity_unit(text) if text is not None else display_unit
    expected_dimension = display_unit.dimension if display_unit is not None else PLAIN
    if measure is not None and measure.dimension != expected_dimension:
        raise QuantityError(
            "dimension.mismatch",
            f"the range is a {measure.dimension}, but the value is a {expected_dimension}",
            found=f"{end[0]}[{text}]",
            expected="the same unit for value and range",
        )
    return float(end[0]) if measure is None else measure.to_si(float(end[0]))


def _infer_quantity_kind(
    tree: Expression, kind: QuantityKind | None, bounds: tuple[float | None, float | None], source: str
) -> QuantityKind:
    if kind is not None:
        return kind
    if not isinstance(tree, ex.Number | ex.Text | ex.Truth):
        return QuantityKind.DERIVED
    return (
        QuantityKind.ASSUMED
        if bounds[0] is not None and source
        else QuantityKind.ASSUMED
        if bounds[0] is not None
        else QuantityKind.GIVEN
    )


def _validate_quantity(quantity: Quantity, text: str) -> Quantity:
    name, low, high = quantity.name, quantity.low, quantity.high
    if low is not None and high is not None and low > high:
        raise QuantityError(
            "range.order",
            f"the range of `{name}` is written from high to low",
            found=text,
            expected="(low..high)",
        )
    value = quantity.value
    if (
        low is not None
        and high is not None
        and isinstance(value, float)
        and not _is_within_range(value, low, high)
    ):
        raise QuantityError(
            "range.value-outside", f"the value of `{name}` lies outside its own range", found=text,
            expected="a value between low and high, in the same unit",
        )  # fmt: skip
    if quantity.kind in {QuantityKind.ASSUMED, QuantityKind.DISPUTED}:
        _require_range_and_source(quantity, text)
    if quantity.kind is QuantityKind.STATE and isinstance(value, float) and low is None:
        raise QuantityError(
            "state.bounds",
            f"the state `{name}` has no bounds",
            found=text,
            expected=f"{name} = 0[m] (0..3) state",
        )
    if quantity.kind is QuantityKind.DECISION:
        raise QuantityError(
            "quantity.form",
            f"a decision must be written with choose; found `{text}`",
            expected=f"{name} = choose 10..80[deg]",
        )
    return quantity


def _is_within_range(value: float, low: float, high: float) -> bool:
    tolerance = 1e-9 * (abs(low) + abs(high))
    return low - tolerance <= value <= high + tolerance


def _require_range_and_source(quantity: Quantity, text: str) -> None:
    if quantity.low is None or not quantity.source:
        missing = "a range" if quantity.low is None else "a source"
        raise QuantityError(
            "assumed.range-and-source", f"`{quantity.name}` is {quantity.kind} but does not have {missing}", found=text,
            expected=f"{quantity.name} = 0.6 (0.4..0.9) {quantity.kind} @ estimate: reason, or a work with its table or page",
        )  # fmt: skip

    value = quantity.value
    if isinstance(value, float) and value != 0 and quantity.is_estimate and quantity.high is not None:
        least = (
            0.0
            if isinstance(quantity.tree, ex.Number) and quantity.tree.dimension == TEMPERATURE
            else NARROWEST * abs(value)
        )
        is_wide_enough = quantity.low <= value - least or quantity.high >= value + least
        if not is_wide_enough:
            raise QuantityError(
                "assumed.narrow", f"`{quantity.name}` is an estimate, but its range extends less than {NARROWEST:.0%} of the value to either side",
                found=text, expected="a wider range, or a work that supports the number",
            )  # fmt: skip


def _parse_decision(name: str, body: str, source: str) -> Quantity:
    if (match := _CHOOSE_RANGE.fullmatch(body)) is not None:
        text = match[4] if match[4] is not None else match[2]
        measure = _parse_quantity_unit(text) if text is not None else None
        low, high = (
            _parse_range_end((match[1], match[2]), match[4], measure),
            _parse_range_end((match[3], match[4]), match[2], measure),
        )
        if low >= high:
            raise QuantityError(
                "range.order",
                f"the decision `{name}` has an empty range to choose from",
                found=body,
                expected="choose 10..80[deg]",
            )
        middle = ex.Number((low + high) / 2, measure.dimension if measure else PLAIN)
        return Quantity(name, QuantityKind.DECISION, middle, low, high, source=source, display_unit=measure)
    if body.startswith("{") and body.endswith("}"):
        return _parse_decision_options(
            name, [part.strip() for part in body[1:-1].split(",") if part.strip()], body
        )
    raise QuantityError(
        "quantity.form", f"`{name}` is a decision, but its range or options cannot be parsed", found=body,
        expected=f"{name} = choose 10..80[deg], or {name} = choose {{1, 2, 4}}",
    )  # fmt: skip


def _parse_decision_options(name: str, parts: list[str], body: str) -> Quantity:
    trees: list[Expression] = []
    for part in parts:
        tree, _ = _parse_literal(part)
        if tree is None and IDENTIFIER.fullmatch(part):
            tree = ex.Text(part)
        if tree is None:
            raise QuantityError(
                "quantity.form",
                f"`{part}` is not a value that can be chosen",
                found=body,
                expected="choose {1, 2, 4}",
            )
        trees.append(tree)
    if len(trees) < 2 or len({type(tree) for tree in trees}) > 1:  # noqa: PLR2004 - a decision needs two options
        raise QuantityError(
            "quantity.form",
            f"the decision `{name}` needs two or more options of the same type",
            found=body,
            expected="choose {1, 2, 4}",
        )
    options = tuple(tree.value for tree in trees if isinstance(tree, ex.Number | ex.Text | ex.Truth))
    if len(set(options)) < len(options):
        raise QuantityError(
            "quantity.form",
            f"the decision `{name}` lists an option twice",
            found=body,
            expected="choose {1, 2, 4}",
        )
    return Quantity(name, QuantityKind.DECISION, trees[0], options=options)


def add_default_range(quantity: Quantity) -> Quantity:
    """Return the quantity, with a default range of 20 % either way if its author gave none."""
    value = quantity.value
    if quantity.low is not None or not isinstance(value, float):
        return quantity
    ends = sorted((0.8 * value, 1.2 * value))
    return replace(quantity, low=ends[0], high=ends[1], has_stated_range=False)
