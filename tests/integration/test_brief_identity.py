"""A brief has one scenario: run again, run by several processes, interrupted or killed, it is continued and never copied."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from impossible_moments.ledger import LedgerStore, ScenarioRow, ScenarioState, leases, list_answers
from impossible_moments.pipeline import LEDGER
from impossible_moments.scenarios import ScenarioRegistry
from support.other_user import copy_read_only, run_without_write_access

MAIN = "from impossible_moments.cli.main import main; main()"

pytestmark = pytest.mark.slow


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", MAIN, *map(str, arguments)]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "300"},
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    with process:
        out, err = process.communicate(timeout=600)
    return process.returncode, out, err


def im(*arguments: str | Path) -> tuple[int, str, str]:
    return finish(start(*arguments))


def create(folder: Path, *arguments: str) -> tuple[str | Path, ...]:
    return ("create", "--output", folder, *arguments)


def list_rows(folder: Path) -> tuple[ScenarioRow, ...]:
    with LedgerStore(folder / LEDGER, read_only=True) as store:
        return store.read_and_wait(leases.list_scenario_rows)


def count_answers(folder: Path, scenario: str = "IM-0001") -> int:
    with LedgerStore(folder / LEDGER, read_only=True) as store:
        return len(store.read_and_wait(partial(list_answers, scenario=scenario)))


def wait_for_answers(folder: Path, process: subprocess.Popen[str], count: int) -> None:
    """Wait until a run has some answers, and is still going on."""
    while not (folder / LEDGER).is_file() or count_answers(folder) < count:
        assert process.poll() is None
        time.sleep(0.02)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scenario of one brief."""
    folder = tmp_path_factory.mktemp("made")
    assert im(*create(folder, "--seed", "1"))[0] == 0
    return folder


def test_a_killed_run_is_continued_by_the_same_command_and_gives_the_same_files(
    made: Path, tmp_path: Path
) -> None:
    process = start(*create(tmp_path, "--seed", "1"))
    wait_for_answers(tmp_path, process, 4)
    process.kill()
    finish(process)
    started = time.monotonic()
    status, out, _ = im(*create(tmp_path, "--seed", "1"))

    assert (status, [row.scenario for row in list_rows(tmp_path)]) == (0, ["IM-0001"])
    assert "IM-0001 is accepted" in out
    public = "public/IM-0001.md"
    assert (tmp_path / public).read_bytes() == (made / public).read_bytes()
    assert count_answers(tmp_path) == count_answers(made)
    assert time.monotonic() - started < 600


def test_ctrl_c_prints_how_to_go_on_and_resume_keeps_the_cast(tmp_path: Path) -> None:
    folder = tmp_path / "with space"
    process = start(*create(folder, "--seed", "1", "--with", "TURING"))
    wait_for_answers(folder, process, 3)
    process.send_signal(signal.SIGINT)
    status, _, err = finish(process)
    (row,) = list_rows(folder)

    assert status != 0
    assert "Traceback" not in err
    assert "Run the same command again to continue" in err
    assert f"`im resume --output '{folder}'`" in err
    assert (row.state, row.owner) == (ScenarioState.RUNNING, "")
    assert json.loads(row.performers)["models"]["TURING"] == "builtin"

    # without --with: the cast is in the ledger
    status, out, _ = im("resume", "--output", folder)
    assert status == 0
    assert "IM-0001 is accepted" in out
    assert "TURING" in ScenarioRegistry(folder).entries["IM-0001"].agent_versions


def test_another_cast_does_not_continue_a_run_in_silence(tmp_path: Path) -> None:
    process = start(*create(tmp_path, "--seed", "1", "--with", "TURING"))
    wait_for_answers(tmp_path, process, 3)
    process.kill()
    finish(process)
    status, _, err = im(*create(tmp_path, "--seed", "1"))

    assert status == 2
    assert "IM-0001 was begun from the same brief with the cast" in err
    assert "--again" in err


def test_four_processes_with_the_same_brief_make_one_scenario(made: Path, tmp_path: Path) -> None:
    runs = [finish(each) for each in [start(*create(tmp_path, "--seed", "1")) for _ in range(4)]]

    assert [status for status, _, _ in runs] == [0, 0, 0, 0], [err for _, _, err in runs]
    assert all("IM-0001 is accepted" in out for _, out, _ in runs)
    assert [row.scenario for row in list_rows(tmp_path)] == ["IM-0001"]
    assert list(ScenarioRegistry(tmp_path).entries) == ["IM-0001"]
    assert count_answers(tmp_path) == count_answers(made)


def test_four_processes_with_other_briefs_lose_none_and_skip_no_number(tmp_path: Path) -> None:
    runs = [finish(each) for each in [start(*create(tmp_path, "--seed", str(seed))) for seed in range(1, 5)]]
    rows = list_rows(tmp_path)
    accepted = {row.scenario for row in rows if row.state is ScenarioState.ACCEPTED}

    assert [status for status, _, _ in runs] == [0, 0, 0, 0], [err for _, _, err in runs]
    # a fifth or more replaces what was too near to a scenario published meanwhile
    assert [row.scenario for row in rows] == [f"IM-{number:04d}" for number in range(1, len(rows) + 1)]
    seeds = {json.loads(row.brief)["seed"] for row in rows if row.scenario in accepted}
    assert seeds == {1, 2, 3, 4}
    assert set(ScenarioRegistry(tmp_path).entries) == accepted


def test_again_makes_another_scenario_and_a_repeated_again_continues_it(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(made), str(folder)], check=True)
    process = start(*create(folder, "--seed", "1", "--again"))
    while len(list_rows(folder)) < 2 or count_answers(folder, "IM-0002") < 3:
        time.sleep(0.02)
    process.kill()
    finish(process)
    status, out, _ = im(*create(folder, "--seed", "1", "--again"))

    assert status == 0
    assert "IM-0002 is accepted" in out
    assert sorted(ScenarioRegistry(folder).entries) == ["IM-0001", "IM-0002"]


def test_a_deleted_registry_is_named_and_can_be_rebuilt(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(made), str(folder)], check=True)
    before = (folder / "registry.json").read_bytes()
    (folder / "registry.json").unlink()
    status, _, err = im(*create(folder, "--seed", "2"))

    assert status == 2
    assert "registry.json is missing, but the folder holds a published scenario, such as IM-0001" in err
    assert f"`im registry rebuild {folder}`" in err
    assert "registry.json is missing" in im("status", "--output", folder)[2]
    assert im("registry", "rebuild", folder)[0] == 0
    assert (folder / "registry.json").read_bytes() == before


def test_a_neighbour_whose_files_are_gone_does_not_stop_a_run(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(made), str(folder)], check=True)
    process = start(*create(folder, "--seed", "2"))
    while len(list_rows(folder)) < 2 or count_answers(folder, "IM-0002") < 5:
        time.sleep(0.02)
    process.kill()
    finish(process)
    for path in folder.rglob("IM-0001*"):
        path.unlink()
    status, out, err = im("resume", "--output", folder)

    assert (status, "IM-0002 is accepted" in out) == (0, True), err


def test_status_and_open_reviews_are_shown_in_a_folder_without_write_access(made: Path) -> None:
    with copy_read_only(made) as folder:
        files = sorted(path.name for path in folder.iterdir())
        for command in (("status",), ("status", "--metrics"), ("review", "list")):
            result = run_without_write_access(*command, "--output", folder)
            assert (result.returncode, result.stderr) == (0, "")
        refused = run_without_write_access("create", "--seed", "2", "--output", folder)
        assert sorted(path.name for path in folder.iterdir()) == files
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr
    assert refused.stderr.startswith("im: ")
