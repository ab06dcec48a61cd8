"""Postgres as a ledger: several first starts at once, restarts of the server, and errors in one sentence."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import psycopg
import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import DatabaseUrl, Lease, LedgerStore, NewScenario, leases, parse_database_url
from support.postgres_server import PostgresServer

NOW = 0.0
OPENING = """
import sys
from impossible_moments.ledger import LedgerStore, parse_database_url
LedgerStore(parse_database_url(sys.argv[1])).close()
"""


def open_ledger(server: PostgresServer) -> LedgerStore:
    return LedgerStore(parse_database_url(server.create_database()))


def enrol(store: LedgerStore, count: int) -> None:
    for number in range(count):
        name = f"IM-{number + 1:04d}"
        store.commit_and_wait(partial(leases.enrol_scenario, scenario=name, new=NewScenario("{}", NOW)))


def test_simultaneous_first_starts_all_open_the_ledger(postgres_server: PostgresServer) -> None:
    url = postgres_server.create_database()
    processes = [subprocess.Popen([sys.executable, "-c", OPENING, url]) for _ in range(3)]

    assert [process.wait(timeout=120) for process in processes] == [0, 0, 0]


@pytest.mark.parametrize("way", ["SIGINT", "SIGQUIT"])
def test_a_restart_of_the_server_is_waited_for(postgres_server: PostgresServer, way: str) -> None:
    with open_ledger(postgres_server) as store:
        enrol(store, 1)
        postgres_server.restart(signal.Signals[way])
        enrol(store, 2)

        assert len(store.read_and_wait(leases.list_scenario_rows)) == 2


def test_a_commit_whose_answer_was_lost_is_not_repeated(postgres_server: PostgresServer) -> None:
    """The connection ends after the commit and before its answer, which cannot be told from a commit that failed."""
    calls = []
    with open_ledger(postgres_server) as store:
        enrol(store, 1)

        def claim_and_lose_connection(transaction: object) -> str:
            calls.append(transaction)
            connection = transaction._connection  # type: ignore[attr-defined]  # the connection behind the transaction
            found = leases.claim_next_scenario(transaction, lease=Lease("me", NOW))  # type: ignore[arg-type]  # see above
            if len(calls) == 1:
                execute = connection._connection.execute

                def commit_and_close(statement: str) -> None:
                    execute(statement)
                    connection._connection.close()
                    raise psycopg.OperationalError("lost")

                connection._connection.execute = lambda statement, *rest: (
                    commit_and_close(statement) if statement == "COMMIT" else execute(statement, *rest)
                )
            return "" if found is None else found.scenario

        assert store.commit_and_wait(claim_and_lose_connection) == "IM-0001"
    assert len(calls) == 1


def test_runners_that_claim_at_once_take_different_scenarios(postgres_server: PostgresServer) -> None:
    url = parse_database_url(postgres_server.create_database())
    with LedgerStore(url) as store:
        enrol(store, 12)

    def claim_three(owner: str) -> list[str]:
        with LedgerStore(url) as own:
            rows = [
                own.commit_and_wait(partial(leases.claim_next_scenario, lease=Lease(owner, NOW)))
                for _ in range(3)
            ]
        return [row.scenario for row in rows if row is not None]

    with ThreadPoolExecutor(4) as pool:
        taken = [name for names in pool.map(claim_three, "abcd") for name in names]

    assert sorted(taken) == [f"IM-{number:04d}" for number in range(1, 13)]


def test_a_server_that_cannot_be_reached_is_one_sentence() -> None:
    with pytest.raises(ConfigurationError, match="cannot be reached"):
        LedgerStore(DatabaseUrl("postgresql://user:secret@127.0.0.1:1/name"))


def test_an_address_shows_no_password() -> None:
    url = parse_database_url("postgresql://user:secret@host/name?password=hidden&sslmode=require")

    assert (str(url), "secret" in repr(url)) == ("postgresql://user@host/name?sslmode=require", False)


def test_another_kind_of_address_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="not the address of a Postgres database"):
        parse_database_url("mysql://host/name")
