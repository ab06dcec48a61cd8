"""Postgres: the ledger of several machines, at the address of a server.

A lost connection is made again, and the work of its transaction is repeated unless the server says that it was
committed. So a restart of the server delays a run and changes nothing.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.database import DatabaseUrl
from impossible_moments.ledger.schema import create_tables

if TYPE_CHECKING:
    import psycopg

RECONNECT_SECONDS: Final = 120.0
"""How long a server that cannot be reached is tried."""
MOST_ATTEMPTS: Final = 20
"""How often a transaction is repeated."""
_LONGEST_PAUSE: Final = 2.0
_NAMES: Final = re.compile(r"(?<![:\w]):([a-z_]+)")
_TEXT_COLUMN: Final = re.compile(r"\bTEXT\b")
_LOCK_TABLES: Final = "SELECT pg_advisory_xact_lock(4993361)"
"""Simultaneous first starts create the tables one after the other."""
_OPTIONS: Final[Mapping[str, Any]] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
    "application_name": "impossible-moments",
}


def connect_postgres_ledger(url: DatabaseUrl, *, read_only: bool) -> PostgresConnection:
    """Open the ledger at an address, and create its tables if it has none.

    Raise `ConfigurationError` if the server cannot be reached or the ledger cannot be opened.
    """
    _load_driver()
    try:
        connection = psycopg.connect(url.secret, autocommit=True, **_OPTIONS)
    except psycopg.Error as error:
        raise ConfigurationError(
            f"{url}: the database cannot be reached ({_get_first_line(error)}). Check the address, and whether the server runs."
        ) from None
    ledger = PostgresConnection(connection, url, read_only=read_only)
    if not read_only:
        _create_missing_tables(ledger)
    return ledger


def _load_driver() -> None:
    global psycopg  # noqa: PLW0603 - the name is bound when it is first needed, because the driver is an extra
    try:
        import psycopg  # noqa: PLC0415 - see above
    except ImportError:
        raise ConfigurationError(
            "A ledger in Postgres needs psycopg: pip install 'impossible-moments[postgres]'."
        ) from None


class PostgresConnection:
    """An open ledger in Postgres, used by one thread."""

    is_shared: Final = True
    skip_locked: Final = "FOR UPDATE SKIP LOCKED"

    def __init__(self, connection: psycopg.Connection, url: DatabaseUrl, *, read_only: bool) -> None:
        self._connection = connection
        self._url = url
        self._read_only = read_only
        self._transaction_id: int | None = None

    def begin(self, *, writes: bool) -> None:
        """Begin a transaction. One that only reads sees the state of one moment."""
        self._transaction_id = None
        if not writes or self._read_only:
            self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            return
        self._connection.execute("BEGIN")
        ((self._transaction_id,),) = self.fetch_rows(
            "SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)"
        )

    def commit(self) -> None:
        """Commit the transaction. If the connection is lost at this moment, the server is asked what became of it."""
        try:
            self._connection.execute("COMMIT")
        except psycopg.Error:
            if not self._connection.closed or self._transaction_id is None:
                raise
            self._reconnect()
            if not self._was_committed(self._transaction_id):
                raise

    def roll_back(self) -> None:
        """Undo the transaction, if there is one."""
        with suppress(psycopg.Error):  # with the connection the transaction is lost too
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def fetch_rows(self, statement: str, values: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
        """Execute a statement and return its rows."""
        return self._execute_statement(statement, values).fetchall()

    def execute_change(self, statement: str, values: Mapping[str, object] | None = None) -> int:
        """Execute a statement and return the number of rows it changed."""
        return self._execute_statement(statement, values).rowcount

    def prepare_to_repeat(self, error: Exception, attempt: int) -> bool:
        """Return whether a transaction can be repeated: after a deadlock, or when a lost connection has been made again."""
        if attempt >= MOST_ATTEMPTS:
            return False
        if isinstance(error, psycopg.errors.DeadlockDetected | psycopg.errors.SerializationFailure):
            return True
        if not isinstance(error, psycopg.Error):
            return False
        if not self._connection.closed:
            return isinstance(error, psycopg.OperationalError) and self._is_idle_again()
        self._reconnect()
        return True

    def explain_error(self, error: Exception) -> Exception:
        """Return an error of the database as one that names its address, and any other error as it is."""
        if not isinstance(error, psycopg.Error):
            return error
        return ConfigurationError(
            f"{self._url}: the ledger cannot be used ({_get_first_line(error)}). Nothing is lost: all answers so far are kept, and the "
            "same command continues."
        )

    def explain_damage(self, reason: str) -> Exception:
        """Return the error for rows that cannot be read."""
        return ConfigurationError(
            f"{self._url}: the ledger is damaged, or another version wrote it ({reason}). Restore it from a backup, or use that version."
        )

    def _execute_statement(
        self, statement: str, values: Mapping[str, object] | None
    ) -> psycopg.Cursor[tuple[Any, ...]]:
        bound = {
            name: str(value) if isinstance(value, str) else value for name, value in (values or {}).items()
        }
        return self._connection.execute(_translate_statement(statement), bound)

    def _is_idle_again(self) -> bool:
        """Return whether an open connection has lost only its transaction, as when the server cancels it."""
        return self._connection.info.transaction_status is psycopg.pq.TransactionStatus.IDLE

    def _reconnect(self) -> None:
        """Connect again. Raise the last error if the server cannot be reached for long."""
        deadline, pause = time.monotonic() + RECONNECT_SECONDS, 0.05
        while True:
            try:
                self._connection = psycopg.connect(self._url.secret, autocommit=True, **_OPTIONS)
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
            else:
                return

    def _was_committed(self, transaction_id: int) -> bool:
        """Return whether a transaction of a lost connection was committed, as soon as the server knows."""
        while True:
            ((found,),) = self.fetch_rows(
                "SELECT pg_xact_status(CAST(CAST(:number AS TEXT) AS xid8))", {"number": str(transaction_id)}
            )
            if found != "in progress":
                return bool(found == "committed")
            time.sleep(0.05)


def _create_missing_tables(ledger: PostgresConnection) -> None:
    """Create or migrate the tables of a ledger, all of it or nothing."""
    try:
        ledger.begin(writes=True)
        ledger.fetch_rows(_LOCK_TABLES)
        create_tables(_TableMaker(ledger), "The ledger in the database")
        ledger.commit()
    except ConfigurationError:
        ledger.close()
        raise
    except psycopg.Error as error:
        ledger.close()
        raise ledger.explain_error(error) from None


class _TableMaker:
    """Executes statements that create tables, with texts in the order of their code points as on SQLite."""

    def __init__(self, ledger: PostgresConnection) -> None:
        self._ledger = ledger

    def fetch_rows(self, statement: str, values: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
        return self._ledger.fetch_rows(statement, values)

    def execute_change(self, statement: str, values: Mapping[str, object] | None = None) -> int:
        return self._ledger.execute_change(_TEXT_COLUMN.sub('TEXT COLLATE "C"', statement), values)


@lru_cache(maxsize=256)
def _translate_statement(statement: str) -> bytes:
    """Return a statement with its named values in the form of psycopg."""
    return _NAMES.sub(r"%(\1)s", statement.replace("%", "%%")).encode()


def _get_first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
