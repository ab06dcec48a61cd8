"""Reader of YAML and JSON documents, with limits that are checked before any data is built.

The result contains only maps, lists, texts, numbers, true, false and null, with texts as keys. Ambiguous
values are not converted: dates, `yes`, `12:30`, `0x1F` and `0472` stay text.
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

# possessive quantifiers, so that an unclosed quote is scanned only once
_JSON_PARTS: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]|[^\s"\[\]{},:]++', re.DOTALL)


class DocumentError(ConfigurationError, ValueError):
    """Document that cannot be read. The message says what is wrong, which rule it breaks and what to do."""


def load(path: Path) -> dict[str, object]:
    """Read a YAML or JSON file and return its map of fields. Raise `DocumentError` if it cannot be read."""
    try:
        return _fields(_read(_decoded(_content(path))))
    except Problem as problem:
        raise DocumentError(problem.sentence(path.name)) from None


def loads(text: str | bytes, *, name: str) -> object:
    """Parse a YAML or JSON text. Raise `DocumentError`, with `name` in the message, if it is not valid."""
    try:
        return _read(_decoded(text))
    except Problem as problem:
        raise DocumentError(problem.sentence(name)) from None


def _fields(data: object) -> dict[str, object]:
    if isinstance(data, dict):
        return data
    raise Problem(
        f"the document is {values.in_words(data)}, but must be a map of fields; write `field: value`"
    )


def _content(path: Path) -> bytes:
    try:
        # open without blocking, then check the open handle: the path may be a pipe, or be swapped meanwhile
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise Problem("not a regular file; give the path of a file")
            with os.fdopen(handle, "rb", closefd=False) as file:
                return file.read(MAX_BYTES + 1)
        finally:
            os.close(handle)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "invalid path"
        raise Problem(f"cannot open the file ({reason}); check the path and its permissions") from None


def _decoded(text: str | bytes) -> str:
    if len(text) > MAX_BYTES or (
        isinstance(text, str) and len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES
    ):
        raise Problem(f"the document is larger than {MAX_BYTES // 1024} kB, the maximum; shorten it")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as problem:
            raise Problem(
                f"byte {problem.start + 1} is not valid UTF-8; save the document in UTF-8"
            ) from None
    return values.whole_text(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"))


def _read(text: str) -> object:
    """Parse a text as JSON if it is valid JSON, else as YAML, which also accepts text that is almost JSON."""
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
        raise Problem("there is text after the end of the document; remove it", failure.lineno)
    raise Problem("not valid JSON; check commas, quotes and brackets here and just above", failure.lineno)


def _bounded(text: str) -> bool:
    """Return whether a JSON text is within the limits. If not, parsing it as YAML reports where it is not."""
    depth = 0
    for number, part in enumerate(_JSON_PARTS.finditer(text)):
        depth += (part[0] in "[{") - (part[0] in "]}")
        if depth > MAX_DEPTH or number >= MAX_PARTS:
            return False
    return True


def _json(text: str) -> object:
    data: object = json.loads(
        text,
        strict=False,  # keep line breaks inside texts; other control characters were rejected before
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
