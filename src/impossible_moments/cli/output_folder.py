"""The folder that scenarios are written to: the ledger in it, and what it has published."""

from __future__ import annotations

import re
from pathlib import Path

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.store import Store
from impossible_moments.pipeline import LEDGER
from impossible_moments.scenarios.metadata import ID_FORM


def opened(folder: Path) -> Store:
    """The ledger of a folder; one that is not there is not made."""
    if not (folder / LEDGER).is_file():
        raise ConfigurationError(
            f"{folder} holds no {LEDGER}, so no scenario was begun there. Name the folder of a run with --output."
        )
    return Store(folder / LEDGER)


def published(folder: Path, scenario: str, form: str) -> str:
    """A published text of a scenario; `form` is its path, such as `traces/{}_trace.md`."""
    if not re.fullmatch(ID_FORM, scenario):
        raise ConfigurationError(f"{scenario!r} is no scenario; they are called IM-0001 and so on.")
    path = folder / form.format(scenario)
    if not path.is_file():
        raise ConfigurationError(
            f"{scenario} is not published in {folder}: there is no {path}. `im status` lists what was begun there."
        )
    return path.read_text(encoding="utf-8")
