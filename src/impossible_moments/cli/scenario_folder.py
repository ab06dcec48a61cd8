"""Access to the output folder: its ledger and its published documents."""

from __future__ import annotations

import re
from pathlib import Path

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import LedgerStore
from impossible_moments.pipeline import LEDGER, find_ledger, has_ledger
from impossible_moments.scenarios import ID_FORM


def open_ledger(folder: Path, *, read_only: bool = True) -> LedgerStore:
    """Open the ledger of a folder. Raise a ConfigurationError if there is none; do not create it.

    Reading needs no write access to the folder.
    """
    location = find_ledger(folder)
    if not has_ledger(location):
        raise ConfigurationError(
            f"{folder} contains no {LEDGER}: no scenario was started there. Name the folder of a run with --output."
        )
    return LedgerStore(location, read_only=read_only)


def read_published_document(folder: Path, scenario: str, form: str) -> str:
    """Read a published document of a scenario.

    `form` is the path of the document with `{}` for the ID, such as `traces/{}_trace.md`.
    """
    if not re.fullmatch(ID_FORM, scenario):
        raise ConfigurationError(f"{scenario!r} is not a scenario ID. Scenario IDs have the form IM-0001.")
    path = folder / form.format(scenario)
    if not path.is_file():
        raise ConfigurationError(
            f"{scenario} is not published in {folder}: there is no {path}. `im status` lists the scenarios that were started there."
        )
    return path.read_text(encoding="utf-8")
