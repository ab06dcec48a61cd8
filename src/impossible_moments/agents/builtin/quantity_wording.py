"""Wording of expressions, numbers with units and sources, for reports of agents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from impossible_moments.agents.builtin.figure_formats import format_digits, format_share
from impossible_moments.mechanics.language import (
    UNDEFINED,
    Dimension,
    ExpressionTypeError,
    Unit,
    Value,
    parse_unit,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import QuantityKind
from impossible_moments.mechanics.wording import QuantityNames
from impossible_moments.mechanics.world import CONSTANTS, World, WorldEngine

RELATIONS: Final = {
    ">=": "at least",
    ">": "more than",
    "<=": "at most",
    "<": "less than",
    "==": "equal to",
    "!=": "different from",
}
_SIGNS: Final = {"*": "×", "-": "−", ">=": "≥", "<=": "≤", "==": "=", "!=": "≠"}
_POWERS: Final = {2.0: "²", 3.0: "³"}
_UNIT_SIGNS: Final = (("**2", "²"), ("**3", "³"), ("*", "·"), ("percent", "%"), ("degC", "°C"), ("deg", "°"))


class PropertySource(StrEnum):
    """The kinds of source that a number of a record can have."""

    STATED = "stated in the scenario"
    LIBRARY = "library"
    ASSUMED = "assumed"
    DISPUTED = "disputed"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True)
class SourcedName:
    """A stated quantity with its wording and the source of its value."""

    path: str
    words: str
    source: PropertySource
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """Both sides of a comparison at some values, with its truth and margin."""

    tree: ex.Comparison
    left: str
    right: str
    holds: bool
    margin: float | None
    """The slack as a share of the larger side, negative where the comparison fails. None for counts and words."""
    difference: str = ""
    """The distance of two temperatures. A share of it would depend on where the scale begins."""

    def describe(self) -> str:
        """Return the numbers compared and the margin in words."""
        relation = RELATIONS[self.tree.operator]
        return f"{self.left}, required {relation} {self.right}: {self.describe_margin()}"

    def describe_margin(self) -> str:
        """Return by which share the comparison holds or fails."""
        if self.margin is None:
            return "holds" if self.holds else "does not hold"
        slack = self.difference or format_share(abs(self.margin))
        return f"holds with {slack} to spare" if self.holds else f"fails by {slack}"

    def describe_slack(self) -> str:
        """Return the distance of both sides: a share of the larger one, or the difference of two temperatures."""
        return self.difference or f"{abs(self.margin or 0.0):.1%}"


def format_relation(operator: str) -> str:
    """Return the mathematical sign of a comparison: `≥` for `>=`."""
    return _SIGNS.get(operator, operator)


def collect_comparisons(tree: ex.Expression) -> Iterator[ex.Comparison]:
    """Yield the comparisons that must all hold for a condition to hold."""
    match tree:
        case ex.Comparison():
            yield tree
        case ex.Conjunction(parts):
            for part in parts:
                yield from collect_comparisons(part)


def compare_at(
    engine: WorldEngine, tree: ex.Comparison, values: list[Value] | None = None
) -> Compared | None:
    """Evaluate a comparison of numbers at values, the stated ones by default.

    Return None for a comparison of words, or if it has no value.
    """
    at = values if values is not None else engine.build_start_values()
    try:
        left, right = (engine.evaluate_expression(side, at) for side in (tree.left, tree.right))
        if any(isinstance(side, bool | str) for side in (left, right)):
            return None
        holds, margin = engine.compile_condition_judge(tree)(at)
    except (*UNDEFINED, KeyError):
        return None
    unit = _find_common_unit(engine, tree)
    return Compared(
        tree,
        f"{describe_expression(engine.world, tree.left)} = {format_number(float(left), unit)}",
        _describe_side_with_number(engine, tree.right, float(right), unit),
        holds,
        margin,
        f"{format_digits(abs(float(left) - float(right)))} K"
        if unit is not None and unit.text in _TEMPERATURE_SCALES
        else "",
    )


def _find_common_unit(engine: WorldEngine, tree: ex.Comparison) -> Unit | None:
    """Return one unit for both sides: that of a side which is a single quantity, else that of the left side."""
    sides = ((tree.left, tree.right), (tree.right, tree.left))
    single = [pair for pair in sides if isinstance(pair[0], ex.Name | ex.Property)]
    first, other = (*single, *sides)[0]
    return find_unit(engine, first, other)


def _describe_side_with_number(
    engine: WorldEngine, tree: ex.Expression, value: float, unit: Unit | None
) -> str:
    number = format_number(value, unit)
    return number if isinstance(tree, ex.Number) else f"{number} ({describe_expression(engine.world, tree)})"


def find_unit(engine: WorldEngine, tree: ex.Expression, other: ex.Expression | None = None) -> Unit | None:
    """Return the unit in which the author stated a quantity of the same dimension that the expression reads.

    If it reads none, the unit of the other side of a comparison is taken. Durations without either are in seconds.
    """
    sides = (tree,) if other is None else (tree, other)
    found = next(filter(None, (_find_stated_unit(engine, side) for side in sides)), None)
    is_duration = any(_infer_dimension(engine, side) == _SECOND.dimension for side in sides)
    return found or (_SECOND if is_duration else None)


def _infer_dimension(engine: WorldEngine, tree: ex.Expression) -> Dimension | None:
    try:
        found = engine.infer_expression_type(tree)
    except ExpressionTypeError:
        return None
    return found if isinstance(found, Dimension) else None


def _find_stated_unit(engine: WorldEngine, tree: ex.Expression) -> Unit | None:
    dimension = _infer_dimension(engine, tree)
    for name in sorted(engine.world.collect_stated_quantities(tree)) if dimension is not None else ():
        unit = _find_printed_unit(engine.world, name)
        if unit is not None and unit.dimension == dimension and not _is_share_of_product(engine, tree, unit):
            return unit
    return None


def _is_share_of_product(engine: WorldEngine, tree: ex.Expression, unit: Unit) -> bool:
    """Return whether a percentage would be the unit of a value to which plain numbers contribute that are none."""
    stated = engine.world.collect_stated_quantities(tree)
    if unit.text != _PERCENT.text or (stated == ex.collect_paths(tree) and len(stated) == 1):
        return False
    plain = [
        name
        for name in sorted(stated)
        if (found := _infer_dimension(engine, _parse_path(name))) is not None and found.is_plain
    ]
    printed = [_find_printed_unit(engine.world, name) for name in plain]
    return any(each is None or each.text != _PERCENT.text for each in printed)


def _find_printed_unit(world: World, name: str) -> Unit | None:
    """Return the unit in which the public text prints a quantity, else that in which the record states it.

    The text prints a share as a percentage that the record states as a plain number.
    """
    form = find_names(world).find_phrase(name).form
    stated = world.quantities[name].display_unit
    if stated is None and form == _PERCENT.text:
        return _PERCENT
    return stated


_UNIT_IN_BRACKETS: Final = re.compile(r"\[([^\]]+)\]")
_TEMPERATURE_SCALES: Final = frozenset({"degC", "degF"})
_SECOND: Final = parse_unit("s")
_PERCENT: Final = parse_unit("percent")
_NAMED_UNITS: Final = frozenset({"day", "week", "year", "knot"})
"""Units that are English nouns and take a plural."""


def format_number(value: float, unit: Unit | None) -> str:
    """Format a number in SI units in another unit: `2.65 m`."""
    if unit is None:
        return format_digits(value)
    text, number = unit.text, format_digits(unit.from_si(value))
    if text in _NAMED_UNITS and number != "1":
        return f"{number} {text}s"
    for plain, sign in _UNIT_SIGNS:
        text = text.replace(plain, sign)
    return f"{number} {text}"


def format_quantity(world: World, name: str, value: float) -> str:
    """Format a value of a quantity in the unit in which the public text prints it, or the author stated it."""
    return format_number(value, _find_printed_unit(world, name) if name in world.quantities else None)


class _WorldKey:
    """A world as a key of a cache: worlds are compared by identity, because they are large and never change."""

    def __init__(self, world: World) -> None:
        self.world = world

    def __hash__(self) -> int:
        return id(self.world)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _WorldKey) and other.world is self.world


@lru_cache(maxsize=16)
def _build_names(key: _WorldKey) -> QuantityNames:
    return QuantityNames(key.world)


def find_names(world: World) -> QuantityNames:
    """Return the names of the quantities of a world, collected once."""
    return _build_names(_WorldKey(world))


def describe_expression(world: World, tree: ex.Expression) -> str:
    """Describe an expression in the words of the public text: `“reach” + “height” of the crate`."""
    match tree:
        case ex.Property():
            return find_names(world).name_quantity(tree.path, with_note=False)
        case ex.Name(name) if name in world.quantities:
            return find_names(world).name_quantity(name, with_note=False)
        case ex.Name(name):
            return name.replace("_", " ")
        case ex.Arithmetic(operator, left, right):
            first = _put_in_brackets(world, left, is_product=operator in {"*", "/"})
            second = _put_in_brackets(world, right, is_product=operator != "+", is_divisor=operator == "/")
            return f"{first} {_SIGNS.get(operator, operator)} {second}"
        case ex.Power(inner, exponent):
            return f"{_put_in_brackets(world, inner, is_product=True, is_divisor=True)}{_POWERS.get(exponent, f'^{exponent:g}')}"
        case ex.FunctionCall(function, parts):
            return f"{function}({', '.join(describe_expression(world, part) for part in parts)})"
        case ex.Conditional(test, then, otherwise):
            one, other = describe_expression(world, then), describe_expression(world, otherwise)
            return f"({one} if {_describe_condition(world, test)}, else {other})"
        case _:
            return _describe_other_expression(world, tree)


def _describe_other_expression(world: World, tree: ex.Expression) -> str:
    """Describe a negative expression or a literal."""
    match tree:
        case ex.UnaryMinus(inner):
            return f"minus {_put_in_brackets(world, inner, is_product=True)}"
        case _:
            return _UNIT_IN_BRACKETS.sub(r" \1", ex.format_expression(tree))


def _describe_condition(world: World, tree: ex.Expression) -> str:
    match tree:
        case ex.Comparison(operator, left, right):
            sides = (describe_expression(world, left), describe_expression(world, right))
            return f" {format_relation(operator)} ".join(sides)
        case ex.Conjunction(parts):
            return " and ".join(_describe_condition(world, part) for part in parts)
        case ex.Disjunction(parts):
            return " or ".join(_describe_condition(world, part) for part in parts)
        case ex.Negation(inner):
            return f"not {_describe_condition(world, inner)}"
        case _:
            return describe_expression(world, tree).removeprefix("whether ")


def _put_in_brackets(world: World, tree: ex.Expression, *, is_product: bool, is_divisor: bool = False) -> str:
    """Describe a part of an expression, in brackets where it would be read otherwise without them.

    `is_product` is true where a sum needs them, `is_divisor` where a product does, too.
    """
    text = describe_expression(world, tree)
    is_sum = isinstance(tree, ex.Arithmetic) and tree.operator in {"+", "-"}
    needs_brackets = (is_sum and is_product) or (is_divisor and isinstance(tree, ex.Arithmetic))
    return f"({text})" if needs_brackets else text


def list_sources(world: World, tree: ex.Expression) -> tuple[SourcedName, ...]:
    """Return the source of each stated quantity that an expression depends on, sorted by name."""
    names = sorted(world.collect_stated_quantities(tree) | (ex.collect_paths(tree) & CONSTANTS.keys()))
    return tuple(find_source(world, name) for name in names)


def find_source(world: World, name: str) -> SourcedName:
    """Return the source of one quantity."""
    words = describe_expression(world, _parse_path(name))
    quantity = world.quantities.get(name)
    if quantity is None:
        return SourcedName(name, words, PropertySource.CONSTANT, "constant of nature")
    own = name in world.own_paths or "." not in name or name.partition(".")[0] not in world.things
    if quantity.kind is QuantityKind.DISPUTED:
        return SourcedName(name, words, PropertySource.DISPUTED, quantity.source)
    if quantity.kind is QuantityKind.ASSUMED and quantity.is_estimate:
        return SourcedName(name, words, PropertySource.ASSUMED, quantity.source or "no source")
    if quantity.kind is QuantityKind.ASSUMED:
        return SourcedName(name, words, PropertySource.LIBRARY, quantity.source.removeprefix("library: "))
    if own:
        return SourcedName(name, words, PropertySource.STATED)
    return SourcedName(
        name, words, PropertySource.LIBRARY, quantity.source or f"row of the library {world.library}"
    )


def describe_sources(sources: tuple[SourcedName, ...]) -> str:
    """Describe sources by kind: `stated in the scenario: a, b; library: c (work)`.

    If the scenario states all of them, their names are not repeated.
    """
    if sources and all(each.source is PropertySource.STATED for each in sources):
        return f"{'all ' if len(sources) > 1 else ''}{PropertySource.STATED}"
    parts: list[str] = []
    for kind in PropertySource:
        of_kind = [each for each in sources if each.source is kind]
        if of_kind:
            names = ", ".join(
                each.words + (f" ({each.reference})" if each.reference else "") for each in of_kind
            )
            parts.append(f"{kind}: {names}")
    return "; ".join(parts)


def _parse_path(path: str) -> ex.Name | ex.Property:
    owner, _, name = path.rpartition(".")
    return ex.Property(owner, name) if owner else ex.Name(name)


def format_all(count: int, noun: str) -> str:
    """Return a count of all with its noun, such as `all 3 claims` and `the one claim`."""
    return f"the one {noun}" if count == 1 else f"all {format_count(count, noun)}"


def format_count(count: int, noun: str) -> str:
    """Return a count with its noun, such as `1 insight`, `3 approaches` and `2 quantities`."""
    if count == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{count} {noun[:-1]}ies"
    return f"{count} {noun}{'es' if noun.endswith(('s', 'ch')) else 's'}"
