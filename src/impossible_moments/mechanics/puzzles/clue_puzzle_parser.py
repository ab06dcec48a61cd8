"""Parsing of a clue puzzle into unknowns and constraints."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_types import ExpressionType, NonNumericType
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import (
    Closure,
    NameResolver,
    Value,
    Values,
    compile_expression,
)
from impossible_moments.mechanics.puzzles.finite_domain_search import SearchConstraint
from impossible_moments.mechanics.puzzles.puzzle_context import NO_VALUE
from impossible_moments.mechanics.puzzles.puzzle_reader import PuzzleEntry, PuzzleReader
from impossible_moments.mechanics.records.puzzle_forms import CluesPuzzle
from impossible_moments.mechanics.records.quantities import (
    Quantity,
    QuantityError,
    QuantityKind,
    parse_quantity_value,
)

MOST_UNKNOWNS: Final = 12
MOST_OPTIONS: Final = 60
MOST_CLUES: Final = 60
NEARLY_WHOLE: Final = 1e-6  # the rounding error that a conversion of units may leave
UNKNOWN: Final = "red = choose {1, 2, 3}"
CLUE: Final = "left = red < blue @ the red fuse sits left of the blue one"


@dataclass(frozen=True, slots=True)
class PuzzleUnknown:
    """An unknown of a puzzle with its type, and its possible values with their written form."""

    name: str
    type: ExpressionType
    options: Mapping[Value, str]


def read_unknowns(form: CluesPuzzle, reader: PuzzleReader) -> dict[str, PuzzleUnknown]:
    """Read the unknowns with their domains, by name."""
    entries = reader.read_entries(form.unknowns, "unknowns", example=UNKNOWN)
    if not 1 <= len(form.unknowns) <= MOST_UNKNOWNS:
        code = "puzzle.not-exhausted" if form.unknowns else "puzzle.form"
        reader.reject_puzzle(
            code,
            f"{reader.path}/unknowns",
            f"a puzzle has one to {MOST_UNKNOWNS} unknowns",
            found=f"{len(form.unknowns)} unknowns",
            expected=f"at most {MOST_UNKNOWNS} lines `{UNKNOWN}`",
        )
        return {}
    unknowns = (_read_unknown(entry, reader) for entry in entries)
    return {unknown.name: unknown for unknown in unknowns if unknown is not None}


def _read_unknown(entry: PuzzleEntry, reader: PuzzleReader) -> PuzzleUnknown | None:
    try:
        quantity = parse_quantity_value(entry.name, entry.body)
    except QuantityError as problem:
        reader.reject_puzzle(
            problem.code, entry.path, str(problem), found=problem.found, expected=problem.expected or UNKNOWN
        )
        return None
    if quantity.kind is not QuantityKind.DECISION:
        reader.reject_puzzle(
            "puzzle.form",
            entry.path,
            f"`{entry.name}` is not an unknown: it has no values to choose from",
            found=entry.body,
            expected=f"{entry.name} = choose {{1, 2, 3}}, or {entry.name} = choose 1..6",
        )
        return None
    options = (
        _read_listed_options(quantity, entry.body)
        if quantity.options
        else _enumerate_range_options(quantity, entry, reader)
    )
    if len(options) > MOST_OPTIONS:
        reader.reject_puzzle(
            "puzzle.not-exhausted",
            entry.path,
            f"an unknown has at most {MOST_OPTIONS} values",
            found=f"{len(options)} values",
            expected=f"{entry.name} = choose 1..6",
        )
    reader.require_unique_names(options.values(), f"unknowns/{entry.name}", example="{north, south}")
    return PuzzleUnknown(entry.name, _get_value_type(quantity.tree), options)


def _read_listed_options(quantity: Quantity, body: str) -> dict[Value, str]:
    parts = [part.strip() for part in body[body.index("{") + 1 : -1].split(",") if part.strip()]
    return {
        option: part.strip("'\"") if isinstance(option, str) else part
        for option, part in zip(quantity.options, parts, strict=True)
    }


def _enumerate_range_options(
    quantity: Quantity, entry: PuzzleEntry, reader: PuzzleReader
) -> dict[Value, str]:
    """Return the whole numbers of a range with their text, in the unit of the range."""
    low, high = (_convert_to_unit(end, quantity) for end in (quantity.low or 0.0, quantity.high or 0.0))
    if not (_is_whole_number(low) and _is_whole_number(high)):
        reader.reject_puzzle(
            "puzzle.form",
            entry.path,
            f"the ends of the range of `{entry.name}` are not whole numbers",
            found=entry.body,
            expected=f"{entry.name} = choose 1..6",
        )
        return {}
    first, last = (
        round(low),
        min(round(high), round(low) + MOST_OPTIONS),
    )  # one value too many is enough to reject the range
    unit = quantity.display_unit
    if unit is None:
        return {float(count): str(count) for count in range(first, last + 1)}
    return {unit.to_si(count): f"{count}[{unit.text}]" for count in range(first, last + 1)}


def _is_whole_number(value: float) -> bool:
    return math.isfinite(value) and abs(value - round(value)) <= NEARLY_WHOLE


def _convert_to_unit(value: float, quantity: Quantity) -> float:
    return value if quantity.display_unit is None else quantity.display_unit.from_si(value)


def _get_value_type(tree: Expression) -> ExpressionType:
    if isinstance(tree, ex.Number):
        return tree.dimension
    return NonNumericType.TEXT if isinstance(tree, ex.Text) else NonNumericType.TRUTH


def read_constraints(
    form: CluesPuzzle, unknowns: Mapping[str, PuzzleUnknown], reader: PuzzleReader
) -> tuple[SearchConstraint, ...]:
    """Read the clues as constraints.

    A clue `a and b` becomes two constraints, so that each is tested early.
    """
    if len(form.clues) > MOST_CLUES:
        reader.reject_puzzle(
            "puzzle.not-exhausted",
            f"{reader.path}/clues",
            "there are too many clues to assess",
            found=f"{len(form.clues)} clues",
            expected=f"at most {MOST_CLUES} lines `{CLUE}`",
        )
        return ()
    constraints: list[SearchConstraint] = []
    types = {name: unknown.type for name, unknown in unknowns.items()}
    for entry in reader.read_entries(form.clues, "clues", example=CLUE):
        reader.require_quote(entry)
        tree = reader.parse_typed_expression(entry, variables=types, expected="condition")
        if tree is not None:
            constraints += _build_constraints(tree, entry, unknowns, reader)
    return tuple(constraints)


def _build_constraints(
    tree: Expression, entry: PuzzleEntry, unknowns: Mapping[str, PuzzleUnknown], reader: PuzzleReader
) -> list[SearchConstraint]:
    places = {name: place for place, name in enumerate(unknowns)}
    parsed = [
        frozenset(places[name] for name in _collect_names_in_expression(part) if name in places)
        for part in _split_conjunction(tree)
    ]
    if not any(parsed):
        reader.reject_puzzle(
            "puzzle.form",
            entry.path,
            f"the clue `{entry.name}` does not mention any unknown",
            found=entry.body,
            expected=f"a condition on {', '.join(unknowns)}, as in `{CLUE}`",
        )
        return []
    resolve = _create_name_resolver(unknowns, reader)
    try:
        return [
            SearchConstraint(
                entry.name,
                at or frozenset({0}),
                _create_safe_test(compile_expression(part, resolve)),
                _count_expression_nodes(part),
            )
            for part, at in zip(_split_conjunction(tree), parsed, strict=True)
        ]
    except NO_VALUE:
        reader.reject_puzzle(
            "value.undefined",
            entry.path,
            f"the clue `{entry.name}` reads something that has no value",
            found=entry.body,
            expected="quantities and properties that exist and have a value",
        )
        return []


def _count_expression_nodes(tree: Expression) -> int:
    return sum(1 for _ in ex.walk_nodes(tree))


def _split_conjunction(tree: Expression) -> list[Expression]:
    if isinstance(tree, ex.Conjunction):
        return [inner for part in tree.parts for inner in _split_conjunction(part)]
    return [tree]


def _collect_names_in_expression(tree: Expression) -> frozenset[str]:
    """Return the names that an expression reads.

    For `who.tall` it is `who`, because an unknown may be a thing.
    """
    return frozenset(path.partition(".")[0] for path in ex.collect_paths(tree))


def _create_name_resolver(unknowns: Mapping[str, PuzzleUnknown], reader: PuzzleReader) -> NameResolver:
    places = {name: place for place, name in enumerate(unknowns)}

    def resolve_path(path: str) -> int | Closure:
        thing, _, name = path.partition(".")
        if not name and thing in places:
            return places[thing]
        if name and thing in unknowns and unknowns[thing].type is NonNumericType.TEXT:
            return _create_property_lookup(
                places[thing],
                {word: _read_property_value(str(word), name, reader) for word in unknowns[thing].options},
            )
        value = reader.context.evaluate_expression(ex.Property(thing, name) if name else ex.Name(thing))
        return lambda _values: value

    return resolve_path


def _create_property_lookup(place: int, table: Mapping[Value, Value | None]) -> Closure:
    def look_up_property(values: Values) -> Value:
        value = table[values[place]]
        if value is None:
            raise KeyError(values[place])
        return value

    return look_up_property


def _read_property_value(thing: str, name: str, reader: PuzzleReader) -> Value | None:
    try:
        return reader.context.evaluate_expression(ex.Property(thing, name))
    except NO_VALUE:
        return None


def _create_safe_test(closure: Closure) -> Callable[[Values], bool]:
    """Wrap a closure as a test that returns False where it is undefined."""

    def is_satisfied(values: Values) -> bool:
        try:
            return bool(closure(values))
        except NO_VALUE:
            return False

    return is_satisfied
