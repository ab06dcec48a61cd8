"""Writers share commits, and nobody's error is another's."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from impossible_moments.ledger.store import LedgerStore, LedgerTransaction

NOTE = "INSERT INTO events VALUES (:name, '', '', '', '', 0)"


def write(transaction: LedgerTransaction, name: str) -> LedgerTransaction:
    transaction.execute_change(NOTE, name=name)
    return transaction


def names(transaction: LedgerTransaction) -> list[str]:
    return [name for (name,) in transaction.fetch_rows("SELECT scenario FROM events ORDER BY scenario")]


def test_what_is_handed_in_during_a_commit_is_committed_together(tmp_path: Path) -> None:
    with LedgerStore(tmp_path / "ledger.db") as store, ThreadPoolExecutor(9) as pool:
        busy, go_on = threading.Event(), threading.Event()

        def slow(_transaction: LedgerTransaction) -> None:
            busy.set()
            go_on.wait()

        first = pool.submit(store.commit_and_wait, slow)
        busy.wait()
        others = [pool.submit(store.commit_and_wait, partial(write, name=str(place))) for place in range(8)]
        while store._jobs.qsize() < 8:
            pass
        go_on.set()
        first.result()

        assert len({id(other.result()) for other in others}) == 1


def test_an_error_of_one_writer_undoes_no_other_s_row(tmp_path: Path) -> None:
    with LedgerStore(tmp_path / "ledger.db") as store:

        def failing(transaction: LedgerTransaction) -> None:
            write(transaction, "half")
            raise ValueError("no")

        store.commit_later(partial(write, name="other"))  # type: ignore[arg-type]  # what it returns is not looked at
        with pytest.raises(ValueError, match="no"):
            store.commit_and_wait(failing)

        assert store.read_and_wait(names) == ["other"]


def test_whoever_stops_waiting_does_not_stop_the_commit(tmp_path: Path) -> None:
    with LedgerStore(tmp_path / "ledger.db") as store:

        async def impatient() -> None:
            writing = asyncio.create_task(store.commit(partial(write, name="kept")))
            await asyncio.sleep(0)
            writing.cancel()

        asyncio.run(impatient())

        assert store.read_and_wait(names) == ["kept"]


def test_what_nobody_waits_for_is_written_when_the_store_is_closed(tmp_path: Path) -> None:
    with LedgerStore(tmp_path / "ledger.db") as store:
        store.commit_later(partial(write, name="note"))  # type: ignore[arg-type]  # what it returns is not looked at

    with LedgerStore(tmp_path / "ledger.db") as store:
        assert store.read_and_wait(names) == ["note"]


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = LedgerStore(tmp_path / "ledger.db")
    store.close()

    with pytest.raises(RuntimeError, match="closed"):
        store.commit_and_wait(names)
