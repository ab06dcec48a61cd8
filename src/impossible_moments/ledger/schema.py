"""The tables of a ledger, the same on every database."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.ledger.database import StatementRunner
from impossible_moments.ledger.migrations import FORMAT, migrate_ledger

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
    """CREATE TABLE IF NOT EXISTS documents (
        scenario TEXT NOT NULL,
        path TEXT NOT NULL,
        document BYTEA NOT NULL,
        PRIMARY KEY (scenario, path)
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


def create_tables(transaction: StatementRunner, place: object) -> None:
    """Create the missing tables and migrate an earlier format, within the transaction of the caller.

    `place` is named in errors.
    """
    for statement in TABLES:
        transaction.execute_change(statement)
    migrate_ledger(transaction, place)
    for statement in INDEXES:
        transaction.execute_change(statement)
