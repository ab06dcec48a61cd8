"""The differences between two versions of a seed document, in words."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Final

from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.records import split_lines

_KEYS: Final = ("claim_id", "name", "feature", "parameter", "answer", "do", "text", "action", "situation")
"""Fields that identify an element of a list, in the order in which they are tried."""
_LONGEST_QUOTED: Final = 90
_WHOLE_LINES: Final = frozenset({"quantities", "props"})
"""Lists of the record whose elements are lines `name = value`."""
_NOT_COMPARED: Final = frozenset({"prose"})
"""Parts of the record that only repeat what the scenario prints."""


def describe_seed_differences(before: SeedDocument, after: SeedDocument) -> tuple[str, ...]:
    """Return a line for each changed, added or removed value, in the order of the newer document."""
    old, new = (dict(_iterate_leaves("", each.model_dump(mode="json"))) for each in (before, after))
    lines = [
        _describe_change(path, old.get(path), value) for path, value in new.items() if old.get(path) != value
    ]
    lines += [f"{path}: removed ({_quote(value)})" for path, value in old.items() if path not in new]
    return tuple(lines)


def _describe_change(path: str, before: str | None, after: str) -> str:
    if before is None:
        return f"{path}: added ({_quote(after)})"
    if max(len(before), len(after)) <= _LONGEST_QUOTED:
        return f"{path}: {before or 'nothing'} became {after or 'nothing'}"
    old, new = before.split(), after.split()
    kept = sum(
        block.size for block in difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    )
    return f"{path}: {len(new) - kept} of {len(new)} words are new, {len(old) - kept} of {len(old)} are gone"


def _quote(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED].rpartition(' ')[0]} …"


def _iterate_leaves(path: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield the values of a document with a path in words."""
    match value:
        case Mapping():
            for name, inner in value.items():
                if name not in _NOT_COMPARED:
                    yield from _iterate_leaves(_join(path, str(name).replace("_", " ")), inner)
        case list() | tuple():
            last = path.rpartition(", ")[2]
            for number, inner in enumerate(value, 1):
                yield from _iterate_element(path, inner, number, is_line=last in _WHOLE_LINES)
        case str() if path.rpartition(", ")[2] in _WHOLE_LINES:
            yield from _iterate_leaves(path, split_lines(value))
        case None:
            return
        case _:
            yield path, str(value)


def _iterate_element(path: str, value: object, number: int, *, is_line: bool) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        key = next((name for name in _KEYS if value.get(name)), "")
        rest = {name: inner for name, inner in value.items() if name != key}
        label = _join(path, _quote(str(value[key])) if key else str(number))
        if not any(rest.values()):
            yield label, str(value.get(key, ""))
        yield from _iterate_leaves(label, rest)
    elif is_line:
        name, _, text = str(value).partition("=")
        yield _join(path, name.strip()), text.strip()
    else:
        yield from _iterate_leaves(_join(path, str(number)), value)


def _join(path: str, name: str) -> str:
    return f"{path}, {name}" if path else name.capitalize()
