"""Imported scenarios as presented to models: the blind document and a request for an answer line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.environment import KEYS
from impossible_moments.evaluation.imported_scenarios.importer import IMPORT_MARKER, PUBLIC
from impossible_moments.evaluation.imported_scenarios.stated_keys import LARGEST_FILE, StatedKey
from impossible_moments.scenarios import Scenario

LAST_LINE: Final = """\
### How to end

Whatever form your answer takes, let its last line be this, the word first and then what is done, or what the answer is, in one sentence:

ANSWER: solvable | impossible | contested | open - ...
"""
_DOCUMENT: Final = re.compile(
    r"# ([A-Za-z0-9][A-Za-z0-9_-]{0,63})\n\n(.*)\n---\n\n\*[^\n]* Canary: (\S+)\*\n", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class ImportedScenario(Scenario):
    """An imported scenario; it has no standard sections, and its whole public text may be shown."""

    situation: str = ""

    @property
    def blind(self) -> str:
        """The situation, followed by the instruction for the last line of an answer."""
        return f"{self.situation.strip()}\n\n{LAST_LINE}"


@dataclass(frozen=True, slots=True)
class ImportedFolder:
    """The scenarios of a folder written by `im import`, in order, with their keys."""

    scenarios: tuple[ImportedScenario, ...]
    keys: dict[str, StatedKey]


def is_imported_folder(folder: Path) -> bool:
    """Check whether a folder, or the parent of a `public` folder, holds imported scenarios."""
    return _find_import_root(folder) is not None


def load_imported_folder(folder: Path, *, limit: int | None = None) -> ImportedFolder:
    """Load the imported scenarios of a folder, at most `limit`.

    Raises `ConfigurationError` if the folder has no import, or a document does not match its key.
    """
    root = _find_import_root(folder)
    if root is None:
        raise ConfigurationError(
            f"{folder} is not a folder of imported scenarios, because it contains no {IMPORT_MARKER}; import scenarios with `im import` first."
        )
    paths = sorted((root / PUBLIC).glob("*.md"))[:limit]
    if not paths:
        raise ConfigurationError(
            f"{root / PUBLIC} contains no imported scenarios; import some with `im import`."
        )
    keys = {each.stem: StatedKey.load(root / KEYS, each.stem) for each in paths}
    return ImportedFolder(tuple(_load_imported_scenario(each, keys[each.stem]) for each in paths), keys)


def _find_import_root(folder: Path) -> Path | None:
    root = folder.parent if folder.name == PUBLIC else folder
    return root if (root / IMPORT_MARKER).is_file() else None


def _load_imported_scenario(path: Path, key: StatedKey) -> ImportedScenario:
    try:
        with path.open("rb") as stream:
            text = stream.read(LARGEST_FILE).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        text = ""
    found = _DOCUMENT.fullmatch(text)
    if found is None or found[1] != path.stem or found[3] != key.canary:
        raise ConfigurationError(
            f"{path} is not the document that was imported with its key; import it again with `im import`."
        )
    return ImportedScenario(
        scenario_id=path.stem,
        title=key.title,
        category=key.category,
        tier=key.tier,
        profile=key.profile,
        status=key.status,
        correct_outcome=key.outcome,
        sections={},
        canary=key.canary,
        text=text,
        situation=found[2],
    )


def select_scenarios(folder: ImportedFolder, names: Sequence[str]) -> tuple[ImportedScenario, ...]:
    """Return the scenarios with the given names, in the order of the folder."""
    wanted_names = set(names)
    return tuple(each for each in folder.scenarios if each.scenario_id in wanted_names)
