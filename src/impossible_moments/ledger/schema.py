"""The tables of a ledger, created so that neither a kill nor a concurrent first start corrupts the file."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError

FORMAT: Final = 1
BUSY_SECONDS: Final = 30.0
"""How long one process waits for another's commit."""

# SQLite and Postgres both know these column types. SQLite stores bytes as bytes whatever the column type is.
TABLES: Final = (
    """CREATE TABLE IF NOT EXISTS ledger_format (only_row INTEGER PRIMARY KEY, format INTEGER NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS scenarios (
        scenario TEXT PRIMARY KEY,
        brief TEXT NOT NULL,
        priority INTEGER NOT NULL,
        state TEXT NOT NULL,
        phase TEXT NOT NULL,
        reason TEXT NOT NULL,
        owner TEXT NOT NULL,
        lease_until DOUBLE PRECISION NOT NULL,
        enrolled_at DOUBLE PRECISION NOT NULL,
        changed_at DOUBLE PRECISION NOT NULL,
        forked_from TEXT NOT NULL
    )""",
    """CREATE TABLE IF NOT EXISTS answers (
        scenario TEXT NOT NULL,
        ask_key TEXT NOT NULL,
        round_number INTEGER NOT NULL,
        assignment_hash TEXT NOT NULL,
        reply BYTEA NOT NULL,
        returns TEXT NOT NULL,
        usage TEXT NOT NULL,
        model TEXT NOT NULL,
        prompt_hash TEXT NOT NULL,
        code_version TEXT NOT NULL,
        started_at DOUBLE PRECISION NOT NULL,
        answered_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (scenario, ask_key)
    )""",
    """CREATE INDEX IF NOT EXISTS answers_by_time ON answers (answered_at)""",
    """CREATE TABLE IF NOT EXISTS questions (
        scenario TEXT NOT NULL,
        ask_key TEXT NOT NULL,
        round_number INTEGER NOT NULL,
        assignment_hash TEXT NOT NULL,
        assignment BYTEA NOT NULL,
        returns TEXT NOT NULL,
        asked_at DOUBLE PRECISION NOT NULL,
        due_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (scenario, ask_key)
    )""",
    """CREATE TABLE IF NOT EXISTS messages (
        scenario TEXT NOT NULL,
        message_id TEXT NOT NULL,
        ask_key TEXT NOT NULL,
        round_number INTEGER NOT NULL,
        is_reply INTEGER NOT NULL,
        ask_number INTEGER NOT NULL,
        part INTEGER NOT NULL,
        phase TEXT NOT NULL,
        sender TEXT NOT NULL,
        recipient TEXT NOT NULL,
        message_type TEXT NOT NULL,
        disposition TEXT NOT NULL,
        problems TEXT NOT NULL,
        sent_at DOUBLE PRECISION NOT NULL,
        message BYTEA NOT NULL,
        PRIMARY KEY (scenario, message_id)
    )""",
    """CREATE INDEX IF NOT EXISTS messages_by_ask ON messages (scenario, ask_key)""",
    """CREATE TABLE IF NOT EXISTS events (
        scenario TEXT NOT NULL,
        ask_key TEXT NOT NULL,
        kind TEXT NOT NULL,
        owner TEXT NOT NULL,
        detail TEXT NOT NULL,
        noted_at DOUBLE PRECISION NOT NULL
    )""",
    """CREATE INDEX IF NOT EXISTS events_by_ask ON events (scenario, ask_key)""",
    """INSERT INTO ledger_format (only_row, format) VALUES (1, 1) ON CONFLICT DO NOTHING""",
)


def connect_ledger(path: Path) -> sqlite3.Connection:
    """Open a connection to the ledger at `path`, and create the file if it does not exist.

    Raises `ConfigurationError` if it cannot be opened or is not a ledger.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise ConfigurationError(
            f"{path}: the ledger cannot be opened ({error}). Name a file in a writable folder."
        ) from error
    try:
        _enable_write_ahead_log(connection)
        _create_tables(connection)
        _require_supported_format(connection, path)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise ConfigurationError(
            f"{path}: this file is not a ledger, or cannot be written ({error}). Name another file, or a new one."
        ) from error
    except ConfigurationError:
        connection.close()
        raise
    return connection


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


def _create_tables(connection: sqlite3.Connection) -> None:
    """Create the missing tables, all of them or none."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in TABLES:
        connection.execute(statement)
    connection.execute("COMMIT")


def _require_supported_format(connection: sqlite3.Connection, path: Path) -> None:
    ((found,),) = connection.execute("SELECT format FROM ledger_format").fetchall()
    if found != FORMAT:
        raise ConfigurationError(
            f"{path}: the ledger has format {found}, and this version reads format {FORMAT}. "
            "Use the version that wrote it, or name another file."
        )
