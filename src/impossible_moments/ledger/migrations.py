"""Migrations of a ledger from earlier formats to the present one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.brief_identity import compute_brief_identity

FORMAT: Final = 2
UNKNOWN_BEGINNING: Final = -1
"""`begun_after` of a scenario of format 1. It follows from the times of its row."""


def migrate_ledger(connection: sqlite3.Connection, path: Path) -> None:
    """Bring an open ledger to the present format, within the transaction of the caller.

    Raise `ConfigurationError` if its format is not known.
    """
    ((found,),) = connection.execute("SELECT format FROM ledger_format").fetchall()
    if found != FORMAT and found not in _MIGRATIONS:
        raise ConfigurationError(
            f"{path}: the ledger has format {found}, and this version reads formats up to {FORMAT}. "
            "Use the version that wrote it, or name another file."
        )
    for number in range(found, FORMAT):
        _MIGRATIONS[number](connection)
    if found != FORMAT:
        connection.execute("UPDATE ledger_format SET format = ?", (FORMAT,))


def _add_identities_and_beats(connection: sqlite3.Connection) -> None:
    """Format 2: a brief has an identity, a lease is a beat and not a time, and publications have numbers."""
    for column in (
        "beat INTEGER NOT NULL DEFAULT 0",
        "identity TEXT NOT NULL DEFAULT ''",
        "performers TEXT NOT NULL DEFAULT ''",
        f"begun_after INTEGER NOT NULL DEFAULT {UNKNOWN_BEGINNING}",
    ):
        connection.execute(f"ALTER TABLE scenarios ADD COLUMN {column}")
    connection.execute("ALTER TABLE scenarios DROP COLUMN lease_until")
    for scenario, brief in connection.execute("SELECT scenario, brief FROM scenarios").fetchall():
        connection.execute(
            "UPDATE scenarios SET identity = ? WHERE scenario = ?", (compute_brief_identity(brief), scenario)
        )


_MIGRATIONS: Final[Mapping[int, Callable[[sqlite3.Connection], None]]] = {1: _add_identities_and_beats}
"""What leads from a format to the next."""
