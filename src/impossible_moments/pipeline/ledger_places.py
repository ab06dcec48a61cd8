"""Where the ledger of a folder is: in the folder, or in a database that several machines share.

A folder that belongs to a database keeps its address in `ledger.url`, without the password. So later commands need
only the folder.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import DatabaseUrl, LedgerLocation, parse_database_url
from impossible_moments.scenarios import write_file_atomically

LEDGER: Final = "ledger.sqlite"
ADDRESS: Final = "ledger.url"
VARIABLE: Final = "IM_DATABASE_URL"
"""The environment variable with the address of the database, which may hold its password."""


def find_ledger(folder: Path, database_url: str | None = None) -> LedgerLocation:
    """Return where the ledger of a folder is. An address that is given counts first, then what the folder records.

    Raise `ConfigurationError` if the folder belongs to another ledger than the given one.
    """
    recorded, own = read_recorded_address(folder), folder / LEDGER
    around = None if own.is_file() else os.environ.get(VARIABLE) or None
    if (wanted := database_url or around) is None:
        return own if recorded is None else recorded
    url = parse_database_url(wanted)
    if own.is_file():
        raise ConfigurationError(
            f"{folder} has a ledger of its own, {LEDGER}, so its scenarios cannot be continued in {url}. Name another folder."
        )
    if recorded is not None and recorded.address != url.address:
        raise ConfigurationError(
            f"{folder} belongs to the ledger in {recorded}, and {url} was named. Name another folder, or the same database."
        )
    return url


def read_recorded_address(folder: Path) -> DatabaseUrl | None:
    """Return the database that a folder belongs to, or None."""
    path = folder / ADDRESS
    if not path.is_file():
        return None
    try:
        return parse_database_url(path.read_text(encoding="utf-8").strip())
    except UnicodeDecodeError:
        raise ConfigurationError(
            f"{path} does not hold the address of a database. Restore or remove it."
        ) from None


def record_address(folder: Path, location: LedgerLocation) -> None:
    """Record the database that a folder belongs to. The password is left out."""
    if isinstance(location, DatabaseUrl) and not (folder / ADDRESS).is_file():
        write_file_atomically(folder / ADDRESS, f"{location.address}\n")


def has_ledger(location: LedgerLocation) -> bool:
    """Return whether a ledger exists as far as can be told without opening it."""
    return isinstance(location, DatabaseUrl) or location.is_file()
