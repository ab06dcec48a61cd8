"""Edits: small changes of a record in normal form, each of which fails if it changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from support.golden_records import Data

Edit: TypeAlias = Callable[[Data], None]


def swap(path: str, old: str, new: str) -> Edit:
    """Write `new` for `old` wherever it stands in the texts under a path."""

    def edit(data: Data) -> None:
        holder, key = _place(data, path)
        before = holder[key]
        holder[key] = _swapped(before, old, new)
        if holder[key] == before:
            raise LookupError(f"`{old}` does not stand in {path}")

    return edit


def put(path: str, value: object) -> Edit:
    """Put a value in the place of whatever stands at a path."""

    def edit(data: Data) -> None:
        holder, key = _place(data, path)
        if holder[key] == value:
            raise LookupError(f"{path} is {value!r} already")
        holder[key] = value

    return edit


def add(path: str, *values: object) -> Edit:
    """Add values to the list at a path."""

    def edit(data: Data) -> None:
        holder, key = _place(data, path)
        holder[key] = [*(holder[key] or []), *values]

    return edit


def drop(path: str) -> Edit:
    """Take away what stands at a path: a field, a line, or an entry of a list."""

    def edit(data: Data) -> None:
        holder, key = _place(data, path)
        del holder[key]

    return edit


def rename(path: str, name: str) -> Edit:
    """Give the field at a path another name."""

    def edit(data: Data) -> None:
        holder, key = _place(data, path)
        holder[name] = holder.pop(key)

    return edit


def all_of(*edits: Edit) -> Edit:
    """Several edits, one after the other."""

    def edit(data: Data) -> None:
        for each in edits:
            each(data)

    return edit


def _place(data: Data, path: str) -> tuple[Any, Any]:
    """The map or list that holds the last part of a path, and its key there."""
    holder: Any = data
    *parts, last = path.split("/")
    for part in parts:
        holder = holder[_key(holder, part, path)]
    return holder, _key(holder, last, path)


def _key(holder: Any, part: str, path: str) -> Any:
    """A key of a map; in a list the place of the entry with that name, verb, head or text."""
    if isinstance(holder, dict):
        if part not in holder:
            raise LookupError(f"{path}: there is no `{part}`")
        return part
    found = [at for at, entry in enumerate(holder) if part in _names(entry)]
    if len(found) != 1:
        raise LookupError(f"{path}: {len(found)} entries are called `{part}`")
    return found[0]


def _names(entry: object) -> tuple[str, ...]:
    if isinstance(entry, dict):
        return (str(entry.get("name", "")), str(entry.get("do", "")).partition("(")[0])
    return (str(entry), str(entry).partition("=")[0].strip())


def _swapped(value: Any, old: str, new: str) -> Any:
    match value:
        case str():
            return value.replace(old, new)
        case list():
            return [_swapped(item, old, new) for item in value]
        case dict():
            return {key: _swapped(item, old, new) for key, item in value.items()}
        case _:
            return value
