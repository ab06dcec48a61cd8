"""Structure of the record model: the forms that a field may hold, and the places that have a given field."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from impossible_moments.mechanics.records.base_form import BaseForm
from impossible_moments.mechanics.records.record import Record


def list_forms_in_annotation(annotation: object) -> tuple[type[BaseForm], ...]:
    """Return the forms that a field may hold, directly or as entries. A tagged union has more than one."""
    if isinstance(annotation, type) and issubclass(annotation, BaseForm):
        return (annotation,)
    return tuple(form for argument in get_args(annotation) for form in list_forms_in_annotation(argument))


def list_field_choices(field: FieldInfo | None) -> tuple[str, ...]:
    """Return the allowed values of a `Literal` field, or an empty tuple for other fields."""
    return tuple(map(str, get_args(field.annotation))) if field and _is_literal_field(field) else ()


def _is_literal_field(field: FieldInfo) -> bool:
    return get_origin(field.annotation) is Literal


def find_tag_field(forms: tuple[type[BaseForm], ...]) -> tuple[str, tuple[str, ...]]:
    """Return the name of the field that selects one of several forms, and its values in order."""
    name = next(
        name for name, field in forms[0].model_fields.items()
        if _is_literal_field(field) and all(name in form.model_fields for form in forms)
    )  # fmt: skip
    return name, tuple(tag for form in forms for tag in list_field_choices(form.model_fields[name]))


def select_form_by_tag(forms: tuple[type[BaseForm], ...], tag: str) -> type[BaseForm]:
    """Return the form that a tag value selects."""
    name, _ = find_tag_field(forms)
    return next(form for form in forms if tag in list_field_choices(form.model_fields[name]))


def describe_form_position_in_record(form: type[BaseForm]) -> str:
    """Describe the place of a form in the record, such as the top level or an entry of `things`."""
    return _describe_positions_of_all_forms()[form]


def list_record_positions_with_field(name: str) -> list[str]:
    """Describe every place in the record that has a field of this name."""
    return [
        phrase for form, phrase in _describe_positions_of_all_forms().items() if name in form.model_fields
    ]


@cache
def _describe_positions_of_all_forms() -> dict[type[BaseForm], str]:
    return {Record: "the top level", **dict(_describe_positions_of_forms_under(Record))}


def _describe_positions_of_forms_under(parent: type[BaseForm]) -> Iterator[tuple[type[BaseForm], str]]:
    for name, field in parent.model_fields.items():
        forms = list_forms_in_annotation(field.annotation)
        phrase = f"an entry of `{name}`" if get_origin(field.annotation) is list else f"`{name}`"
        for form in forms:
            if len(forms) > 1:
                tag, _ = find_tag_field(forms)
                yield form, f"{phrase} of {tag} {', '.join(list_field_choices(form.model_fields[tag]))}"
            else:
                yield form, phrase
            yield from _describe_positions_of_forms_under(form)


def list_record_forms() -> tuple[type[BaseForm], ...]:
    """Return every form of the record, starting with `Record`."""
    return tuple(_describe_positions_of_all_forms())
