"""Documents: YAML or JSON text read into plain data, within bounds that hold before anything is built.

Only maps, lists, texts, numbers, true, false and null come out, with text as keys. Nothing is converted that
a writer may not have meant: dates, `yes`, `12:30`, `0x1F` and `0472` stay text.
"""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics import document_values as values
from impossible_moments.mechanics.document_values import MAX_BYTES, MAX_DEPTH, MAX_PARTS, Problem
from impossible_moments.mechanics.document_yaml import read_yaml

# possessive, so that an unclosed quote costs one pass
_JSON_PARTS: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]|[^\s"\[\]{},:]++', re.DOTALL)


class DocumentError(ConfigurationError, ValueError):
    """A document that cannot be read; one sentence says what, which rule and what to do."""


def load(path: Path) -> dict[str, object]:
    """The map of fields in a file."""
    try:
        return _fields(_read(_decoded(_content(path))))
    except Problem as problem:
        raise DocumentError(problem.sentence(path.name)) from None


def loads(text: str | bytes, *, name: str) -> object:
    """The data in a YAML or JSON text; `name` says in errors whose it is."""
    try:
        return _read(_decoded(text))
    except Problem as problem:
        raise DocumentError(problem.sentence(name)) from None


def _fields(data: object) -> dict[str, object]:
    if isinstance(data, dict):
        return data
    raise Problem(
        f"it holds {values.in_words(data)}, and a document is a map of fields; write `field: value`"
    )


def _content(path: Path) -> bytes:
    try:
        # opened without waiting and then looked at: a pipe must not hold us, nor a file be swapped in between
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise Problem("it is no regular file, and nothing else is read; name a file")
            with os.fdopen(handle, "rb", closefd=False) as file:
                return file.read(MAX_BYTES + 1)
        finally:
            os.close(handle)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "its path is no path"
        raise Problem(f"it cannot be opened ({reason}); check the path and its permissions") from None


def _decoded(text: str | bytes) -> str:
    if len(text) > MAX_BYTES or (
        isinstance(text, str) and len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES
    ):
        raise Problem(f"it is larger than {MAX_BYTES // 1024} kB, the most a document may have; shorten it")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as problem:
            raise Problem(
                f"byte {problem.start + 1} is not UTF-8, the one encoding that is read; save it in that"
            ) from None
    return values.whole_text(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"))


def _read(text: str) -> object:
    """The data of a text: JSON if it is that, else YAML, which also reads what is nearly JSON."""
    if text.lstrip()[:1] not in ("{", "[") or not _bounded(text):
        return read_yaml(text)
    try:
        return _json(text)
    except json.JSONDecodeError as problem:
        failure = problem
    try:
        return read_yaml(text)
    except Problem as problem:
        if not problem.syntax or text.lstrip()[1:].lstrip()[:1] not in ('"', "[", "{"):
            raise
    if failure.msg.startswith("Extra data"):
        raise Problem("more follows the end of the document, and only one is read; remove it", failure.lineno)
    raise Problem("this is no JSON; check commas, quotes and brackets here and just above", failure.lineno)


def _bounded(text: str) -> bool:
    """Whether a JSON text keeps the bounds. Where it does not, reading it as YAML says where."""
    depth = 0
    for number, part in enumerate(_JSON_PARTS.finditer(text)):
        depth += (part[0] in "[{") - (part[0] in "]}")
        if depth > MAX_DEPTH or number >= MAX_PARTS:
            return False
    return True


def _json(text: str) -> object:
    data: object = json.loads(
        text,
        strict=False,  # a new line inside a text stays one; other controls were refused before
        object_pairs_hook=_map,
        parse_int=values.integer,
        parse_float=values.decimal,
        parse_constant=values.refuse_infinite,
    )
    _check_texts(data)
    return data


def _map(pairs: list[tuple[str, object]]) -> dict[str, object]:
    entries: dict[str, object] = {}
    for key, value in pairs:
        if key in entries:
            raise values.twice(key)
        entries[key] = value
    return entries


def _check_texts(data: object) -> None:
    waiting = [data]
    while waiting:
        match waiting.pop():
            case str(text):
                values.text(text)
            case list(items):
                waiting.extend(items)
            case dict(entries):
                waiting.extend((*entries, *entries.values()))
