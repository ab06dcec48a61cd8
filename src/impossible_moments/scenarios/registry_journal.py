"""The journal of a registry: one line for each scenario that was published after `registry.json` was written.

Its first line holds the hash of the `registry.json` that it continues. A journal of an earlier one was merged before.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

from pydantic import ValidationError

from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios.metadata import ScenarioMetadata

FILE: Final = "registry.journal.jsonl"
_REGISTRY: Final = "registry.json"
_CONTINUES: Final = "continues"


class RegistryJournal:
    """The journal in the folder of a registry. Whoever writes it holds the lock of the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / FILE

    @property
    def size(self) -> int:
        """The size of the journal in bytes, 0 if there is none."""
        try:
            return self._path.stat().st_size
        except OSError:
            return 0

    def append(self, metadata: ScenarioMetadata) -> None:
        """Append a scenario. It is on the disk when this returns."""
        with self._path.open("a+b") as file:
            self._remove_torn_line(file)
            lines = []
            if not file.seek(0, os.SEEK_END):
                digest = sha256((self._folder / _REGISTRY).read_bytes()).hexdigest()
                lines.append(json.dumps({_CONTINUES: digest}))
            lines.append(metadata.model_dump_json())
            file.write("".join(f"{line}\n" for line in lines).encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())

    def read_entries(
        self, registry: bytes, known: Mapping[str, ScenarioMetadata]
    ) -> dict[str, ScenarioMetadata]:
        """Return the scenarios of the journal that the text of a registry does not hold yet.

        Raise `ConfigurationError` if the journal continues another registry that was not merged into this one.
        """
        try:
            *lines, _ = self._path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return {}
        try:
            first, *entries = lines or [b"{}"]
            found = [ScenarioMetadata.model_validate_json(line) for line in entries]
            is_continued = json.loads(first).get(_CONTINUES) == sha256(registry).hexdigest()
        except (ValueError, ValidationError, AttributeError) as problem:
            reason = str(problem).partition("\n")[0]
            raise self._make_error(reason) from None
        if is_continued:
            return {each.scenario_id: each for each in found}
        if all(each.scenario_id in known for each in found):
            return {}
        raise self._make_error(f"it does not continue {_REGISTRY}")

    def clear(self) -> None:
        """Remove the journal after it was merged."""
        self._path.unlink(missing_ok=True)

    def _remove_torn_line(self, file: BinaryIO) -> None:
        """Cut off what an interrupted process left after the last complete line."""
        if not file.seek(0, os.SEEK_END):
            return
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.truncate(self._path.read_bytes().rfind(b"\n") + 1)

    def _make_error(self, reason: str) -> ConfigurationError:
        return ConfigurationError(
            f"Cannot read {self._path} ({reason}). Only this program writes it: restore the registry, or write it again with "
            f"`im registry rebuild {self._folder}`."
        )
