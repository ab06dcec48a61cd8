"""A deliverable as a nested list of its non-empty fields, in the order of their definition."""

from __future__ import annotations

from collections.abc import Iterator, Set
from enum import Enum

from pydantic import BaseModel

from impossible_moments.domain.difficulty import Profile
from impossible_moments.scenarios.markdown import inline


def outline(model: BaseModel, *, without: Set[str] = frozenset()) -> str:
    """Render a model as a nested list. `without` names fields that are left out."""
    return "\n".join(_fields(model, 0, without))


def _fields(model: BaseModel, depth: int, without: Set[str] = frozenset()) -> Iterator[str]:
    for name in type(model).model_fields:
        value = getattr(model, name)
        if name not in without and not _empty(value):
            yield from _entry(_words(name), value, depth)


def _entry(name: str, value: object, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if _plain(value):
        yield f"{indent}- {name}: {_text(value)}"
        return
    yield f"{indent}- {name}:"
    match value:
        case BaseModel():
            yield from _fields(value, depth + 1)
        case dict():
            for key, each in value.items():
                yield from _entry(inline(str(key)), each, depth + 1)
        case tuple() | list():
            for each in value:
                yield from _item(each, depth + 1)


def _item(value: object, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if not isinstance(value, BaseModel):
        yield f"{indent}- {_text(value)}"
        return
    said = [(name, getattr(value, name)) for name in type(value).model_fields]
    said = [(name, each) for name, each in said if not _empty(each)]
    yield f"{indent}- {'; '.join(f'{_words(name)}: {_text(each)}' for name, each in said if _plain(each))}"
    for name, each in said:
        if not _plain(each):
            yield from _entry(_words(name), each, depth + 1)


def _plain(value: object) -> bool:
    return isinstance(value, Profile) or not isinstance(value, BaseModel | dict | tuple | list)


def _empty(value: object) -> bool:
    return value is None or (isinstance(value, str | tuple | list | dict) and not value)


def _words(name: str) -> str:
    return name if name.isupper() else name.replace("_", " ").capitalize()


def _text(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case Enum():
            return str(value.value)
        case _:
            return inline(str(value))
