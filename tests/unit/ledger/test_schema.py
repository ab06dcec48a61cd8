"""Making a ledger survives kills and simultaneous starts; what is not a ledger is refused in one sentence."""

from __future__ import annotations

import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import answered_asks, human_questions, leases, messages
from impossible_moments.ledger.leases import list_scenario_rows
from impossible_moments.ledger.schema import TABLES
from impossible_moments.ledger.sqlite_connection import connect_ledger
from impossible_moments.ledger.store import LedgerStore

# opens a ledger and dies of its own hand after so many statements of making it
DYING = """
import os, signal, sys
from pathlib import Path
from impossible_moments.ledger import schema, sqlite_connection
class Tables(tuple):
    def __iter__(self):
        for place, statement in enumerate(super().__iter__()):
            if place == int(sys.argv[2]):
                os.kill(os.getpid(), signal.SIGKILL)
            yield statement
schema.TABLES = Tables(schema.TABLES)
sqlite_connection.connect_ledger(Path(sys.argv[1]))
"""
OPENING = "import sys; from pathlib import Path; from impossible_moments.ledger.store import LedgerStore; LedgerStore(Path(sys.argv[1])).close()"
ONLY_SQLITE = re.compile(
    r"OR (REPLACE|IGNORE)|AUTOINCREMENT|rowid|PRAGMA|GLOB|datetime\(|WITHOUT", re.IGNORECASE
)


@pytest.mark.slow
@pytest.mark.parametrize("statement", range(len(TABLES)))
def test_a_kill_while_the_ledger_is_made_leaves_a_file_that_opens(statement: int, tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    died = subprocess.run([sys.executable, "-c", DYING, str(path), str(statement)], check=False)
    assert died.returncode == -signal.SIGKILL

    with LedgerStore(path) as store:
        assert store.read_and_wait(list_scenario_rows) == ()


@pytest.mark.slow
def test_processes_that_start_at_once_on_a_new_file_all_open_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPENING, str(tmp_path / "ledger.db")]
    processes = [subprocess.Popen(command) for _ in range(4)]

    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0, 0]


def test_commits_reach_the_disk_before_they_are_called_commits(tmp_path: Path) -> None:
    connection = connect_ledger(tmp_path / "ledger.db")
    found = [connection.fetch_rows(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous")]
    connection.close()

    assert found == ["wal", 2]


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, and long enough to be taken for one\n" * 50, encoding="utf-8")

    with pytest.raises(ConfigurationError, match="not a ledger"):
        LedgerStore(path)


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(ConfigurationError, match="cannot be opened"):
        LedgerStore(tmp_path / "file" / "ledger.db")


def test_a_ledger_of_a_later_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    LedgerStore(path).close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE ledger_format SET format = 99")
    connection.commit()
    connection.close()

    with pytest.raises(ConfigurationError, match="format 99"):
        LedgerStore(path)


@pytest.mark.parametrize(
    "module", [leases, answered_asks, human_questions, messages], ids=lambda module: module.__name__
)
def test_statements_use_no_sql_that_only_sqlite_knows(module: object) -> None:
    statements = [value for name, value in vars(module).items() if name.startswith("_") and name.isupper()]

    assert [statement for statement in statements if ONLY_SQLITE.search(str(statement))] == []
