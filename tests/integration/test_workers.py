"""Workers that share a ledger: each scenario is produced once, whatever happens to the workers and the database."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import DatabaseUrl, LedgerStore, ScenarioState, leases
from impossible_moments.pipeline.pipeline import Pipeline
from support.chaos import ChaosPlan, Site, make_briefs, run_undisturbed, run_with_chaos
from support.postgres_server import PostgresServer

pytestmark = pytest.mark.slow
BUILTIN_CAST = dict.fromkeys(("ATHENA", "EULER", "GALILEO", "NEWTON", "SOCRATES"), "builtin")
PLAN = ChaosPlan(scenarios=4, workers=2, kills=2, freezes=0, restarts=1, pause=(2.0, 4.0))


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    return run_undisturbed(Site.make_local(tmp_path_factory.mktemp("calm")), PLAN).documents


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_disturbed_workers_lose_nothing_and_make_nothing_twice(
    database: str, calm: dict[str, dict[str, str]], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if database == "sqlite":
        outcome = run_with_chaos(Site.make_local(tmp_path), PLAN)
    else:
        server: PostgresServer = request.getfixturevalue("postgres_server")
        site = Site(tmp_path, DatabaseUrl(server.create_database()))
        outcome = run_with_chaos(site, PLAN, server.restart)

    assert outcome.states == {ScenarioState.ACCEPTED: PLAN.scenarios}
    assert len(set(outcome.published)) == len(outcome.published) == PLAN.scenarios
    assert outcome.documents == calm


def run_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-c",
        "import sys; from impossible_moments.cli.main import main; sys.exit(main())",
    ]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)


def test_a_folder_of_a_database_needs_its_address_once(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    url = postgres_server.create_database()
    folder = tmp_path / "scenarios"
    Pipeline(output=folder, database_url=url, cast=BUILTIN_CAST).enrol_all(make_briefs(1))

    worked = run_command("worker", "--until-done", "--output", str(folder), "--json")
    status = run_command("status", "--output", str(folder), "--json")

    assert (worked.returncode, json.loads(worked.stdout)["states"]) == (0, {"accepted": 1})
    assert json.loads(status.stdout)["states"] == {"accepted": 1}
    assert not (folder / "ledger.sqlite").exists()


def test_a_folder_belongs_to_one_ledger(postgres_server: PostgresServer, tmp_path: Path) -> None:
    first, second = postgres_server.create_database(), postgres_server.create_database()
    Pipeline(output=tmp_path / "shared", database_url=first).open_ledger().close()
    Pipeline(output=tmp_path / "own").open_ledger().close()

    with pytest.raises(ConfigurationError, match="belongs to the ledger"):
        Pipeline(output=tmp_path / "shared", database_url=second)
    with pytest.raises(ConfigurationError, match="a ledger of its own"):
        Pipeline(output=tmp_path / "own", database_url=first)


def test_publications_of_other_machines_are_copied(postgres_server: PostgresServer, tmp_path: Path) -> None:
    url = postgres_server.create_database()
    (made,) = Pipeline(output=tmp_path / "one", database_url=url).generate_all(make_briefs(1))
    other = Pipeline(output=tmp_path / "other", database_url=url)

    assert [other.copy_publications(), other.copy_publications()] == [1, 0]
    assert other.registry.read_documents(made.scenario_id) == made.documents


def test_a_worker_that_is_asked_to_end_gives_its_leases_back(tmp_path: Path) -> None:
    pipeline = Pipeline(output=tmp_path, cast=BUILTIN_CAST)
    pipeline.enrol_all(make_briefs(1))
    with LedgerStore(pipeline.ledger) as store:
        read = partial(leases.get_scenario_row, scenario="IM-0001")
        worker = subprocess.Popen(
            [
                sys.executable, "-c", "import sys; from impossible_moments.cli.main import main; sys.exit(main())",
                "worker", "--output", str(tmp_path),
            ],
            stderr=subprocess.PIPE,
        )  # fmt: skip
        deadline = time.monotonic() + 120
        while (row := store.read_and_wait(read)) is None or not row.owner:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        worker.send_signal(signal.SIGTERM)
        worker.communicate(timeout=120)
        found = store.read_and_wait(read)

    assert found is not None
    assert found.owner == ""
