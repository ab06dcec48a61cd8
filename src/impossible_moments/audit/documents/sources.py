"""Documents to audit: Markdown files, folders, and JSONL files whose lines have a `markdown` field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError

LARGEST_DOCUMENT: Final = 2_000_000
"""How many characters of a document are read."""
ENDINGS: Final = (".md", ".markdown", ".txt", ".jsonl")
LARGEST_LINE: Final = 4 * LARGEST_DOCUMENT
NAMES: Final = ("id", "name", "title")


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """Text with the name of its source. `problem` states why the text could not be read."""

    name: str
    text: str
    problem: str = ""


def read_document_sources(paths: list[Path]) -> Iterator[DocumentSource]:
    """Yield all documents of the paths in a fixed order. A file that is named twice is read once."""
    seen: set[Path] = set()
    for path in _find_document_files(paths):
        if path.resolve() not in seen:
            seen.add(path.resolve())
            yield from _read_source_file(path)


def _find_document_files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = sorted(
                each for each in path.rglob("*") if each.suffix.lower() in ENDINGS and each.is_file()
            )
            if not found:
                raise ConfigurationError(
                    f"{path} contains no {', '.join(ENDINGS)} files. Name a scenario, a folder of scenarios or a JSONL file."
                )
            yield from found
        else:
            yield path


def _read_source_file(path: Path) -> Iterator[DocumentSource]:
    try:
        if path.suffix.lower() == ".jsonl":
            yield from _read_jsonl_lines(path)
            return
        with path.open("rb") as stream:
            data = stream.read(4 * LARGEST_DOCUMENT + 4)
    except OSError as problem:
        raise ConfigurationError(
            f"Cannot read {path}: {(problem.strerror or str(problem)).lower()}."
        ) from None
    yield DocumentSource(str(path), data.decode("utf-8-sig", errors="replace"))


def _read_jsonl_lines(path: Path) -> Iterator[DocumentSource]:
    """Yield the documents of a JSONL file. A line without a document becomes a source with a problem."""
    with path.open("rb") as stream:
        number = 0
        while line := stream.readline(LARGEST_LINE):
            number += 1
            if not line.endswith(b"\n") and len(line) == LARGEST_LINE:
                while (rest := stream.readline(LARGEST_LINE)) and not rest.endswith(b"\n"):
                    pass
                yield DocumentSource(f"{path}:{number}", "", f"the line has more than {LARGEST_LINE:,} bytes")
            elif line.strip():
                yield _parse_jsonl_line(path, number, line)


def _parse_jsonl_line(path: Path, number: int, line: bytes) -> DocumentSource:
    place = f"{path}:{number}"
    try:
        row = json.loads(line.decode("utf-8", errors="replace"))
    except (ValueError, RecursionError):
        return DocumentSource(place, "", "the line is not valid JSON")
    text = row.get("markdown") if isinstance(row, dict) else None
    if not isinstance(text, str):
        return DocumentSource(place, "", "the line has no text field `markdown`")
    name = next((str(row[key]) for key in NAMES if isinstance(row.get(key), str | int)), "")
    return DocumentSource(_replace_surrogates(f"{place} {name}".strip()), _replace_surrogates(text))


def _replace_surrogates(text: str) -> str:
    """Return the text without lone surrogates, which JSON allows but terminals cannot print."""
    return text.encode("utf-8", errors="replace").decode("utf-8")
