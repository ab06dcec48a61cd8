"""Import of scenario documents into a folder of blind documents and keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from impossible_moments.audit.documents import ENDINGS, DocumentSource, read_document_sources
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.environment import KEYS
from impossible_moments.evaluation.imported_scenarios.blind_documents import build_blind_document
from impossible_moments.evaluation.imported_scenarios.document_parser import (
    UnreadableDocument,
    parse_imported_document,
)
from impossible_moments.evaluation.imported_scenarios.stated_keys import FILE, StatedKey, build_stated_key
from impossible_moments.scenarios import write_file_atomically

IMPORT_MARKER: Final = "foreign.json"
"""The manifest that marks a folder of imported scenarios."""
FORM: Final = "foreign scenarios 1"
PUBLIC: Final = "public"
NO_MECHANICS: Final = "Imported scenarios without mechanics; nothing in them was executed."
LONGEST_ID: Final = 64
_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
"""File names that are reserved on some systems."""
_LINE: Final = re.compile(r"(.*\.jsonl:\d+)(?: (.*))?", re.IGNORECASE | re.DOTALL)
"""The name of a source in a JSONL file: file, line, and the name given to the document."""


@dataclass(frozen=True, slots=True)
class ImportedBatch:
    """The files, keys and refusals of one import."""

    files: Mapping[str, str]
    """File contents by path relative to the folder."""
    keys: tuple[StatedKey, ...]
    refused: tuple[str, ...]
    """One message for each document that was not imported, with its file and line."""


def import_documents(paths: Sequence[Path], *, outside: Path) -> ImportedBatch:
    """Import the documents of files, folders and JSONL files; skip files inside the folder `outside`."""
    files: dict[str, str] = {}
    keys: dict[str, StatedKey] = {}
    refusals: list[str] = []
    for source in _iterate_sources(paths, outside, refusals):
        try:
            key, public = _import_document(source)
            _reject_duplicate_number(key, keys)
        except UnreadableDocument as problem:
            refusals.append(str(problem))
            continue
        keys[key.scenario_id.casefold()] = key
        files[f"{PUBLIC}/{key.scenario_id}.md"] = public
        files[f"{KEYS}/{FILE.format(key.scenario_id)}"] = key.to_json()
    found = tuple(sorted(keys.values(), key=lambda each: each.scenario_id))
    files[IMPORT_MARKER] = _render_manifest(found, files)
    return ImportedBatch(files, found, tuple(refusals))


def write_imported_batch(batch: ImportedBatch, folder: Path) -> None:
    """Write an import into a folder, replacing an earlier import there.

    Raises `ConfigurationError` if the folder holds scenarios that were not imported, or cannot be written.
    """
    other_files = [each for each in (f"{PUBLIC}/", f"{KEYS}/", "registry.json") if (folder / each).exists()]
    if other_files and not (folder / IMPORT_MARKER).is_file():
        raise ConfigurationError(
            f"{folder} holds {other_files[0]} but no {IMPORT_MARKER}, so its scenarios were not imported; import into a separate folder."
        )
    for path in _list_previously_imported_files(folder):
        if str(path.relative_to(folder).as_posix()) not in batch.files:
            path.unlink()
    try:
        for name, text in batch.files.items():
            write_file_atomically(folder / name, text)
    except OSError as problem:
        raise ConfigurationError(
            f"Cannot write into {folder}: {(problem.strerror or str(problem)).lower()}; name another folder."
        ) from None


def _list_previously_imported_files(folder: Path) -> list[Path]:
    """Return the files that an earlier import wrote and listed; no other file of the folder is touched."""
    try:
        scenario_ids = json.loads((folder / IMPORT_MARKER).read_text(encoding="utf-8"))["scenarios"]
        names = [each for each in scenario_ids if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", each)]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    paths = [
        folder / part for each in names for part in (f"{PUBLIC}/{each}.md", f"{KEYS}/{FILE.format(each)}")
    ]
    return [each for each in paths if each.is_file()]


def _iterate_sources(paths: Sequence[Path], outside: Path, refusals: list[str]) -> Iterator[DocumentSource]:
    """Yield the documents file by file, so that an unreadable file does not affect the others."""
    seen: set[Path] = set()
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        chosen = [
            each for each in files if not path.is_dir() or (each.suffix.lower() in ENDINGS and each.is_file())
        ]
        if not chosen:
            refusals.append(
                f"{path} contains no {', '.join(ENDINGS)} file; name a folder of Markdown documents."
            )
        for each in chosen:
            resolved = each.resolve()
            if resolved in seen or outside.resolve() in resolved.parents:
                continue
            seen.add(resolved)
            try:
                yield from read_document_sources([each])
            except ConfigurationError as problem:
                refusals.append(str(problem))


def _import_document(source: DocumentSource) -> tuple[StatedKey, str]:
    if source.problem:
        raise UnreadableDocument(
            source.name, 1, f"{source.problem}; each line is an object with the document in `markdown`."
        )
    line = _LINE.fullmatch(source.name)
    place, own = (line[1], line[2] or "") if line is not None else (source.name, "")
    document = parse_imported_document(source.text, place)
    scenario_id = _normalize_identifier(document.number or own or _derive_document_name(place))
    blind = build_blind_document(document, scenario_id)
    return build_stated_key(document, blind, scenario_id), blind.render_public_file(scenario_id)


def _derive_document_name(place: str) -> str:
    """Return a name for a document without a number: the file name, with the line number in a JSONL file."""
    file, _, line = place.rpartition(":")
    return f"{Path(file).stem}-{line}" if _LINE.fullmatch(place) else Path(place).stem


def _normalize_identifier(text: str) -> str:
    """Return an identifier that is a valid file name on every system."""
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", text).strip("-_")[:LONGEST_ID].rstrip("-_")
    if not plain:
        return f"F-{sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"
    return f"F-{plain}"[:LONGEST_ID] if _RESERVED.fullmatch(plain) else plain


def _reject_duplicate_number(key: StatedKey, keys: Mapping[str, StatedKey]) -> None:
    other = keys.get(key.scenario_id.casefold())
    if other is not None:
        raise UnreadableDocument(
            key.source,
            1,
            f"the number {key.scenario_id} is already used by {other.source}; give each scenario its own.",
        )


def _render_manifest(keys: Sequence[StatedKey], files: Mapping[str, str]) -> str:
    manifest = {
        "form": FORM,
        "note": NO_MECHANICS,
        "scenarios": {
            each.scenario_id: sha256(files[f"{PUBLIC}/{each.scenario_id}.md"].encode()).hexdigest()
            for each in keys
        },
    }
    return json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
