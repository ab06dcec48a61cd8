"""A ledger of an earlier format is migrated when it is opened, as a whole, and can be read without being changed."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path

from impossible_moments.ledger.leases import ScenarioRow, get_scenario_row, list_runs_of_brief
from impossible_moments.ledger.migrations import FORMAT, UNKNOWN_BEGINNING
from impossible_moments.ledger.store import LedgerStore

# the tables of format 1 that later formats changed
FORMAT_1 = """
    CREATE TABLE ledger_format (only_row INTEGER PRIMARY KEY, format INTEGER NOT NULL);
    INSERT INTO ledger_format VALUES (1, 1);
    CREATE TABLE scenarios (
        scenario TEXT PRIMARY KEY, brief TEXT NOT NULL, priority INTEGER NOT NULL, state TEXT NOT NULL,
        phase TEXT NOT NULL, reason TEXT NOT NULL, owner TEXT NOT NULL, lease_until DOUBLE PRECISION NOT NULL,
        enrolled_at DOUBLE PRECISION NOT NULL, changed_at DOUBLE PRECISION NOT NULL, forked_from TEXT NOT NULL
    );
    INSERT INTO scenarios VALUES
        ('IM-0001', '{"seed": 1, "scenario_id": "IM-0001"}', 0, 'accepted', '', '', '', 0, 10, 20, ''),
        ('IM-0002', '{"seed": 2, "scenario_id": "IM-0002"}', 0, 'running', '', '', 'somebody', 99, 15, 15, '');
"""


def write_format_1(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(FORMAT_1)
    connection.close()


def read_format(path: Path) -> int:
    connection = sqlite3.connect(path)
    ((found,),) = connection.execute("SELECT format FROM ledger_format").fetchall()
    connection.close()
    return int(found)


def read_row(store: LedgerStore, scenario: str) -> ScenarioRow:
    found = store.read_and_wait(partial(get_scenario_row, scenario=scenario))
    assert found is not None
    return found


def test_a_ledger_of_format_1_is_migrated_with_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    write_format_1(path)
    with LedgerStore(path) as store:
        row = read_row(store, "IM-0002")
        runs = store.read_and_wait(partial(list_runs_of_brief, brief='{"seed": 2}'))

    assert (row.owner, row.beat, row.performers, row.begun_after) == ("somebody", 0, "", UNKNOWN_BEGINNING)
    assert [each.scenario for each in runs] == ["IM-0002"]
    assert read_format(path) == FORMAT


def test_a_ledger_that_is_opened_twice_is_migrated_once(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    write_format_1(path)
    LedgerStore(path).close()
    with LedgerStore(path) as store:
        assert read_row(store, "IM-0001").enrolled_at == 10.0


def test_a_ledger_of_format_1_is_read_without_being_changed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    write_format_1(path)
    before = path.read_bytes()
    with LedgerStore(path, read_only=True) as store:
        assert read_row(store, "IM-0002").owner == "somebody"

    assert (path.read_bytes(), [each.name for each in tmp_path.iterdir()]) == (before, ["ledger.db"])
