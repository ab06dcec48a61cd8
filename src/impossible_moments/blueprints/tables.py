"""The tables of a scenario: every value that the record states, with its name.

The rows are templates like the rest of the prose. They are part of the record, so values in a table count as
stated, and the published tables are made from the same rows. A solver that only reads the tables finds every
given number in them, in the same wording for all scenarios.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from impossible_moments.blueprints.forms import Telling
from impossible_moments.blueprints.overlay import Data
from impossible_moments.knowledge.tables import objects
from impossible_moments.mechanics.library import Library
from impossible_moments.mechanics.lines import LineError, split_line, split_lines
from impossible_moments.mechanics.quantities import Kind, Quantity, read_quantity
from impossible_moments.mechanics.units import UnitError

SIZES: Final = ("length", "width", "height", "thickness", "diameter", "across", "depth")
YOU: Final = "you"
_IN_THE_OBJECT_TABLE: Final = frozenset({"object", "substance"})
_CENTIMETRES_BELOW: Final = 1.0
_MILLIMETRES_BELOW: Final = 0.01
_GRAMS_BELOW: Final = 1.0
_SIZE_UNITS: Final = (("m", 3.0), ("cm", 0.1), ("mm", 0.0))
"""The units of sizes, each with the length in metres from which it is used."""
MOST_APART: Final = 100.0
_SHARE: Final = re.compile(r"\bshares?\b|\bchance\b|\bpart of\b|\bodds\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the object table as templates."""

    name: str
    label: str
    mass: str = ""
    size: str = ""
    material: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Tables:
    """All table rows of a scenario."""

    environment: tuple[tuple[str, str], ...]
    objects: tuple[Row, ...]
    capabilities: tuple[tuple[str, str], ...]


def with_tables(record: Data, telling: Telling, library: Library) -> Data:
    """Return the record with its tables added to the prose and quoted as evidence of what they state."""
    quoted = {**record, "things": [_quoting(thing, telling) for thing in record.get("things") or ()]}
    tables = tables_of(quoted, telling, library)
    prose = dict(record["prose"])
    parts = {
        "environment": " ".join(f"{feature}: {text}." for feature, text in tables.environment),
        "objects": " ".join(_told(row) for row in tables.objects),
        "capabilities": " ".join(f"{parameter}: {value}." for parameter, value in tables.capabilities),
    }
    prose |= {name: text for name, text in parts.items() if text}
    return {**quoted, "prose": prose}


def tables_of(record: Data, telling: Telling, library: Library) -> Tables:
    """Build the table rows of a record.

    Free quantities and fixed things form the environment table, loose things the object table, `you` the
    capabilities.
    """
    things = [thing for thing in record.get("things") or () if isinstance(thing, Mapping)]
    loose = [thing for thing in things if _kind(thing) in _IN_THE_OBJECT_TABLE]
    # if there are no loose things, the fixed things form the object table
    shown = loose or [thing for thing in things if thing.get("name") != YOU]
    named = {thing.get("name") for thing in shown}
    around = [thing for thing in things if thing.get("name") not in named]
    return Tables(
        (*_places(record, around, telling), *telling.environment.items()),
        tuple(_row(thing, telling, library) for thing in shown),
        (*_agent(things, telling), *telling.capabilities.items()),
    )


def _told(row: Row) -> str:
    return f"{row.label}: {'; '.join(part for part in (row.mass, row.size, row.notes) if part)}."


def _kind(thing: Mapping[str, Any]) -> str:
    return str(thing.get("kind") or "object")


def _places(record: Data, things: list[Mapping[str, Any]], telling: Telling) -> Iterator[tuple[str, str]]:
    for quantity in _quantities(record.get("quantities")):
        phrase = telling.words.get(quantity.name)
        if phrase and (shown := _value(quantity.name, quantity, phrase)):
            yield _capital(phrase), shown
    for thing in things:
        name = str(thing.get("name"))
        if name == YOU:
            continue
        cells = [*_cells(thing, telling), *filter(None, [telling.notes.get(name)])]
        if cells:
            yield f"{{thing:{name}}}", "; ".join(cells)


def _agent(things: list[Mapping[str, Any]], telling: Telling) -> Iterator[tuple[str, str]]:
    for thing in things:
        if thing.get("name") == YOU:
            for quantity in _quantities(thing.get("props")):
                phrase = _phrase(telling, YOU, quantity)
                shown = _value(f"{YOU}.{quantity.name}", quantity)
                if phrase and shown:
                    yield _capital(phrase), shown


def _row(thing: Mapping[str, Any], telling: Telling, library: Library) -> Row:
    name, like = str(thing.get("name")), thing.get("like")
    own = {quantity.name: quantity for quantity in _quantities(thing.get("props"))}
    known = dict(own)
    if isinstance(like, str) and like in library.rows:
        known = {**{quantity.name: quantity for quantity in _quantities(library.rows[like].props)}, **own}
    sizes = _sizes(name, [known[size] for size in SIZES if size in known])
    mass = _value(f"{name}.mass", known["mass"]) if "mass" in known else ""
    covered = {"mass", *SIZES} - telling.words.keys()
    notes = [*_cells(thing, telling, without=covered), *filter(None, [telling.notes.get(name)])]
    return Row(
        name=name,
        label=f"{{thing:{name}}}",
        mass=mass,
        size=" × ".join(filter(None, sizes)),
        material=telling.materials.get(name) or _made_of(like),
        notes="; ".join(notes),
    )


def _sizes(name: str, found: list[Quantity]) -> list[str]:
    """Return the dimensions of a thing, in one unit unless they differ very much."""
    values = [abs(each.value) for each in found if isinstance(each.value, int | float) and each.value]
    in_metres = all(each.shown is not None and each.shown.text in {"m", "cm", "mm"} for each in found)
    if not values or not in_metres or max(values) > MOST_APART * min(values):
        return [_value(f"{name}.{each.name}", each) for each in found]
    unit = next(unit for unit, least in _SIZE_UNITS if max(values) >= least)
    return [f"{{{name}.{each.name}|{unit}}}" for each in found if _value(f"{name}.{each.name}", each)]


def _cells(
    thing: Mapping[str, Any], telling: Telling, without: frozenset[str] | set[str] = frozenset()
) -> Iterator[str]:
    """Yield the properties of a thing, each with the phrase that names it."""
    name = str(thing.get("name"))
    for quantity in _quantities(thing.get("props")):
        phrase = _phrase(telling, name, quantity)
        if not phrase or quantity.name in without:
            continue
        if isinstance(quantity.value, bool):
            if said := _said(phrase, holds=quantity.value):
                yield said
        elif isinstance(quantity.value, str):
            yield f"{phrase} {quantity.value.replace('_', ' ')}"
        elif quantity.value == 0 and "|" in phrase:
            yield _said(phrase, holds=False)
        elif shown := _value(f"{name}.{quantity.name}", quantity, phrase):
            yield f"{_said(phrase, holds=True)} {shown}"


def _phrase(telling: Telling, owner: str, quantity: Quantity) -> str:
    """Return the table phrase of a property of a thing.

    A phrase for this thing takes precedence over the general one. An empty phrase keeps the property out of
    the tables.
    """
    own = f"{owner}.{quantity.name}"
    return telling.words[own] if own in telling.words else telling.words.get(quantity.name, "")


def _quoting(thing: Any, telling: Telling) -> Any:  # noqa: ANN401 - unchecked data
    """Return the thing with table text as the quote of each truth value and word that has no other source."""
    if not isinstance(thing, Mapping):
        return thing
    lines = []
    for line in split_lines(thing.get("props")):
        quantity, said = _read(line), ""
        if quantity is not None and not quantity.source:
            phrase = _phrase(telling, str(thing.get("name")), quantity)
            said = _in_words(quantity, phrase) if phrase else ""
        lines.append(f"{line} @ {said}" if said else line)
    return {**thing, "props": lines} if lines else thing


def _in_words(quantity: Quantity, phrase: str) -> str:
    """Return the quote for a truth value, a word or a zero. A number needs none, because it is printed."""
    value = quantity.value
    if isinstance(value, bool):
        return _said(phrase, holds=value)
    if isinstance(value, str):
        return f"{phrase} {value.replace('_', ' ')}"
    return _said(phrase, holds=False) if value == 0 and "|" in phrase else ""


def _said(phrase: str, *, holds: bool) -> str:
    yes, _, no = phrase.partition("|")
    return (yes if holds else no).strip()


def _value(path: str, quantity: Quantity, phrase: str = "") -> str:
    """Return a placeholder that prints a stated number in a suitable unit, or an empty string."""
    unit = _unit(quantity, path, phrase)
    if quantity.kind is Kind.DISPUTED:
        return f"{{{path}.low|{unit}}} to {{{path}.high|{unit}}}, on which opinions differ"
    if quantity.kind not in {Kind.GIVEN, Kind.ASSUMED} or not quantity.is_number:
        return ""
    return f"{{{path}|{unit}}}"


def _unit(quantity: Quantity, path: str, phrase: str) -> str:
    """Return the unit of a number: as written, or centimetres, grams or per cent for small values."""
    written, value = quantity.shown.text if quantity.shown is not None else "plain", quantity.value
    size = abs(value) if isinstance(value, int | float) else 0.0
    if path.rpartition(".")[2] in SIZES and written == "m" and size < _CENTIMETRES_BELOW:
        return "mm" if size < _MILLIMETRES_BELOW else "cm"
    if written == "kg" and size < _GRAMS_BELOW:
        return "g"
    if written == "plain" and 0 < size <= 1 and _SHARE.search(phrase):
        return "percent"
    return written


def _quantities(lines: object) -> Iterator[Quantity]:
    try:
        for line in split_lines(lines):
            if (found := _read(line)) is not None:
                yield found
    except LineError:
        return  # the check reports it with its position


def _read(line: str) -> Quantity | None:
    try:
        split_line(line, example="rim = 3.6[m]")
        return read_quantity(line)
    except (LineError, UnitError):
        return None


def _made_of(like: object) -> str:
    thing = objects().get(str(like))
    return " and ".join(name.replace("_", " ") for name in thing.materials) if thing is not None else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
