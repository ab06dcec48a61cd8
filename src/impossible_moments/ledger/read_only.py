"""Ledgers that are only read: no file beside them is made, and their folder need not be writable."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.migrations import FORMAT
from impossible_moments.ledger.schema import TABLE_NAMES
from impossible_moments.ledger.sqlite_connection import BUSY_SECONDS, SqliteConnection, create_tables_at_once

_COMPANIONS: Final = ("", "-wal")
"""The files of a ledger that hold data."""


def connect_ledger_for_reading(path: Path) -> SqliteConnection:
    """Open the ledger at `path` for reading. One of an earlier format is migrated in memory.

    Raises `ConfigurationError` if it cannot be read or is not a ledger.
    """
    try:
        connection = _open_file(path)
        if not _is_present_format(connection):
            connection = _copy_into_memory(connection)
            create_tables_at_once(SqliteConnection(connection, path), path)
        connection.execute("PRAGMA query_only = ON")
    except (OSError, ValueError, sqlite3.Error) as error:
        raise ConfigurationError(
            f"{path}: this file is not a ledger, or cannot be read ({error}). Name another file."
        ) from error
    return SqliteConnection(connection, path)


def _is_present_format(connection: sqlite3.Connection) -> bool:
    """Return whether a ledger has the present format and all tables. Earlier versions added tables to format 1.

    A file without tables is a ledger that another process creates at this moment.
    """
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not names:
        return False
    ((found,),) = connection.execute("SELECT format FROM ledger_format").fetchall()
    return found == FORMAT and names >= TABLE_NAMES


def _open_file(path: Path) -> sqlite3.Connection:
    """Open a file without changing it. A folder without write access is read from a copy if it has to be."""
    address = path.absolute().as_uri()
    try:
        if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            # The only way that leaves no log behind.
            return _open_address(f"{address}?mode=rw")
        return _open_address(f"{address}?mode=ro")
    except sqlite3.OperationalError:
        if not path.with_name(f"{path.name}-wal").exists():
            # Nobody is writing: a writer would have a log.
            return _open_address(f"{address}?mode=ro&immutable=1")
        with tempfile.TemporaryDirectory(prefix="im-ledger-") as folder:
            for ending in _COMPANIONS:
                shutil.copyfile(path.with_name(path.name + ending), Path(folder) / f"copy{ending}")
            return _copy_into_memory(_open_address((Path(folder) / "copy").as_uri()))


def _open_address(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _copy_into_memory(source: sqlite3.Connection) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:", isolation_level=None)
    source.backup(copy)
    source.close()
    return copy
