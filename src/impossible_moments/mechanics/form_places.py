"""The places of the written form: which forms stand in which field, and where a field name is at home."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from impossible_moments.mechanics.form import Form
from impossible_moments.mechanics.record import Record


def forms_in(annotation: object) -> tuple[type[Form], ...]:
    """The forms a field may hold, itself or as entries; more than one where a tag picks."""
    if isinstance(annotation, type) and issubclass(annotation, Form):
        return (annotation,)
    return tuple(form for argument in get_args(annotation) for form in forms_in(argument))


def choices(field: FieldInfo | None) -> tuple[str, ...]:
    """The values a field with a closed list may have."""
    return tuple(map(str, get_args(field.annotation))) if field and _is_closed(field) else ()


def _is_closed(field: FieldInfo) -> bool:
    return get_origin(field.annotation) is Literal


def tags_of(forms: tuple[type[Form], ...]) -> tuple[str, tuple[str, ...]]:
    """The field that picks one of several forms, and its values in order."""
    name = next(
        name for name, field in forms[0].model_fields.items()
        if _is_closed(field) and all(name in form.model_fields for form in forms)
    )  # fmt: skip
    return name, tuple(tag for form in forms for tag in choices(form.model_fields[name]))


def with_tag(forms: tuple[type[Form], ...], tag: str) -> type[Form]:
    """The form that a tag picks."""
    name, _ = tags_of(forms)
    return next(form for form in forms if tag in choices(form.model_fields[name]))


def phrase_for(form: type[Form]) -> str:
    """Words for the place where a form stands: the top level, an entry of `things`."""
    return _phrases()[form]


def homes_of(name: str) -> list[str]:
    """Words for every place that has a field of this name."""
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
    """Every form of the record, the record first."""
    return tuple(_phrases())
