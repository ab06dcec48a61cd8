"""Application of a seed revision: operations at JSON pointers, with entries of lists by number or by name."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.seed_revision import RevisionOperation, SeedRevision

END: Final = "-"
_NAME_FIELDS: Final = ("name", "claim_id", "parameter", "feature")
_HEAD: Final = re.compile(r"^\s*([^=(]+?)\s*(?:\(|=|$)")
_MOST_NAMES: Final = 12


class PatchError(ValueError):
    """An operation that cannot be applied, with its number, its path and what to change."""


def apply_seed_revision(seed: Mapping[str, Any], revision: SeedRevision) -> SeedDocument:
    """Return the seed document after all operations of a revision.

    Raise `PatchError` if an operation cannot be applied, or if the result is not a seed document.
    """
    data: dict[str, Any] = copy.deepcopy(dict(seed))
    for number, operation in enumerate(revision.operations):
        try:
            _apply_operation(data, operation)
        except PatchError as problem:
            raise PatchError(f"operations/{number} ({operation.op} {operation.path}): {problem}") from None
    if isinstance(data.get("solution_sketch"), dict):
        data["solution_sketch"]["confidence"] = revision.confidence
    try:
        return SeedDocument.model_validate(data)
    except ValidationError as problem:
        faults = problem.errors(include_url=False, include_input=False)
        places = "; ".join(
            f"/{'/'.join(map(str, each['loc']))}: {each['msg']}" for each in faults[:_MOST_NAMES]
        )
        raise PatchError(
            f"the operations were applied, and the result is not a seed document: {places}. Change the operations that set these places."
        ) from None


def _apply_operation(data: dict[str, Any], operation: RevisionOperation) -> None:
    tokens = parse_pointer(operation.path)
    if not tokens:
        raise PatchError("the path is empty; name a field, such as /scenario/threat")
    parent: Any = data
    for depth, token in enumerate(tokens[:-1]):
        parent = _get_member(parent, token, tokens[:depth])
    last, place = tokens[-1], tokens[:-1]
    match operation.op:
        case "remove":
            _get_member(parent, last, place)
            del parent[_find_key(parent, last, place)]
        case "replace":
            current = _get_member(parent, last, place)
            value = operation.value
            if operation.passage:
                value = _replace_passage(current, operation.passage, value)
            parent[_find_key(parent, last, place)] = value
        case "add":
            _add_member(parent, last, operation.value, place)


def parse_pointer(path: str) -> tuple[str, ...]:
    """Split a JSON pointer into its unescaped parts."""
    parts = path.strip().removeprefix("/").split("/") if path.strip().strip("/") else []
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)


def _add_member(parent: Any, token: str, value: Any, place: Sequence[str]) -> None:  # noqa: ANN401 - plain data
    if isinstance(parent, dict):
        if token in parent and isinstance(parent[token], list) and not isinstance(value, list):
            raise PatchError(f"{_format_place((*place, token))} is a list; add the entry at {token}/-")
        parent[token] = value
        return
    if not isinstance(parent, list):
        raise PatchError(f"{_format_place(place)} is a single value and has no members; replace it")
    if token == END:
        parent.append(value)
    elif token.isdecimal() and int(token) <= len(parent):
        parent.insert(int(token), value)
    else:
        raise PatchError(
            f"an entry is added at a number from 0 to {len(parent)}, or at - for the end, not at `{token}`"
        )


def _get_member(parent: Any, token: str, place: Sequence[str]) -> Any:  # noqa: ANN401 - plain data
    return parent[_find_key(parent, token, place)]


def _find_key(parent: Any, token: str, place: Sequence[str]) -> Any:  # noqa: ANN401 - a key or a position
    if isinstance(parent, dict):
        if token in parent:
            return token
        raise PatchError(
            f"{_format_place(place)} has no field `{token}`; it has {_format_names(list(parent))}"
        )
    if not isinstance(parent, list):
        raise PatchError(f"{_format_place(place)} is a single value and has no `{token}`; end the path there")
    if token.isdecimal():
        if int(token) < len(parent):
            return int(token)
        raise PatchError(
            f"{_format_place(place)} has {len(parent)} entries, counted from 0, and no entry {token}"
        )
    names = [_get_entry_name(entry) for entry in parent]
    found = [position for position, name in enumerate(names) if name == token]
    if len(found) == 1:
        return found[0]
    problem = "no entry" if not found else f"{len(found)} entries"
    raise PatchError(
        f"{_format_place(place)} has {problem} named `{token}`; give a number from 0 to {len(parent) - 1}, or one of {_format_names([name for name in names if name])}"
    )


def _get_entry_name(entry: object) -> str:
    """Return the name of a list entry: its name field, the verb of an action, or the head of a line."""
    if isinstance(entry, str):
        text = entry
    elif isinstance(entry, dict):
        named = [entry[each] for each in _NAME_FIELDS if isinstance(entry.get(each), str)]
        if named:
            return str(named[0])
        text = entry["do"] if isinstance(entry.get("do"), str) else ""
    else:
        text = ""
    head = _HEAD.match(text)
    return head[1] if head else ""


def _replace_passage(current: object, passage: str, value: object) -> str:
    if not isinstance(current, str) or not isinstance(value, str):
        raise PatchError(
            "`passage` replaces words in a text by a text; leave it out to replace the whole value"
        )
    count = current.count(passage)
    if count != 1:
        raise PatchError(
            f"the passage `{passage[:60]}` occurs {count} times in the text; quote words that occur exactly once"
        )
    return current.replace(passage, value)


def _format_place(place: Sequence[str]) -> str:
    return "/" + "/".join(place) if place else "the seed document"


def _format_names(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return (", ".join(names[:_MOST_NAMES]) or "no named entries") + more
