"""The tables of a ledger, created so that neither a kill nor a concurrent first start corrupts the file."""

from __future__ import annotations

import re
import sqlite3
import time
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.migrations import FORMAT, migrate_ledger

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
        beat INTEGER NOT NULL,
        enrolled_at DOUBLE PRECISION NOT NULL,
        changed_at DOUBLE PRECISION NOT NULL,
        forked_from TEXT NOT NULL,
        identity TEXT NOT NULL,
        performers TEXT NOT NULL,
        begun_after INTEGER NOT NULL
    )""",
    """CREATE TABLE IF NOT EXISTS publications (
        number INTEGER PRIMARY KEY,
        scenario TEXT NOT NULL UNIQUE,
        signature TEXT NOT NULL,
        essence BYTEA NOT NULL,
        metadata BYTEA NOT NULL
    )""",
    """CREATE TABLE IF NOT EXISTS known_registry (only_row INTEGER PRIMARY KEY, stamp TEXT NOT NULL)""",
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
    f"""INSERT INTO ledger_format (only_row, format) VALUES (1, {FORMAT}) ON CONFLICT DO NOTHING""",  # noqa: S608 - a number of this module
)
TABLE_NAMES: Final = frozenset(re.findall(r"CREATE TABLE IF NOT EXISTS (\w+)", "\n".join(TABLES)))
# Made after a migration, because they name columns that earlier formats do not have.
INDEXES: Final = (
    """CREATE INDEX IF NOT EXISTS scenarios_by_number ON scenarios (LENGTH(scenario), scenario)""",
    """CREATE INDEX IF NOT EXISTS scenarios_by_state ON scenarios (state, owner)""",
    """CREATE INDEX IF NOT EXISTS publications_by_scenario ON publications (LENGTH(scenario), scenario)""",
    """CREATE INDEX IF NOT EXISTS scenarios_by_identity ON scenarios (identity)""",
    """CREATE INDEX IF NOT EXISTS scenarios_by_owner ON scenarios (owner) WHERE owner <> ''""",
    """CREATE INDEX IF NOT EXISTS publications_by_signature ON publications (signature)""",
)


def connect_ledger(path: Path) -> sqlite3.Connection:
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
        create_tables(connection, path)
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


def create_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Create the missing tables and migrate an earlier format, all of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in TABLES:
            connection.execute(statement)
        migrate_ledger(connection, path)
        for statement in INDEXES:
            connection.execute(statement)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
