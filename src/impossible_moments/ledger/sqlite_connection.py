"""SQLite: the ledger of one machine, a file beside the scenarios."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.schema import create_tables

BUSY_SECONDS: Final = 30.0
"""How long one process waits for another's commit."""
_DAMAGE: Final = re.compile("malformed|no such (table|column)|not a database|UTF-8")


class SqliteConnection:
    """An open SQLite ledger, used by one thread."""

    is_shared: Final = False
    skip_locked: Final = ""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def begin(self, *, writes: bool) -> None:
        """Begin a transaction. One that will write states this at once, or it could be refused when it writes."""
        self._connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")

    def commit(self) -> None:
        """Commit the transaction."""
        self._connection.execute("COMMIT")

    def roll_back(self) -> None:
        """Undo the transaction, if there is one."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def fetch_rows(self, statement: str, values: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
        """Execute a statement and return its rows."""
        return self._connection.execute(statement, values or {}).fetchall()

    def execute_change(self, statement: str, values: Mapping[str, object] | None = None) -> int:
        """Execute a statement and return the number of rows it changed."""
        return self._connection.execute(statement, values or {}).rowcount

    def prepare_to_repeat(self, error: Exception, attempt: int) -> bool:  # noqa: ARG002 - one signature for all databases
        """Return False: SQLite has waited for the lock already, and knows no lost connections."""
        return False

    def explain_error(self, error: Exception) -> Exception:
        """Return an error of the database as one that names the file, and any other error as it is."""
        first = (str(error).splitlines() or [type(error).__name__])[0]
        if isinstance(error, sqlite3.OperationalError) and not _DAMAGE.search(first):
            return ConfigurationError(
                f"{self._path}: the ledger cannot be used ({first}). Nothing is lost: make room or allow writing, and run the command again."
            )
        if isinstance(error, sqlite3.DatabaseError):
            return self.explain_damage(first)
        return error

    def explain_damage(self, reason: str) -> Exception:
        """Return the error for rows that cannot be read."""
        return ConfigurationError(
            f"{self._path}: the ledger is damaged, or another version wrote it ({reason}). Restore it from a backup, or use that "
            "version. Published documents are not affected."
        )


def connect_ledger(path: Path) -> SqliteConnection:
    """Open a connection to the ledger at `path`, and create the file if it does not exist.

    Raises `ConfigurationError` if it cannot be opened or is not a ledger.
    """
    if path.is_symlink():
        raise ConfigurationError(
            f"{path} is a symbolic link, and a ledger is not written through links. Name the file itself."
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise ConfigurationError(
            f"{path}: the ledger cannot be opened ({error}). Name a file in a writable folder."
        ) from error
    try:
        _enable_write_ahead_log(connection)
        ledger = SqliteConnection(connection, path)
        create_tables_at_once(ledger, path)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise ConfigurationError(
            f"{path}: this file is not a ledger, or cannot be written ({error}). Name another file, or a new one."
        ) from error
    except ConfigurationError:
        connection.close()
        raise
    return ledger


def create_tables_at_once(ledger: SqliteConnection, path: Path) -> None:
    """Create or migrate the tables of a ledger, all of it or nothing, so that no kill leaves half of them."""
    ledger.begin(writes=True)
    try:
        create_tables(ledger, path)
        ledger.commit()
    except BaseException:
        ledger.roll_back()
        raise


def _enable_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log, and make every commit wait for the disk."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            # The switch does not wait for another process that is creating the same file.
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    connection.execute("PRAGMA synchronous = FULL")
