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
from impossible_moments.mechanics.records import document_values as values
from impossible_moments.mechanics.records.document_values import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_PARTS,
    DocumentProblem,
)
from impossible_moments.mechanics.records.yaml_parser import parse_yaml

# possessive quantifiers, so that an unclosed quote is scanned only once
_JSON_PARTS: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]|[^\s"\[\]{},:]++', re.DOTALL)


class DocumentError(ConfigurationError, ValueError):
    """Document that cannot be read. The message says what is wrong, which rule it breaks and what to do."""


def load_document(path: Path) -> dict[str, object]:
    """Read a YAML or JSON file and return its map of fields. Raise `DocumentError` if it cannot be read."""
    try:
        return _require_field_map(_parse_json_or_yaml(_decode_text(_read_file_content(path))))
    except DocumentProblem as problem:
        raise DocumentError(problem.format_message(path.name)) from None


def parse_document(text: str | bytes, *, name: str) -> object:
    """Parse a YAML or JSON text. Raise `DocumentError`, with `name` in the message, if it is not valid."""
    try:
        return _parse_json_or_yaml(_decode_text(text))
    except DocumentProblem as problem:
        raise DocumentError(problem.format_message(name)) from None


def _require_field_map(data: object) -> dict[str, object]:
    if isinstance(data, dict):
        return data
    raise DocumentProblem(
        f"the document is {values.describe_data_type(data)}, but must be a map of fields; write `field: value`"
    )


def _read_file_content(path: Path) -> bytes:
    try:
        # open without blocking, then check the open handle: the path may be a pipe, or be swapped meanwhile
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise DocumentProblem("not a regular file; give the path of a file")
            with os.fdopen(handle, "rb", closefd=False) as file:
                return file.read(MAX_BYTES + 1)
        finally:
            os.close(handle)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "invalid path"
        raise DocumentProblem(
            f"cannot open the file ({reason}); check the path and its permissions"
        ) from None


def _decode_text(text: str | bytes) -> str:
    if len(text) > MAX_BYTES or (
        isinstance(text, str) and len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES
    ):
        raise DocumentProblem(f"the document is larger than {MAX_BYTES // 1024} kB, the maximum; shorten it")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as problem:
            raise DocumentProblem(
                f"byte {problem.start + 1} is not valid UTF-8; save the document in UTF-8"
            ) from None
    return values.check_document_text(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"))


def _parse_json_or_yaml(text: str) -> object:
    """Parse a text as JSON if it is valid JSON, else as YAML, which also accepts text that is almost JSON."""
    if text.lstrip()[:1] not in ("{", "[") or not _is_json_within_limits(text):
        return parse_yaml(text)
    try:
        return _parse_json(text)
    except json.JSONDecodeError as problem:
        failure = problem
    try:
        return parse_yaml(text)
    except DocumentProblem as problem:
        if not problem.syntax or text.lstrip()[1:].lstrip()[:1] not in ('"', "[", "{"):
            raise
    if failure.msg.startswith("Extra data"):
        raise DocumentProblem("there is text after the end of the document; remove it", failure.lineno)
    raise DocumentProblem(
        "not valid JSON; check commas, quotes and brackets here and just above", failure.lineno
    )


def _is_json_within_limits(text: str) -> bool:
    """Return whether a JSON text is within the limits. If not, parsing it as YAML reports where it is not."""
    depth = 0
    for number, part in enumerate(_JSON_PARTS.finditer(text)):
        depth += (part[0] in "[{") - (part[0] in "]}")
        if depth > MAX_DEPTH or number >= MAX_PARTS:
            return False
    return True


def _parse_json(text: str) -> object:
    data: object = json.loads(
        text,
        strict=False,  # keep line breaks inside texts; other control characters were rejected before
        object_pairs_hook=_build_map_without_duplicate_keys,
        parse_int=values.parse_integer,
        parse_float=values.parse_decimal,
        parse_constant=values.reject_infinite_number,
    )
    _check_all_texts_in_data(data)
    return data


def _build_map_without_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    entries: dict[str, object] = {}
    for key, value in pairs:
        if key in entries:
            raise values.make_duplicate_key_problem(key)
        entries[key] = value
    return entries


def _check_all_texts_in_data(data: object) -> None:
    pending = [data]
    while pending:
        match pending.pop():
            case str(text):
                values.check_text_value(text)
            case list(items):
                pending.extend(items)
            case dict(entries):
                pending.extend((*entries, *entries.values()))
