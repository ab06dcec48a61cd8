"""Registry of published scenarios: a folder of documents, and `registry.json` with the metadata of each.

A run that publishes many scenarios appends their metadata to a journal, because writing the whole registry for each
would take longer with every scenario. The journal is part of the registry until it is merged into `registry.json`.

A scenario is registered after its files are written. Each file is written under a temporary name and then
renamed, so a reader sees either the complete scenario or nothing.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from impossible_moments.errors import ConfigurationError, ImpossibleMomentsError
from impossible_moments.scenarios.documents import ScenarioDocuments, load_documents, remove_clock_values
from impossible_moments.scenarios.file_lock import hold_file_lock, make_symlink_error
from impossible_moments.scenarios.metadata import ClockReadings, ScenarioMetadata
from impossible_moments.scenarios.registry_journal import RegistryJournal

FILE: Final = "registry.json"
FORM: Final = "im-registry/1"
SMALL_REGISTRY: Final = 1_000_000
"""Bytes up to which a registry is written as a whole at the end of every run."""
FOLDERS: Final = ("public", "evaluation", "traces")
_TEMPORARY: Final = re.compile(r"\.(IM-\d{4,}\w*\.(md|json)|registry\.json)\.\w+\.tmp")


class RefusedPublication(ImpossibleMomentsError):
    """A scenario that is not published because of what was published before it. The message says why."""


class ScenarioRegistry:
    """Registry of the scenarios published in a folder."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self._journal = RegistryJournal(self.folder)

    @property
    def entries(self) -> Mapping[str, ScenarioMetadata]:
        """Metadata of every scenario by identifier, in numerical order, read from the file at each access."""
        path = self.folder / FILE
        if not path.exists():
            return {}
        try:
            text = path.read_bytes()
            data = json.loads(text)
            listed = [ScenarioMetadata.model_validate(each) for each in data["scenarios"]]
        except (OSError, ValueError, KeyError, TypeError, ValidationError) as problem:
            first = str(problem).partition("\n")[0]
            raise ConfigurationError(
                f"Cannot read {path} ({first}). Only this program writes a registry: restore the file, or write it again with "
                f"`im registry rebuild {self.folder}`."
            ) from None
        known = {each.scenario_id: each for each in listed}
        found = {**known, **self._journal.read_entries(text, known)}.values()
        return {
            each.scenario_id: each
            for each in sorted(found, key=lambda each: parse_scenario_number(each.scenario_id))
        }

    @property
    def quick(self) -> tuple[str, ...]:
        """The scenarios of the quick set, or none if it was not chosen."""
        try:
            listed = json.loads((self.folder / FILE).read_bytes()).get("quick", [])
        except (OSError, ValueError, AttributeError):
            return ()
        return tuple(each for each in listed if isinstance(each, str)) if isinstance(listed, list) else ()

    def set_quick(self, names: Iterable[str]) -> None:
        """Record the quick set."""
        with self._lock_folder():
            self._write_entries(self.entries, tuple(names))

    def read_documents(self, name: str) -> ScenarioDocuments | None:
        """Return the documents of a registered scenario, or None if it is not registered or a file cannot be read."""
        metadata = self.entries.get(name)
        if metadata is None:
            return None
        try:
            return load_documents(self.folder, metadata)
        except (OSError, UnicodeDecodeError):
            return None

    def rebuild(self, entries: Collection[ScenarioMetadata]) -> None:
        """Replace the registry by the given entries. Twins are linked back as they are at publication."""
        with self._lock_folder():
            self._remove_remains()
            found: dict[str, ScenarioMetadata] = {}
            for each in sorted(entries, key=lambda each: parse_scenario_number(each.scenario_id)):
                found[each.scenario_id] = each
                found |= _link_twin_back(found, each)
            self._write_entries(found)

    def find_loss(self) -> str | None:
        """Return what is lost if the folder holds documents and no registry, or None."""
        if (self.folder / FILE).exists() or not (found := self.list_documents()):
            return None
        count = "a published scenario" if len(found) == 1 else f"{len(found)} published scenarios"
        return (
            f"{self.folder / FILE} is missing, but the folder holds {count}, such as {found[0]}. "
            f"Restore the file, or write it again with `im registry rebuild {self.folder}`."
        )

    def require_registry(self) -> None:
        """Raise `ConfigurationError` if the registry of the folder has been lost."""
        if (loss := self.find_loss()) is not None:
            raise ConfigurationError(loss)

    def list_documents(self) -> tuple[str, ...]:
        """Return the identifiers of the public documents in the folder, in numerical order."""
        found = (path.stem for path in (self.folder / "public").glob("IM-*.md"))
        return tuple(sorted((each for each in found if each[3:].isdecimal()), key=parse_scenario_number))

    def get_public_path(self, name: str) -> Path:
        """Return the path of the public document of a scenario."""
        return self.folder / "public" / f"{name}.md"

    def choose_next_id(self, reserved: Collection[str] = ()) -> str:
        """Return the identifier after the highest one in use, retired or reserved. Free numbers are not reused."""
        retired = (
            path.stem for path in self.folder.glob("retired/public/IM-*.md") if path.stem[3:].isdecimal()
        )
        used = (*self.entries, *self.list_documents(), *retired, *reserved)
        used_numbers = {parse_scenario_number(each) for each in used}
        return f"IM-{max(used_numbers, default=0) + 1:04d}"

    def choose_free_id(self, reserved: Collection[str] = ()) -> str:
        """Return the first identifier after the highest reserved one that no document has.

        Unlike `choose_next_id` it reads no registry. The caller reserves what is registered.
        """
        number = max(map(parse_scenario_number, reserved), default=0) + 1
        while self.get_public_path(f"IM-{number:04d}").exists():
            number += 1
        return f"IM-{number:04d}"

    def get_stamp(self) -> str:
        """Return what changes with `registry.json`, or an empty text without it."""
        try:
            found = (self.folder / FILE).stat()
        except OSError:
            return ""
        return f"{found.st_size} {found.st_mtime_ns}"

    def merge_journal(self, *, at_least: float = 0.0) -> tuple[str, str] | None:
        """Merge the journal into `registry.json` if it has at least this share of its size, or if both are small.

        Return the stamps before and after, or None if nothing was merged.
        """
        with self._lock_folder():
            journal = self._journal.size
            if not journal:
                return None
            size = (self.folder / FILE).stat().st_size
            if size > SMALL_REGISTRY and journal < at_least * size:
                return None
            before = self.get_stamp()
            self._remove_remains()
            self._write_entries(self.entries)
            return before, self.get_stamp()

    def publish(
        self, documents: ScenarioDocuments, *, replacing: bool = False, journals: bool = False
    ) -> ScenarioMetadata:
        """Write the files of a scenario and register it. Publishing the same scenario again changes nothing.

        Raise `ConfigurationError` if the identifier belongs to a scenario with different contents. With
        `replacing` that scenario is replaced, as after a successful dispute or a confirmed breakthrough. With
        `journals` a new scenario is registered in the journal; the caller merges it when it is done.
        """
        metadata = documents.metadata
        with self._lock_folder():
            if journals and not replacing and metadata.twin is None and self._is_new(metadata.scenario_id):
                for name, text in documents.list_files_by_path().items():
                    write_file_atomically(self.folder / name, text)
                self._journal.append(metadata)
                return metadata
            self._remove_remains()
            entries = self._begin_registry()
            earlier = entries.get(metadata.scenario_id)
            if earlier is not None and not replacing:
                if self._is_already_published(documents, earlier):
                    return earlier
                raise ConfigurationError(
                    f"{metadata.scenario_id} is already published in {self.folder} with different contents. "
                    f"Use {self.choose_next_id()}, or replace the published scenario explicitly."
                )
            for name, text in documents.list_files_by_path().items():
                write_file_atomically(self.folder / name, text)
            if earlier is not None and metadata.twin is None:
                metadata = metadata.model_copy(update={"twin": earlier.twin})
            entries[metadata.scenario_id] = metadata
            entries |= _link_twin_back(entries, metadata)
            self._write_entries(entries)
        return metadata

    def change_entry(self, name: str, **changes: object) -> ScenarioMetadata:
        """Change fields of the metadata of a published scenario and return the new metadata.

        Raise `ConfigurationError` if the scenario is not registered.
        """
        with self._lock_folder():
            self._remove_remains()
            entries = dict(self.entries)
            if name not in entries:
                raise ConfigurationError(f"{name} is not published in {self.folder}.")
            entries[name] = entries[name].model_copy(update=changes)
            self._write_entries(entries)
        return entries[name]

    def render_without_clock(self) -> str:
        """Return the text of the registry without clock readings, which differ from run to run."""
        return _render_entries(
            [each.model_copy(update={"stamps": ClockReadings()}) for each in self.entries.values()],
            self.quick,
        )

    def read_without_clock(self, path: str) -> str:
        """Return the text of a document without clock readings. Raise `ConfigurationError` if it cannot be read."""
        try:
            return remove_clock_values((self.folder / path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as problem:
            raise ConfigurationError(f"Cannot read {self.folder / path} ({problem}).") from None

    def remove_entry(self, name: str, archive: str) -> ScenarioMetadata:
        """Take a scenario out of the registry and move its files to a folder below this one. Return its metadata.

        Raise `ConfigurationError` if the scenario is not registered.
        """
        with self._lock_folder():
            entries = dict(self.entries)
            if name not in entries:
                raise ConfigurationError(f"{name} is not published in {self.folder}.")
            removed = entries.pop(name)
            self._write_entries(entries)
            for folder in ("public", "evaluation", "traces"):
                for path in sorted((self.folder / folder).glob(f"{name}[._]*")):
                    target = self.folder / archive / folder / path.name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    path.replace(target)
        return removed

    def _is_new(self, name: str) -> bool:
        """Return whether a folder with a registry has no public document of this name."""
        return (self.folder / FILE).exists() and not self.get_public_path(name).exists()

    def _is_already_published(self, documents: ScenarioDocuments, earlier: ScenarioMetadata) -> bool:
        """Return whether the same documents are already published, apart from clock values."""
        if earlier.comparable_copy != documents.metadata.comparable_copy:
            return False
        return all(
            path.is_file()
            and remove_clock_values(path.read_text(encoding="utf-8")) == remove_clock_values(text)
            for path, text in (
                (self.folder / name, text) for name, text in documents.list_files_by_path().items()
            )
        )

    def _write_entries(
        self, entries: Mapping[str, ScenarioMetadata], quick: tuple[str, ...] | None = None
    ) -> None:
        """Write the registry. The quick set stays as it is unless another is given."""
        ordered = sorted(entries.values(), key=lambda each: parse_scenario_number(each.scenario_id))
        listed = [name for name in (self.quick if quick is None else quick) if name in entries]
        write_file_atomically(self.folder / FILE, _render_entries(ordered, listed))
        self._journal.clear()

    def _begin_registry(self) -> dict[str, ScenarioMetadata]:
        """Return the entries, and make an empty registry in a new folder, so that a missing one is always a lost one."""
        self.require_registry()
        entries = dict(self.entries)
        if not (self.folder / FILE).exists():
            self._write_entries(entries)
        return entries

    def _remove_remains(self) -> None:
        """Remove the temporary files that killed processes left. Only the holder of the lock has any of its own."""
        for folder in (self.folder, *(self.folder / name for name in FOLDERS)):
            if folder.is_symlink() and folder != self.folder:
                raise make_symlink_error(folder)
            for path in folder.glob(".*.tmp"):
                if _TEMPORARY.fullmatch(path.name):
                    path.unlink(missing_ok=True)

    @contextmanager
    def _lock_folder(self) -> Iterator[None]:
        """Hold the write lock of the folder, which excludes other processes and ends with this one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with hold_file_lock(self.folder / f".{FILE}.lock"):
            yield


def _render_entries(entries: Iterable[ScenarioMetadata], quick: Collection[str] = ()) -> str:
    data: dict[str, object] = {"format": FORM, "quick": list(quick)} if quick else {"format": FORM}
    data["scenarios"] = [each.model_dump(mode="json") for each in entries]
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _link_twin_back(
    entries: Mapping[str, ScenarioMetadata], metadata: ScenarioMetadata
) -> dict[str, ScenarioMetadata]:
    """Return the updated entry of the twin so that it refers back to this scenario.

    The result is empty if the twin is not registered or already has a twin.
    """
    sibling = entries.get(metadata.twin or "")
    if sibling is None or sibling.twin is not None:
        return {}
    return {sibling.scenario_id: sibling.model_copy(update={"twin": metadata.scenario_id})}


def parse_scenario_number(scenario_id: str) -> int:
    """Return the number in an identifier such as `IM-0001`."""
    return int(scenario_id.removeprefix("IM-"))


def write_file_atomically(path: Path, text: str) -> None:
    """Write a file under a temporary name and rename it, so that it is never seen half written.

    Raise `ConfigurationError` if there is a symbolic link in its place.
    """
    if path.is_symlink():
        raise make_symlink_error(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
