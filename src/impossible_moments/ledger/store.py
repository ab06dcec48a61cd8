"""The store: one thread owns the database and commits the work of several writers together.

A commit waits for the disk, so writers share it: everything submitted during one commit goes into the next
one. Work is a function of a transaction and may be run again, because one writer's error must not undo
another's row.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeAlias, TypeVar

from pydantic import ValidationError

from impossible_moments.ledger.database import DatabaseConnection, DatabaseUrl, LedgerLocation
from impossible_moments.ledger.postgres_connection import connect_postgres_ledger
from impossible_moments.ledger.read_only import connect_ledger_for_reading
from impossible_moments.ledger.sqlite_connection import connect_ledger

T = TypeVar("T")
_UNREADABLE: Final = (zlib.error, ValidationError, json.JSONDecodeError, UnicodeDecodeError)
"""What reading a row raises if its values are not what was written."""
LINGER_SECONDS: Final = 0.05
"""How long an event waits for a commit that it can join."""


class LedgerTransaction:
    """An open transaction. Statements refer to values as `:name`."""

    def __init__(self, connection: DatabaseConnection) -> None:
        self._connection = connection

    @property
    def skip_locked(self) -> str:
        """What follows a subquery whose row another transaction must not choose too."""
        return self._connection.skip_locked

    def fetch_rows(self, statement: str, **values: object) -> list[tuple[Any, ...]]:
        """Execute a statement and return its rows."""
        return self._connection.fetch_rows(statement, values)

    def execute_change(self, statement: str, **values: object) -> int:
        """Execute a statement and return the number of rows it changed."""
        return self._connection.execute_change(statement, values)


Work: TypeAlias = Callable[[LedgerTransaction], T]


@dataclass(frozen=True, slots=True)
class _StoreJob(Generic[T]):
    work: Work[T]
    future: Future[T]
    writes: bool = True
    waited_for: bool = True


class LedgerStore:
    """An open ledger database. Everything submitted is written before `close` returns.

    A ledger that is opened with `read_only` needs no write access to its folder, and cannot be changed.
    """

    is_shared: bool
    """Whether several machines use the ledger, which then holds the published documents too."""

    def __init__(self, location: LedgerLocation, *, read_only: bool = False) -> None:
        self._jobs: SimpleQueue[_StoreJob[Any] | None] = SimpleQueue()
        self._closing = Lock()
        self._closed = False
        opened: Future[bool] = Future()
        connect = partial(_connect_database, location, read_only=read_only)
        self._thread = Thread(
            target=self._run_jobs, args=(connect, opened), name=f"ledger {location}", daemon=True
        )
        self._thread.start()
        self.is_shared = opened.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Finish the submitted work, and close the database."""
        with self._closing:
            if not self._closed:
                self._jobs.put(None)
            self._closed = True
        self._thread.join()

    def commit_and_wait(self, work: Work[T]) -> T:
        """Run and commit some work, and wait for its result."""
        return self._submit_job(_StoreJob(work, Future())).result()

    def read_and_wait(self, work: Work[T]) -> T:
        """Run some work that only reads, and wait for its result."""
        return self._submit_job(_StoreJob(work, Future(), writes=False)).result()

    async def commit(self, work: Work[T]) -> T:
        """Run and commit some work. A caller that stops waiting does not stop the commit."""
        return await asyncio.shield(asyncio.wrap_future(self._submit_job(_StoreJob(work, Future()))))

    async def read(self, work: Work[T]) -> T:
        """Run some work that only reads."""
        return await asyncio.wrap_future(self._submit_job(_StoreJob(work, Future(), writes=False)))

    def commit_later(self, work: Work[None]) -> None:
        """Run some work with the next commit, without waiting. It may be lost if the process is killed."""
        self._submit_job(_StoreJob(work, Future(), waited_for=False))

    def _submit_job(self, job: _StoreJob[T]) -> Future[T]:
        with self._closing:
            if self._closed:
                raise RuntimeError("the ledger is closed; keep it open while it is used")
            self._jobs.put(job)
        return job.future

    def _run_jobs(self, connect: Callable[[], DatabaseConnection], opened: Future[bool]) -> None:
        try:
            connection = connect()
        except BaseException as error:  # noqa: BLE001 - the edge of the thread: the caller that opens the store gets the error
            opened.set_exception(error)
            return
        opened.set_result(connection.is_shared)
        try:
            is_closed = False
            while not is_closed:
                batch, is_closed = self._collect_batch()
                jobs = [job for job in batch if job.future.set_running_or_notify_cancel()]
                _commit_batch(connection, jobs)
        finally:
            connection.close()

    def _collect_batch(self) -> tuple[list[_StoreJob[Any]], bool]:
        """Return all waiting jobs, and whether they are the last.

        Events alone wait a moment for other jobs.
        """
        batch: list[_StoreJob[Any]] = []
        awaited = False
        while True:
            try:
                job = self._jobs.get(
                    block=not awaited, timeout=LINGER_SECONDS if batch and not awaited else None
                )
            except Empty:
                return batch, False
            if job is None:
                return batch, True
            batch.append(job)
            awaited = awaited or job.waited_for


def _connect_database(location: LedgerLocation, *, read_only: bool) -> DatabaseConnection:
    if isinstance(location, DatabaseUrl):
        return connect_postgres_ledger(location, read_only=read_only)
    return connect_ledger_for_reading(location) if read_only else connect_ledger(location)


def _commit_batch(connection: DatabaseConnection, jobs: Sequence[_StoreJob[Any]]) -> None:
    """Commit jobs together.

    If that fails, each is committed alone, so that an error reaches only its own caller.
    """
    try:
        results = _execute_batch_repeatedly(connection, jobs)
    except Exception as error:  # noqa: BLE001 - the edge of the thread: the caller gets the error
        if len(jobs) == 1:
            jobs[0].future.set_exception(_explain_error(error, connection))
        else:
            for job in jobs:
                _commit_batch(connection, [job])
        return
    for job, result in zip(jobs, results, strict=True):
        job.future.set_result(result)


def _explain_error(error: Exception, connection: DatabaseConnection) -> Exception:
    if isinstance(error, _UNREADABLE):
        return connection.explain_damage((str(error).splitlines() or [type(error).__name__])[0])
    return connection.explain_error(error)


def _execute_batch_repeatedly(connection: DatabaseConnection, jobs: Sequence[_StoreJob[Any]]) -> list[Any]:
    """Execute jobs in one transaction, and again if the database says that they can be repeated."""
    attempt = 1
    while True:
        try:
            return _execute_batch(connection, jobs)
        except Exception as error:
            if not connection.prepare_to_repeat(error, attempt):
                raise
            attempt += 1


def _execute_batch(connection: DatabaseConnection, jobs: Sequence[_StoreJob[Any]]) -> list[Any]:
    if not jobs:
        return []
    connection.begin(writes=any(job.writes for job in jobs))
    try:
        transaction = LedgerTransaction(connection)
        results = [job.work(transaction) for job in jobs]
        connection.commit()
    except BaseException:
        connection.roll_back()
        raise
    return results
