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

from impossible_moments.mechanics.findings.finding import Findings, shorten_text
from impossible_moments.mechanics.records.base_form import BaseForm
from impossible_moments.mechanics.records.document_values import describe_data_type, format_short_text
from impossible_moments.mechanics.records.form_structure import (
    describe_form_position_in_record,
    find_tag_field,
    list_field_choices,
    list_forms_in_annotation,
    list_record_positions_with_field,
    select_form_by_tag,
)
from impossible_moments.mechanics.records.record import Record

MAX_FINDINGS: Final = 60
_LONGEST_PART: Final = 60
_ABSENT: Final = object()
_TAG_DESCRIPTIONS: Final = {"KS-Singular": "KS-Singular (one way)"}
_EXPECTED_VALUES: Final = {
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


def parse_record(data: object, findings: Findings) -> Record | None:
    """Parse a record from data. Return None if it does not fit the model, with a finding for every fault."""
    try:
        return Record.model_validate(data)
    except ValidationError as problem:
        faults = problem.errors(include_url=False)
    reported = len(faults) if len(faults) <= MAX_FINDINGS else MAX_FINDINGS - 1
    for fault in faults[:reported]:
        _report_fault(fault, _locate_fault(fault["loc"], data), findings)
    if reported < len(faults):
        findings.add(
            "shape.value", "/", f"{len(faults) - reported} more places have the wrong form; fix these first"
        )
    return None


@dataclass(frozen=True, slots=True)
class _FaultPlace:
    """Place of a fault: JSON pointer, label for messages, and the form and field that define its value."""

    pointer: str
    label: str
    form: type[BaseForm]
    field: FieldInfo | None
    value: object
    parent: object


def _locate_fault(loc: Sequence[str | int], data: object) -> _FaultPlace:
    parts: list[str] = []
    label, field, value, parent = "the record", None, data, data
    form: type[BaseForm] = Record
    forms: tuple[type[BaseForm], ...] = (Record,)
    for part in loc:
        if isinstance(part, int) and isinstance(value, list):
            parts.append(_label_list_entry(value, part))
            label, value = f"an entry of {label}", _get_nested_value(value, part)
        elif len(forms) > 1:  # not a place, but the tag value that selected one of several forms
            forms = (select_form_by_tag(forms, str(part)),)
        else:
            parts.append(format_short_text(str(part), _LONGEST_PART).replace("~", "~0").replace("/", "~1"))
            form = forms[0] if forms else form
            field, label = form.model_fields.get(str(part)), f"`{format_short_text(str(part))}`"
            value, parent = _get_nested_value(value, part), value
            forms = list_forms_in_annotation(field.annotation) if field else ()
    return _FaultPlace("/" + "/".join(parts), label, form, field, value, parent)


def _label_list_entry(entries: object, at: int) -> str:
    """Return the name of a list entry if it is unique and short, else its index."""
    names = [_get_nested_value(entry, "name") for entry in entries] if isinstance(entries, list) else []
    name = names[at] if at < len(names) else None
    named = (
        isinstance(name, str)
        and name.isidentifier()
        and len(name) <= _LONGEST_PART
        and names.count(name) == 1
    )
    return str(name) if named else str(at)


def _get_nested_value(value: object, part: str | int) -> object:
    match value, part:
        case dict(), _:
            return value.get(part, _ABSENT)
        case list(), int() if part < len(value):
            return value[part]
        case _:
            return _ABSENT


def _report_fault(fault: ErrorDetails, place: _FaultPlace, findings: Findings) -> None:
    match fault["type"]:
        case "missing":
            findings.add(
                "shape.missing",
                place.pointer,
                f"{place.label} is missing",
                expected=_format_field_hint(place.field),
            )
        case "extra_forbidden" | "invalid_key":
            message = f"{place.label} is not a field of {describe_form_position_in_record(place.form)}"
            found = _format_found_value(place.value)
            findings.add(
                "shape.unknown-field", place.pointer, message, found=found, expected=_suggest_field(place)
            )
        case "union_tag_not_found" | "union_tag_invalid":
            _report_tag_fault(place, findings)
        case kind:
            message = _describe_fault(kind, fault.get("ctx", {}), place)
            findings.add(
                "shape.value",
                place.pointer,
                message,
                found=_format_found_value(place.value),
                expected=_describe_expected_value(kind, place),
            )


def _report_tag_fault(place: _FaultPlace, findings: Findings) -> None:
    """Report a missing or unknown value of the field that selects a form, `claim` or `kind`."""
    forms = list_forms_in_annotation(place.field.annotation) if place.field else ()
    name, tags = find_tag_field(forms)
    path, value = f"{place.pointer}/{name}", _get_nested_value(place.value, name)
    expected = f"one of {', '.join(_TAG_DESCRIPTIONS.get(tag, tag) for tag in tags)}"
    if value is _ABSENT:
        findings.add("shape.missing", path, f"`{name}` is missing", expected=expected)
    else:
        message = f"`{name}` is not one of its {len(tags)} values"
        findings.add("shape.value", path, message, found=_format_found_value(value), expected=expected)


def _describe_fault(kind: str, limits: dict[str, object], place: _FaultPlace) -> str:
    """Return a sentence on what is wrong with a value. `limits` is the context of the pydantic error."""
    label, value = place.label, place.value
    size = len(value) if isinstance(value, str | list) else limits.get("actual_length")
    match kind:
        case _ if kind in _EXPECTED_VALUES:
            return f"{label} is {describe_data_type(value)}, but must be {_EXPECTED_VALUES[kind]}"
        case "value_error":
            return str(limits.get("error", f"{label} cannot be parsed")).partition("; found ")[0]
        case "literal_error":
            close = get_close_matches(str(value), list_field_choices(place.field), 1)
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


def _describe_expected_value(kind: str, place: _FaultPlace) -> str:
    hint = _format_field_hint(place.field)
    match kind, place.value:
        case "string_type", int() | float():
            return f"put it in quotes to make it text. {hint}"
        case "string_type", dict() | list():
            return f"put text that begins with {{ or [ in quotes. {hint}"
        case "literal_error", _:
            return f"one of {', '.join(list_field_choices(place.field))}"
        case (("model_type" | "model_attributes_type"), _):
            return _describe_expected_fields(
                list_forms_in_annotation(place.field.annotation) if place.field else (Record,)
            )
        case _:
            return hint


def _describe_expected_fields(forms: tuple[type[BaseForm], ...]) -> str:
    if len(forms) == 1:
        return f"a map with the fields {', '.join(forms[0].model_fields)}"
    name, tags = find_tag_field(forms)
    return f"a map in which `{name}` is one of {', '.join(tags)}"


def _format_field_hint(field: FieldInfo | None) -> str:
    """Return the description of a field, shortened to fit, and its first example."""
    if field is None:
        return ""
    example = shorten_text(json.dumps((field.examples or [None])[0], ensure_ascii=False), 140)
    return f"{shorten_text(field.description or '', 240 - len(example))} e.g. {example}"


def _suggest_field(place: _FaultPlace) -> str:
    """Suggest a similar field for an unknown one, or the places that have a field of this name."""
    name = place.pointer.rpartition("/")[2]
    free = [each for each in place.form.model_fields if _get_nested_value(place.parent, each) is _ABSENT]
    close = get_close_matches(name, free, 1, 0.75)
    homes = list_record_positions_with_field(name)
    if not close and not homes:
        return f"the fields here are {', '.join(place.form.model_fields)}"
    ideas = [f"did you mean `{close[0]}`?"] if close else []
    return " ".join([*ideas, f"it belongs to {', or '.join(homes[:3])}"] if homes else ideas)


def _format_found_value(value: object) -> str:
    match value:
        case str():
            return format_short_text(value, 160)
        case None | bool() | int() | float():
            return json.dumps(value)
        case dict() if value:
            return f"a map with {', '.join(format_short_text(str(key)) for key in list(value)[:8])}"
        case list() | tuple() if value:
            return f"a list of {len(value)}"
        case dict() | list() | tuple():
            return f"{describe_data_type(value)} with nothing in it"
        case _:
            return ""
