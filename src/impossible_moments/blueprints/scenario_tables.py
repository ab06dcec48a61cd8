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

from impossible_moments.blueprints.file_models import ScenarioNotes
from impossible_moments.blueprints.overlays import Data
from impossible_moments.library import load_everyday_objects
from impossible_moments.mechanics.language import UnitError
from impossible_moments.mechanics.records import (
    Library,
    LineError,
    Quantity,
    QuantityKind,
    parse_line,
    parse_quantity,
    split_lines,
)

SIZES: Final = ("length", "width", "height", "thickness", "diameter", "across", "depth")
YOU: Final = "you"
_OBJECT_TABLE_KINDS: Final = frozenset({"object", "substance"})
_CENTIMETRES_BELOW: Final = 1.0
_MILLIMETRES_BELOW: Final = 0.01
_GRAMS_BELOW: Final = 1.0
_SIZE_UNITS: Final = (("m", 3.0), ("cm", 0.1), ("mm", 0.0))
"""The units of sizes, each with the length in metres from which it is used."""
LARGEST_SIZE_RATIO: Final = 100.0
_SHARE: Final = re.compile(r"\bshares?\b|\bchance\b|\bpart of\b|\bodds\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ObjectRowTemplate:
    """A row of the object table as templates."""

    name: str
    label: str
    mass: str = ""
    size: str = ""
    material: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class ScenarioTables:
    """All table rows of a scenario."""

    environment: tuple[tuple[str, str], ...]
    objects: tuple[ObjectRowTemplate, ...]
    capabilities: tuple[tuple[str, str], ...]


def add_tables_to_prose(record: Data, notes: ScenarioNotes, library: Library) -> Data:
    """Return the record with its tables added to the prose and quoted as evidence of what they state."""
    quoted = {**record, "things": [_add_table_quotes(thing, notes) for thing in record.get("things") or ()]}
    tables = build_scenario_tables(quoted, notes, library)
    prose = dict(record["prose"])
    parts = {
        "environment": " ".join(f"{feature}: {text}." for feature, text in tables.environment),
        "objects": " ".join(_format_object_row(row) for row in tables.objects),
        "capabilities": " ".join(f"{parameter}: {value}." for parameter, value in tables.capabilities),
    }
    prose |= {name: text for name, text in parts.items() if text}
    return {**quoted, "prose": prose}


def build_scenario_tables(record: Data, notes: ScenarioNotes, library: Library) -> ScenarioTables:
    """Build the table rows of a record.

    Free quantities and fixed things form the environment table, loose things the object table, `you` the
    capabilities.
    """
    things = [thing for thing in record.get("things") or () if isinstance(thing, Mapping)]
    loose_things = [thing for thing in things if _get_thing_kind(thing) in _OBJECT_TABLE_KINDS]
    # if there are no loose things, the fixed things form the object table
    listed_things = loose_things or [thing for thing in things if thing.get("name") != YOU]
    named = {thing.get("name") for thing in listed_things}
    other_things = [thing for thing in things if thing.get("name") not in named]
    return ScenarioTables(
        (*_build_environment_rows(record, other_things, notes), *notes.environment.items()),
        tuple(_build_object_row(thing, notes, library) for thing in listed_things),
        (*_build_capability_rows(things, notes), *notes.capabilities.items()),
    )


def _format_object_row(row: ObjectRowTemplate) -> str:
    return f"{row.label}: {'; '.join(part for part in (row.mass, row.size, row.notes) if part)}."


def _get_thing_kind(thing: Mapping[str, Any]) -> str:
    return str(thing.get("kind") or "object")


def _build_environment_rows(
    record: Data, things: list[Mapping[str, Any]], notes: ScenarioNotes
) -> Iterator[tuple[str, str]]:
    for quantity in _parse_quantities(record.get("quantities")):
        phrase = notes.words.get(quantity.name)
        if phrase and (cell := _format_starting_value(quantity, phrase)):
            yield _capitalize_first_letter(phrase), cell
    for thing in things:
        name = str(thing.get("name"))
        if name == YOU:
            continue
        cells = [*_describe_properties(thing, notes), *filter(None, [notes.notes.get(name)])]
        if cells:
            yield f"{{thing:{name}}}", "; ".join(cells)


def _format_starting_value(quantity: Quantity, phrase: str) -> str:
    """Return a placeholder that prints a stated number, or the number other than 0 from which a state starts."""
    if quantity.kind is QuantityKind.STATE and quantity.is_number and quantity.value:
        return f"{{{quantity.name}|{_choose_unit(quantity, quantity.name, phrase)}}}"
    return _format_placeholder(quantity.name, quantity, phrase)


def _build_capability_rows(
    things: list[Mapping[str, Any]], notes: ScenarioNotes
) -> Iterator[tuple[str, str]]:
    for thing in things:
        if thing.get("name") == YOU:
            for quantity in _parse_quantities(thing.get("props")):
                phrase = _find_phrase(notes, YOU, quantity)
                cell = _format_placeholder(f"{YOU}.{quantity.name}", quantity)
                if phrase and cell:
                    yield _capitalize_first_letter(phrase), cell


def _build_object_row(thing: Mapping[str, Any], notes: ScenarioNotes, library: Library) -> ObjectRowTemplate:
    name, library_row = str(thing.get("name")), thing.get("like")
    own_properties = {quantity.name: quantity for quantity in _parse_quantities(thing.get("props"))}
    known = dict(own_properties)
    if isinstance(library_row, str) and library_row in library.rows:
        known = {
            **{quantity.name: quantity for quantity in _parse_quantities(library.rows[library_row].props)},
            **own_properties,
        }
    sizes = _format_sizes(name, [known[size] for size in SIZES if size in known])
    mass = _format_placeholder(f"{name}.mass", known["mass"]) if "mass" in known else ""
    covered = {"mass", *SIZES} - notes.words.keys()
    row_notes = [*_describe_properties(thing, notes, omitted=covered), *filter(None, [notes.notes.get(name)])]
    return ObjectRowTemplate(
        name=name,
        label=f"{{thing:{name}}}",
        mass=mass,
        size=" × ".join(filter(None, sizes)),
        material=notes.materials.get(name) or _describe_materials(library_row),
        notes="; ".join(row_notes),
    )


def _format_sizes(name: str, sizes: list[Quantity]) -> list[str]:
    """Return the dimensions of a thing, in one unit unless they differ very much."""
    values = [abs(each.value) for each in sizes if isinstance(each.value, int | float) and each.value]
    in_metres = all(
        each.display_unit is not None and each.display_unit.text in {"m", "cm", "mm"} for each in sizes
    )
    if not values or not in_metres or max(values) > LARGEST_SIZE_RATIO * min(values):
        return [_format_placeholder(f"{name}.{each.name}", each) for each in sizes]
    unit = next(unit for unit, least in _SIZE_UNITS if max(values) >= least)
    return [
        f"{{{name}.{each.name}|{unit}}}" for each in sizes if _format_placeholder(f"{name}.{each.name}", each)
    ]


def _describe_properties(
    thing: Mapping[str, Any], notes: ScenarioNotes, omitted: frozenset[str] | set[str] = frozenset()
) -> Iterator[str]:
    """Yield the properties of a thing, each with the phrase that names it."""
    name = str(thing.get("name"))
    for quantity in _parse_quantities(thing.get("props")):
        phrase = _find_phrase(notes, name, quantity)
        if not phrase or quantity.name in omitted:
            continue
        if isinstance(quantity.value, bool):
            if description := _choose_affirmative_or_negative_phrase(phrase, is_true=quantity.value):
                yield description
        elif isinstance(quantity.value, str):
            yield f"{phrase} {quantity.value.replace('_', ' ')}"
        elif quantity.value == 0 and "|" in phrase:
            yield _choose_affirmative_or_negative_phrase(phrase, is_true=False)
        elif cell := _format_placeholder(f"{name}.{quantity.name}", quantity, phrase):
            yield f"{_choose_affirmative_or_negative_phrase(phrase, is_true=True)} {cell}"


def _find_phrase(notes: ScenarioNotes, owner: str, quantity: Quantity) -> str:
    """Return the table phrase of a property of a thing.

    A phrase for this thing takes precedence over the general one. An empty phrase keeps the property out of
    the tables.
    """
    own_key = f"{owner}.{quantity.name}"
    return notes.words[own_key] if own_key in notes.words else notes.words.get(quantity.name, "")


def _add_table_quotes(thing: Any, notes: ScenarioNotes) -> Any:  # noqa: ANN401 - unchecked data
    """Return the thing with table text as the quote of each truth value and word that has no other source."""
    if not isinstance(thing, Mapping):
        return thing
    lines = []
    for line in split_lines(thing.get("props")):
        quantity, quote = _parse_quantity(line), ""
        if quantity is not None and not quantity.source:
            phrase = _find_phrase(notes, str(thing.get("name")), quantity)
            quote = _format_quote(quantity, phrase) if phrase else ""
        lines.append(f"{line} @ {quote}" if quote else line)
    return {**thing, "props": lines} if lines else thing


def _format_quote(quantity: Quantity, phrase: str) -> str:
    """Return the quote for a truth value, a word or a zero. A number needs none, because it is printed."""
    value = quantity.value
    if isinstance(value, bool):
        return _choose_affirmative_or_negative_phrase(phrase, is_true=value)
    if isinstance(value, str):
        return f"{phrase} {value.replace('_', ' ')}"
    return (
        _choose_affirmative_or_negative_phrase(phrase, is_true=False) if value == 0 and "|" in phrase else ""
    )


def _choose_affirmative_or_negative_phrase(phrase: str, *, is_true: bool) -> str:
    affirmative, _, negative = phrase.partition("|")
    return (affirmative if is_true else negative).strip()


def _format_placeholder(path: str, quantity: Quantity, phrase: str = "") -> str:
    """Return a placeholder that prints a stated number in a suitable unit, or an empty string."""
    unit = _choose_unit(quantity, path, phrase)
    if quantity.kind is QuantityKind.DISPUTED:
        return f"{{{path}.low|{unit}}} to {{{path}.high|{unit}}}"
    if quantity.kind not in {QuantityKind.GIVEN, QuantityKind.ASSUMED} or not quantity.is_number:
        return ""
    return f"{{{path}|{unit}}}"


def _choose_unit(quantity: Quantity, path: str, phrase: str) -> str:
    """Return the unit of a number: as written, or centimetres, grams or per cent for small values."""
    unit_text, value = (
        quantity.display_unit.text if quantity.display_unit is not None else "plain",
        quantity.value,
    )
    size = abs(value) if isinstance(value, int | float) else 0.0
    if path.rpartition(".")[2] in SIZES and unit_text == "m" and size < _CENTIMETRES_BELOW:
        return "mm" if size < _MILLIMETRES_BELOW else "cm"
    if unit_text == "kg" and size < _GRAMS_BELOW:
        return "g"
    if unit_text == "plain" and 0 < size <= 1 and _SHARE.search(phrase):
        return "percent"
    return unit_text


def _parse_quantities(lines: object) -> Iterator[Quantity]:
    try:
        for line in split_lines(lines):
            if (found := _parse_quantity(line)) is not None:
                yield found
    except LineError:
        return  # the check reports it with its position


def _parse_quantity(line: str) -> Quantity | None:
    try:
        parse_line(line, example="rim = 3.6[m]")
        return parse_quantity(line)
    except (LineError, UnitError):
        return None


def _describe_materials(library_row: object) -> str:
    thing = load_everyday_objects().get(str(library_row))
    return " and ".join(name.replace("_", " ") for name in thing.materials) if thing is not None else ""


def _capitalize_first_letter(text: str) -> str:
    return text[:1].upper() + text[1:]
