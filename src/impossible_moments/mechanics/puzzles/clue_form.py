"""Parsing of a clue puzzle into unknowns and constraints."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.puzzles.context import NO_VALUE
from impossible_moments.mechanics.puzzles.forms import CluesPuzzle
from impossible_moments.mechanics.puzzles.reader import Entry, Reader
from impossible_moments.mechanics.puzzles.search import Constraint
from impossible_moments.mechanics.quantities import Kind, Quantity, QuantityError, read_value
from impossible_moments.mechanics.scalars import Closure, Resolve, Value, Values, compiled
from impossible_moments.mechanics.sorts import Sort, Type

MOST_UNKNOWNS: Final = 12
MOST_OPTIONS: Final = 60
MOST_CLUES: Final = 60
NEARLY_WHOLE: Final = 1e-6  # the rounding error that a conversion of units may leave
UNKNOWN: Final = "red = choose {1, 2, 3}"
CLUE: Final = "left = red < blue @ the red fuse sits left of the blue one"


@dataclass(frozen=True, slots=True)
class Unknown:
    """An unknown of a puzzle with its type, and its possible values with their written form."""

    name: str
    type: Type
    options: Mapping[Value, str]


def unknowns_of(form: CluesPuzzle, reader: Reader) -> dict[str, Unknown]:
    """Read the unknowns with their domains, by name."""
    entries = reader.entries(form.unknowns, "unknowns", example=UNKNOWN)
    if not 1 <= len(form.unknowns) <= MOST_UNKNOWNS:
        code = "puzzle.not-exhausted" if form.unknowns else "puzzle.form"
        reader.refuse(
            code,
            f"{reader.where}/unknowns",
            f"a puzzle has one to {MOST_UNKNOWNS} unknowns",
            found=f"{len(form.unknowns)} unknowns",
            expected=f"at most {MOST_UNKNOWNS} lines `{UNKNOWN}`",
        )
        return {}
    unknowns = (_unknown(entry, reader) for entry in entries)
    return {unknown.name: unknown for unknown in unknowns if unknown is not None}


def _unknown(entry: Entry, reader: Reader) -> Unknown | None:
    try:
        quantity = read_value(entry.name, entry.body)
    except QuantityError as problem:
        reader.refuse(
            problem.code, entry.where, str(problem), found=problem.found, expected=problem.expected or UNKNOWN
        )
        return None
    if quantity.kind is not Kind.DECISION:
        reader.refuse(
            "puzzle.form",
            entry.where,
            f"`{entry.name}` is not an unknown: it has no values to choose from",
            found=entry.body,
            expected=f"{entry.name} = choose {{1, 2, 3}}, or {entry.name} = choose 1..6",
        )
        return None
    options = _listed(quantity, entry.body) if quantity.options else _counted(quantity, entry, reader)
    if len(options) > MOST_OPTIONS:
        reader.refuse(
            "puzzle.not-exhausted",
            entry.where,
            f"an unknown has at most {MOST_OPTIONS} values",
            found=f"{len(options)} values",
            expected=f"{entry.name} = choose 1..6",
        )
    reader.wants_unique(options.values(), f"unknowns/{entry.name}", example="{north, south}")
    return Unknown(entry.name, _type(quantity.tree), options)


def _listed(quantity: Quantity, body: str) -> dict[Value, str]:
    parts = [part.strip() for part in body[body.index("{") + 1 : -1].split(",") if part.strip()]
    return {
        option: part.strip("'\"") if isinstance(option, str) else part
        for option, part in zip(quantity.options, parts, strict=True)
    }


def _counted(quantity: Quantity, entry: Entry, reader: Reader) -> dict[Value, str]:
    """Return the whole numbers of a range with their text, in the unit of the range."""
    low, high = (_in_unit(end, quantity) for end in (quantity.low or 0.0, quantity.high or 0.0))
    if not (_is_whole(low) and _is_whole(high)):
        reader.refuse(
            "puzzle.form",
            entry.where,
            f"the ends of the range of `{entry.name}` are not whole numbers",
            found=entry.body,
            expected=f"{entry.name} = choose 1..6",
        )
        return {}
    first, last = (
        round(low),
        min(round(high), round(low) + MOST_OPTIONS),
    )  # one value too many is enough to reject the range
    unit = quantity.shown
    if unit is None:
        return {float(count): str(count) for count in range(first, last + 1)}
    return {unit.to_si(count): f"{count}[{unit.text}]" for count in range(first, last + 1)}


def _is_whole(value: float) -> bool:
    return math.isfinite(value) and abs(value - round(value)) <= NEARLY_WHOLE


def _in_unit(value: float, quantity: Quantity) -> float:
    return value if quantity.shown is None else quantity.shown.from_si(value)


def _type(tree: Expression) -> Type:
    if isinstance(tree, ex.Number):
        return tree.dimension
    return Sort.TEXT if isinstance(tree, ex.Text) else Sort.TRUTH


def constraints_of(
    form: CluesPuzzle, unknowns: Mapping[str, Unknown], reader: Reader
) -> tuple[Constraint, ...]:
    """Read the clues as constraints.

    A clue `a and b` becomes two constraints, so that each is tested early.
    """
    if len(form.clues) > MOST_CLUES:
        reader.refuse(
            "puzzle.not-exhausted",
            f"{reader.where}/clues",
            "there are too many clues to assess",
            found=f"{len(form.clues)} clues",
            expected=f"at most {MOST_CLUES} lines `{CLUE}`",
        )
        return ()
    constraints: list[Constraint] = []
    types = {name: unknown.type for name, unknown in unknowns.items()}
    for entry in reader.entries(form.clues, "clues", example=CLUE):
        reader.wants_quote(entry)
        tree = reader.tree(entry, variables=types, want="condition")
        if tree is not None:
            constraints += _constraints(tree, entry, unknowns, reader)
    return tuple(constraints)


def _constraints(
    tree: Expression, entry: Entry, unknowns: Mapping[str, Unknown], reader: Reader
) -> list[Constraint]:
    places = {name: place for place, name in enumerate(unknowns)}
    read = [
        frozenset(places[name] for name in _unknowns_in(part) if name in places) for part in _conjuncts(tree)
    ]
    if not any(read):
        reader.refuse(
            "puzzle.form",
            entry.where,
            f"the clue `{entry.name}` does not mention any unknown",
            found=entry.body,
            expected=f"a condition on {', '.join(unknowns)}, as in `{CLUE}`",
        )
        return []
    resolve = _resolver(unknowns, reader)
    try:
        return [
            Constraint(entry.name, at or frozenset({0}), _safely(compiled(part, resolve)), _size(part))
            for part, at in zip(_conjuncts(tree), read, strict=True)
        ]
    except NO_VALUE:
        reader.refuse(
            "value.undefined",
            entry.where,
            f"the clue `{entry.name}` reads something that has no value",
            found=entry.body,
            expected="quantities and properties that exist and have a value",
        )
        return []


def _size(tree: Expression) -> int:
    return sum(1 for _ in ex.walk(tree))


def _conjuncts(tree: Expression) -> list[Expression]:
    if isinstance(tree, ex.All):
        return [inner for part in tree.parts for inner in _conjuncts(part)]
    return [tree]


def _unknowns_in(tree: Expression) -> frozenset[str]:
    """Return the names that an expression reads.

    For `who.tall` it is `who`, because an unknown may be a thing.
    """
    return frozenset(path.partition(".")[0] for path in ex.reads(tree))


def _resolver(unknowns: Mapping[str, Unknown], reader: Reader) -> Resolve:
    places = {name: place for place, name in enumerate(unknowns)}

    def resolve(path: str) -> int | Closure:
        thing, _, name = path.partition(".")
        if not name and thing in places:
            return places[thing]
        if name and thing in unknowns and unknowns[thing].type is Sort.TEXT:
            return _property_of(
                places[thing], {word: _read(str(word), name, reader) for word in unknowns[thing].options}
            )
        value = reader.context.value(ex.Property(thing, name) if name else ex.Name(thing))
        return lambda _values: value

    return resolve


def _property_of(place: int, table: Mapping[Value, Value | None]) -> Closure:
    def look_up(values: Values) -> Value:
        value = table[values[place]]
        if value is None:
            raise KeyError(values[place])
        return value

    return look_up


def _read(thing: str, name: str, reader: Reader) -> Value | None:
    try:
        return reader.context.value(ex.Property(thing, name))
    except NO_VALUE:
        return None


def _safely(closure: Closure) -> Callable[[Values], bool]:
    """Wrap a closure as a test that returns False where it is undefined."""

    def holds(values: Values) -> bool:
        try:
            return bool(closure(values))
        except NO_VALUE:
            return False

    return holds
