"""Validation of data against the record model, with a finding for every fault."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from impossible_moments.mechanics.document_values import excerpt, in_words
from impossible_moments.mechanics.findings import Findings, shortened
from impossible_moments.mechanics.form import Form
from impossible_moments.mechanics.form_places import (
    choices,
    forms_in,
    homes_of,
    phrase_for,
    tags_of,
    with_tag,
)
from impossible_moments.mechanics.record import Record

MAX_FINDINGS: Final = 60
_LONGEST_PART: Final = 60
_ABSENT: Final = object()
_GLOSSES: Final = {"KS-Singular": "KS-Singular (one way)"}
_WANTED: Final = {
    "string_type": "text",
    "string_unicode": "text",
    "list_type": "a list",
    "model_type": "a map of fields",
    "model_attributes_type": "a map of fields",
    "dict_type": "a map of fields",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
}


def read_record(data: object, findings: Findings) -> Record | None:
    """Parse a record from data. Return None if it does not fit the model, with a finding for every fault."""
    try:
        return Record.model_validate(data)
    except ValidationError as problem:
        faults = problem.errors(include_url=False)
    reported = len(faults) if len(faults) <= MAX_FINDINGS else MAX_FINDINGS - 1
    for fault in faults[:reported]:
        _tell(fault, _place(fault["loc"], data), findings)
    if reported < len(faults):
        findings.add(
            "shape.value", "/", f"{len(faults) - reported} more places have the wrong form; fix these first"
        )
    return None


@dataclass(frozen=True, slots=True)
class _Place:
    """Place of a fault: JSON pointer, label for messages, and the form and field that define its value."""

    pointer: str
    label: str
    form: type[Form]
    field: FieldInfo | None
    value: object
    around: object


def _place(loc: Sequence[str | int], data: object) -> _Place:
    parts: list[str] = []
    label, field, value, around = "the record", None, data, data
    form: type[Form] = Record
    forms: tuple[type[Form], ...] = (Record,)
    for part in loc:
        if isinstance(part, int) and isinstance(value, list):
            parts.append(_entry(value, part))
            label, value = f"an entry of {label}", _inside(value, part)
        elif len(forms) > 1:  # not a place, but the tag value that selected one of several forms
            forms = (with_tag(forms, str(part)),)
        else:
            parts.append(excerpt(str(part), _LONGEST_PART).replace("~", "~0").replace("/", "~1"))
            form = forms[0] if forms else form
            field, label = form.model_fields.get(str(part)), f"`{excerpt(str(part))}`"
            value, around = _inside(value, part), value
            forms = forms_in(field.annotation) if field else ()
    return _Place("/" + "/".join(parts), label, form, field, value, around)


def _entry(entries: object, at: int) -> str:
    """Return the name of a list entry if it is unique and short, else its index."""
    names = [_inside(entry, "name") for entry in entries] if isinstance(entries, list) else []
    name = names[at] if at < len(names) else None
    named = (
        isinstance(name, str)
        and name.isidentifier()
        and len(name) <= _LONGEST_PART
        and names.count(name) == 1
    )
    return str(name) if named else str(at)


def _inside(value: object, part: str | int) -> object:
    match value, part:
        case dict(), _:
            return value.get(part, _ABSENT)
        case list(), int() if part < len(value):
            return value[part]
        case _:
            return _ABSENT


def _tell(fault: ErrorDetails, place: _Place, findings: Findings) -> None:
    match fault["type"]:
        case "missing":
            findings.add(
                "shape.missing", place.pointer, f"{place.label} is missing", expected=_hint(place.field)
            )
        case "extra_forbidden" | "invalid_key":
            what = f"{place.label} is not a field of {phrase_for(place.form)}"
            found = _shown(place.value)
            findings.add("shape.unknown-field", place.pointer, what, found=found, expected=_suggestion(place))
        case "union_tag_not_found" | "union_tag_invalid":
            _tell_tag(place, findings)
        case kind:
            what = _wrong(kind, fault.get("ctx", {}), place)
            findings.add(
                "shape.value", place.pointer, what, found=_shown(place.value), expected=_expected(kind, place)
            )


def _tell_tag(place: _Place, findings: Findings) -> None:
    """Report a missing or unknown value of the field that selects a form, `claim` or `kind`."""
    forms = forms_in(place.field.annotation) if place.field else ()
    name, tags = tags_of(forms)
    where, value = f"{place.pointer}/{name}", _inside(place.value, name)
    expected = f"one of {', '.join(_GLOSSES.get(tag, tag) for tag in tags)}"
    if value is _ABSENT:
        findings.add("shape.missing", where, f"`{name}` is missing", expected=expected)
    else:
        what = f"`{name}` is not one of its {len(tags)} values"
        findings.add("shape.value", where, what, found=_shown(value), expected=expected)


def _wrong(kind: str, limits: dict[str, object], place: _Place) -> str:
    """Return a sentence on what is wrong with a value. `limits` is the context of the pydantic error."""
    label, value = place.label, place.value
    size = len(value) if isinstance(value, str | list) else limits.get("actual_length")
    match kind:
        case _ if kind in _WANTED:
            return f"{label} is {in_words(value)}, but must be {_WANTED[kind]}"
        case "value_error":
            return str(limits.get("error", f"{label} cannot be parsed")).partition("; found ")[0]
        case "literal_error":
            close = get_close_matches(str(value), choices(place.field), 1)
            return f"{label} is not one of its allowed values" + (
                f"; did you mean {close[0]}?" if close else ""
            )
        case "string_too_short":
            return f"{label} is empty"
        case "string_too_long":
            return f"{label} has {size} characters; at most {limits['max_length']} are allowed"
        case "string_pattern_mismatch":
            return (
                f"{label} is not a name; a name has letters, digits and underscores and begins with a letter"
            )
        case "too_short":
            return f"{label} has too few entries; at least {limits['min_length']} are required"
        case "too_long":
            return f"{label} has {size} entries; at most {limits['max_length']} are allowed"
        case "greater_than_equal":
            return f"{label} is too small; it must be at least {limits['ge']}"
        case "less_than_equal":
            return f"{label} is too large; it must be at most {limits['le']}"
        case _:
            return f"{label} does not have the form that its description gives"


def _expected(kind: str, place: _Place) -> str:
    hint = _hint(place.field)
    match kind, place.value:
        case "string_type", int() | float():
            return f"put it in quotes to make it text. {hint}"
        case "string_type", dict() | list():
            return f"put text that begins with {{ or [ in quotes. {hint}"
        case "literal_error", _:
            return f"one of {', '.join(choices(place.field))}"
        case (("model_type" | "model_attributes_type"), _):
            return _fields(forms_in(place.field.annotation) if place.field else (Record,))
        case _:
            return hint


def _fields(forms: tuple[type[Form], ...]) -> str:
    if len(forms) == 1:
        return f"a map with the fields {', '.join(forms[0].model_fields)}"
    name, tags = tags_of(forms)
    return f"a map in which `{name}` is one of {', '.join(tags)}"


def _hint(field: FieldInfo | None) -> str:
    """Return the description of a field, shortened to fit, and its first example."""
    if field is None:
        return ""
    example = shortened(json.dumps((field.examples or [None])[0], ensure_ascii=False), 140)
    return f"{shortened(field.description or '', 240 - len(example))} e.g. {example}"


def _suggestion(place: _Place) -> str:
    """Suggest a similar field for an unknown one, or the places that have a field of this name."""
    name = place.pointer.rpartition("/")[2]
    free = [each for each in place.form.model_fields if _inside(place.around, each) is _ABSENT]
    close = get_close_matches(name, free, 1, 0.75)
    homes = homes_of(name)
    if not close and not homes:
        return f"the fields here are {', '.join(place.form.model_fields)}"
    ideas = [f"did you mean `{close[0]}`?"] if close else []
    return " ".join([*ideas, f"it belongs to {', or '.join(homes[:3])}"] if homes else ideas)


def _shown(value: object) -> str:
    match value:
        case str():
            return excerpt(value, 160)
        case None | bool() | int() | float():
            return json.dumps(value)
        case dict() if value:
            return f"a map with {', '.join(excerpt(str(key)) for key in list(value)[:8])}"
        case list() | tuple() if value:
            return f"a list of {len(value)}"
        case dict() | list() | tuple():
            return f"{in_words(value)} with nothing in it"
        case _:
            return ""
