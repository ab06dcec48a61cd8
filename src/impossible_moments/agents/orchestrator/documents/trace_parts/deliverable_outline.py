"""A deliverable as a nested list of its non-empty fields, in the order of their definition."""

from __future__ import annotations

from collections.abc import Iterator, Set
from enum import Enum

from pydantic import BaseModel

from impossible_moments.domain.difficulty import Profile
from impossible_moments.scenarios import escape_inline


def render_deliverable_outline(model: BaseModel, *, omitted_fields: Set[str] = frozenset()) -> str:
    """Render a model as a nested list. `omitted_fields` names fields that are left out."""
    return "\n".join(_outline_model_fields(model, 0, omitted_fields))


def _outline_model_fields(
    model: BaseModel, depth: int, omitted_fields: Set[str] = frozenset()
) -> Iterator[str]:
    for name in type(model).model_fields:
        value = getattr(model, name)
        if name not in omitted_fields and not _is_empty_value(value):
            yield from _outline_named_value(_format_field_name(name), value, depth)


def _outline_named_value(name: str, value: object, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if _is_plain_value(value):
        yield f"{indent}- {name}: {_format_value(value)}"
        return
    yield f"{indent}- {name}:"
    match value:
        case BaseModel():
            yield from _outline_model_fields(value, depth + 1)
        case dict():
            for key, each in value.items():
                yield from _outline_named_value(escape_inline(str(key)), each, depth + 1)
        case tuple() | list():
            for each in value:
                yield from _outline_list_element(each, depth + 1)


def _outline_list_element(value: object, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if not isinstance(value, BaseModel):
        yield f"{indent}- {_format_value(value)}"
        return
    field_values = [(name, getattr(value, name)) for name in type(value).model_fields]
    field_values = [(name, each) for name, each in field_values if not _is_empty_value(each)]
    yield f"{indent}- {'; '.join(f'{_format_field_name(name)}: {_format_value(each)}' for name, each in field_values if _is_plain_value(each))}"
    for name, each in field_values:
        if not _is_plain_value(each):
            yield from _outline_named_value(_format_field_name(name), each, depth + 1)


def _is_plain_value(value: object) -> bool:
    return isinstance(value, Profile) or not isinstance(value, BaseModel | dict | tuple | list)


def _is_empty_value(value: object) -> bool:
    return value is None or (isinstance(value, str | tuple | list | dict) and not value)


def _format_field_name(name: str) -> str:
    return name if name.isupper() else name.replace("_", " ").capitalize()


def _format_value(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case Enum():
            return str(value.value)
        case _:
            return escape_inline(str(value))
