"""What the ledger needs of a database: statements with named values, transactions, and errors in one sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from impossible_moments.errors import ConfigurationError

_SCHEMES: Final = frozenset({"postgresql", "postgres"})
_SECRET: Final = re.compile(r"(?i)(ssl)?pass(word|file)?=")


class StatementRunner(Protocol):
    """Executes statements within a transaction. They refer to values as `:name`."""

    def fetch_rows(self, statement: str, values: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
        """Execute a statement and return its rows."""
        ...

    def execute_change(self, statement: str, values: Mapping[str, object] | None = None) -> int:
        """Execute a statement and return the number of rows it changed."""
        ...


class DatabaseConnection(StatementRunner, Protocol):
    """An open database, used by one thread."""

    @property
    def is_shared(self) -> bool:
        """Whether several machines use the database."""
        ...

    @property
    def skip_locked(self) -> str:
        """What follows a subquery whose row another transaction must not choose too."""
        ...

    def begin(self, *, writes: bool) -> None:
        """Begin a transaction."""
        ...

    def commit(self) -> None:
        """Commit the transaction. When this returns it is durable."""
        ...

    def roll_back(self) -> None:
        """Undo the transaction, if there is one."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...

    def prepare_to_repeat(self, error: Exception, attempt: int) -> bool:
        """Return whether work that raised an error can be repeated, after what it needs for that has been done.

        Attempts are counted from 1.
        """
        ...

    def explain_error(self, error: Exception) -> Exception:
        """Return an error of the database as one for the user, and any other error as it is."""
        ...

    def explain_damage(self, reason: str) -> Exception:
        """Return the error for rows that cannot be read."""
        ...


@dataclass(frozen=True, slots=True)
class DatabaseUrl:
    """The address of a database server. Its text shows no password."""

    secret: str = field(repr=False)
    """The whole address."""

    @property
    def address(self) -> str:
        """The address without the password."""
        parts = urlsplit(self.secret)
        user, at, host = parts.netloc.rpartition("@")
        query = "&".join(each for each in parts.query.split("&") if not _SECRET.match(each))
        return urlunsplit((parts.scheme, f"{user.partition(':')[0]}{at}{host}", parts.path, query, ""))

    def __str__(self) -> str:
        return self.address


LedgerLocation: TypeAlias = Path | DatabaseUrl
"""A SQLite file, or a database server."""


def parse_database_url(text: str) -> DatabaseUrl:
    """Return an address of a Postgres database. Raise `ConfigurationError` if the text is none."""
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in _SCHEMES:
        raise ConfigurationError(
            "The database URL is not the address of a Postgres database. Give one such as postgresql://user@host/name."
        )
    return DatabaseUrl(text)
