"""A run survives the death of its runner: nothing that was answered is asked again, and the end is the same."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from impossible_moments.ledger.leases import ScenarioState, list_scenario_rows
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.pipeline.clock import FixedClock, SystemClock
from impossible_moments.pipeline.replay import replay_flow
from impossible_moments.pipeline.review_desk import ReviewDesk
from support.small_flow import HUMAN_KEY, KEYS, SCENARIO, Ruling, create_small_flow

TESTS = Path(__file__).parents[1]
DAY = 86_400.0

pytestmark = pytest.mark.slow


def started(ledger: Path, *options: str) -> subprocess.Popen[str]:
    command = [
        sys.executable, "-m", "support.small_flow", str(ledger), str(ledger.with_suffix(".log")), *options
    ]  # fmt: skip
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=TESTS)


def ran(ledger: Path, *options: str) -> str:
    process = started(ledger, *options)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return out


def killed(ledger: Path, key: str, *options: str) -> None:
    process = started(ledger, "--kill-in", key, *options)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL


def log(ledger: Path) -> list[str]:
    return ledger.with_suffix(".log").read_text(encoding="utf-8").split()


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> str:
    return ran(tmp_path_factory.mktemp("uninterrupted") / "ledger.db")


@pytest.mark.parametrize("key", KEYS)
def test_a_run_killed_inside_an_ask_repeats_that_ask_alone_and_ends_the_same(
    key: str, tmp_path: Path, uninterrupted: str
) -> None:
    ledger = tmp_path / "ledger.db"
    killed(ledger, key)

    assert ran(ledger) == uninterrupted
    assert sorted(log(ledger)) == sorted([*KEYS, key])


def test_a_run_killed_inside_every_ask_in_turn_ends_the_same(tmp_path: Path, uninterrupted: str) -> None:
    ledger = tmp_path / "ledger.db"
    for key in KEYS:
        if key != KEYS[2]:  # answered while the other of its round was killed
            killed(ledger, key)

    assert ran(ledger) == uninterrupted


def test_two_processes_that_hear_different_answers_come_to_the_same_end(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.db"
    first = started(ledger, "--meet", "2", "--lease", "60", "--voice", "one")
    while first.poll() is None and not ledger.with_suffix(".log").exists():
        time.sleep(0.01)
    # The second watches for a moment only, and the first does not renew its lease before it is done.
    second = started(ledger, "--meet", "2", "--lease", "0.3", "--voice", "two")
    results = [process.communicate(timeout=60)[0] for process in (first, second)]

    with LedgerStore(ledger) as store:
        end = replay_flow(store, SCENARIO, create_small_flow()) + "\n"
    assert results == [end, end]


def test_what_a_dead_runner_leaves_is_taken_over_when_its_lease_ends(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.db"
    killed(ledger, KEYS[3], "--lease", "1", "--owner", "dead")
    with LedgerStore(ledger) as store:
        (left,) = store.read_and_wait(list_scenario_rows)
    ran(ledger, "--owner", "alive")
    with LedgerStore(ledger) as store:
        (finished,) = store.read_and_wait(list_scenario_rows)

    assert (left.owner, left.state, finished.state) == ("dead", ScenarioState.RUNNING, ScenarioState.ACCEPTED)


def test_a_runner_whose_clock_was_a_year_ahead_is_taken_over_in_a_moment(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.db"
    killed(ledger, KEYS[3], "--lease", "1", "--owner", "dead", "--ahead", str(365 * DAY))
    before = time.monotonic()
    ran(ledger, "--lease", "1", "--owner", "alive")

    assert time.monotonic() - before < 30


def test_a_decision_a_day_later_lets_another_process_go_on(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.db"
    waiting = ran(ledger, "--human")
    with LedgerStore(ledger) as store:
        tomorrow = FixedClock(SystemClock().now() + DAY)
        ReviewDesk(store, tomorrow, "test").record_decision(SCENARIO, Ruling(text="let it stand"))
    result = ran(ledger, "--human")

    assert waiting == f"awaits {HUMAN_KEY}\n"
    assert "let it stand" in result.splitlines()
    assert sorted(log(ledger)) == sorted(KEYS)
