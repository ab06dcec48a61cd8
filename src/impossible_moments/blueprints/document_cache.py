"""Cache of parsed blueprint files, by their content, in the user's cache folder.

Parsing all shipped files takes half a second of processor time, and reading them back as JSON a twentieth of
that. An entry is found by the hash of its file, so a changed file is parsed again and no other. The cache is
never needed: without it, or if it cannot be read or written, the files are parsed.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from impossible_moments.mechanics.records import load_document

FOLDER_VARIABLE: Final = "IM_CACHE_DIR"
"""Environment variable that names another cache folder. If it is empty, nothing is cached."""
MOST_ENTRIES: Final = 2_000
"""With more entries than this, only those that are in use are kept."""
_READER: Final = ("document_values.py", "documents.py", "yaml_parser.py")
"""The modules that determine what is read from a file."""


def load_documents(paths: Iterable[Path]) -> list[dict[str, object]]:
    """Return the fields of each file, from the cache if its content was read before.

    Raise `DocumentError` if a file cannot be read.
    """
    listed = [(path, _hash_file(path)) for path in paths]
    cache = _locate_cache_file()
    stored = {} if cache is None else _read_cache(cache)
    found = {digest: stored[digest] if digest in stored else load_document(path) for path, digest in listed}
    if cache is not None and not found.keys() <= stored.keys():
        everything = {**stored, **found}
        _write_cache(cache, everything if len(everything) <= MOST_ENTRIES else found)
    return [found[digest] for _, digest in listed]


def _hash_file(path: Path) -> str:
    """Return the hash of a file, or its path if it cannot be opened, so that the reader reports why."""
    try:
        return sha256(path.read_bytes()).hexdigest() if path.is_file() else str(path)
    except OSError:
        return str(path)


def _locate_cache_file() -> Path | None:
    """Return the path of the cache for this version of the reader, or None if nothing is to be cached."""
    folder = _get_cache_folder()
    return None if folder is None else folder / f"documents-{_hash_reader()}.json"


def _get_cache_folder() -> Path | None:
    named = os.environ.get(FOLDER_VARIABLE)
    if named is not None:
        return Path(named) if named else None
    if sys.platform == "win32":
        usual = os.environ.get("LOCALAPPDATA", "")
    else:
        usual = os.environ.get("XDG_CACHE_HOME", "") or os.path.join(os.environ.get("HOME", ""), ".cache")  # noqa: PTH118 - HOME may be empty
    folder = Path(usual)
    return folder / "impossible-moments" if folder.is_absolute() else None


@lru_cache(maxsize=1)
def _hash_reader() -> str:
    digest = sha256()
    for name in _READER:
        digest.update(files("impossible_moments.mechanics.records").joinpath(name).read_bytes())
    return digest.hexdigest()[:16]


def _read_cache(path: Path) -> dict[str, Any]:
    """Return the entries of a cache file. It has none if it is missing, broken or not complete."""
    try:
        digest, _, text = path.read_bytes().partition(b"\n")
        if digest != _hash_text(text):
            return {}
        entries = json.loads(text)
    except (OSError, ValueError):
        return {}
    return entries if isinstance(entries, dict) else {}


def _write_cache(path: Path, entries: Mapping[str, object]) -> None:
    """Write a cache file under a temporary name and rename it. A folder that cannot be written is left alone."""
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_hash_text(text) + b"\n" + text)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _hash_text(text: bytes) -> bytes:
    return sha256(text).hexdigest().encode("ascii")
