"""Structure of the record model: the forms that a field may hold, and the places that have a given field."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from impossible_moments.mechanics.form import Form
from impossible_moments.mechanics.record import Record


def forms_in(annotation: object) -> tuple[type[Form], ...]:
    """Return the forms that a field may hold, directly or as entries. A tagged union has more than one."""
    if isinstance(annotation, type) and issubclass(annotation, Form):
        return (annotation,)
    return tuple(form for argument in get_args(annotation) for form in forms_in(argument))


def choices(field: FieldInfo | None) -> tuple[str, ...]:
    """Return the allowed values of a `Literal` field, or an empty tuple for other fields."""
    return tuple(map(str, get_args(field.annotation))) if field and _is_closed(field) else ()


def _is_closed(field: FieldInfo) -> bool:
    return get_origin(field.annotation) is Literal


def tags_of(forms: tuple[type[Form], ...]) -> tuple[str, tuple[str, ...]]:
    """Return the name of the field that selects one of several forms, and its values in order."""
    name = next(
        name for name, field in forms[0].model_fields.items()
        if _is_closed(field) and all(name in form.model_fields for form in forms)
    )  # fmt: skip
    return name, tuple(tag for form in forms for tag in choices(form.model_fields[name]))


def with_tag(forms: tuple[type[Form], ...], tag: str) -> type[Form]:
    """Return the form that a tag value selects."""
    name, _ = tags_of(forms)
    return next(form for form in forms if tag in choices(form.model_fields[name]))


def phrase_for(form: type[Form]) -> str:
    """Describe the place of a form in the record, such as the top level or an entry of `things`."""
    return _phrases()[form]


def homes_of(name: str) -> list[str]:
    """Describe every place in the record that has a field of this name."""
    return [phrase for form, phrase in _phrases().items() if name in form.model_fields]


@cache
def _phrases() -> dict[type[Form], str]:
    return {Record: "the top level", **dict(_phrases_under(Record))}


def _phrases_under(parent: type[Form]) -> Iterator[tuple[type[Form], str]]:
    for name, field in parent.model_fields.items():
        forms = forms_in(field.annotation)
        phrase = f"an entry of `{name}`" if get_origin(field.annotation) is list else f"`{name}`"
        for form in forms:
            if len(forms) > 1:
                tag, _ = tags_of(forms)
                yield form, f"{phrase} of {tag} {', '.join(choices(form.model_fields[tag]))}"
            else:
                yield form, phrase
            yield from _phrases_under(form)


def all_forms() -> tuple[type[Form], ...]:
    """Return every form of the record, starting with `Record`."""
    return tuple(_phrases())
