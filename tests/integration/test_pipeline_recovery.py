"""A pipeline survives kill -9 inside any ask, and a human who answers in another process."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.ledger.answered_asks import list_answers
from impossible_moments.ledger.human_questions import list_pending_questions
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.pipeline.pipeline import Pipeline
from support.dossiers import BRIEF
from support.scripted_runs import (
    CLOSING,
    PUBLISHING,
    add_tied_dispute,
    build_pipeline,
    list_performed_asks,
    make_obliging_player,
    read_published_files,
)

TESTS = Path(__file__).parents[1]
DECISION = HumanDecision(option=Option.RESOLVE, justification="the claim stands", prevails="CHALLENGED")

DEADLOCK = 3600
"""Seconds after which a process that hangs fails the test; never reached by one that works."""

pytestmark = pytest.mark.slow


def ran(*arguments: str | Path) -> str:
    """What the program `support.scripted_runs` prints, in a process of its own."""
    command = [sys.executable, "-m", "support.scripted_runs", *map(str, arguments)]
    process = subprocess.run(
        command, capture_output=True, text=True, timeout=DEADLOCK, check=False, cwd=TESTS
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


# kill -9


class Killed(NamedTuple):
    """A run that was killed inside one ask and started again."""

    key: str
    folder: Path


class Recovery(NamedTuple):
    """A run that nobody disturbed, and one for each of its asks that was killed there."""

    undisturbed: Path
    keys: list[str]
    killed: list[Killed]


@pytest.fixture(scope="module")
def recovery(tmp_path_factory: pytest.TempPathFactory) -> Recovery:
    undisturbed = tmp_path_factory.mktemp("undisturbed")
    made = build_pipeline(undisturbed)
    made.generate(BRIEF)
    with made.open_ledger() as store:
        answers = store.read_and_wait(partial(list_answers, scenario=BRIEF.scenario_id))
    rounds = [answer.round_number for answer in answers.values()]
    # the others of its round are in the ledger when an ask is interrupted
    points = {
        key: sum(number <= answer.round_number for number in rounds) - 1 for key, answer in answers.items()
    }
    folder = tmp_path_factory.mktemp("killed")
    ran(folder, "--kill", *(f"{key}:{after}" for key, after in points.items()))
    killed = [Killed(key, folder / f"{number:02d}") for number, key in enumerate(points)]
    return Recovery(undisturbed, list_performed_asks(undisturbed), killed)


def test_the_undisturbed_run_asks_every_agent_in_every_phase_it_has(recovery: Recovery) -> None:
    assert len(recovery.keys) == len(recovery.killed) == 23


def test_a_run_killed_inside_any_ask_publishes_the_same_bytes(recovery: Recovery) -> None:
    whole = read_published_files(recovery.undisturbed)
    assert [each.key for each in recovery.killed if read_published_files(each.folder) != whole] == []


def test_a_run_killed_inside_any_ask_repeats_that_ask_alone(recovery: Recovery) -> None:
    repeated = {each.key: sorted(list_performed_asks(each.folder)) for each in recovery.killed}
    assert repeated == {key: sorted([*recovery.keys, key]) for key in recovery.keys}


@pytest.mark.parametrize("point", [PUBLISHING, CLOSING])
def test_a_run_killed_when_all_is_answered_is_published_by_the_next(
    point: str, recovery: Recovery, tmp_path: Path
) -> None:
    ran(tmp_path, "--kill", f"{point}:0")
    assert read_published_files(tmp_path / "00") == read_published_files(recovery.undisturbed)


# a human in another process


@pytest.fixture
def waiting(tmp_path: Path) -> Pipeline:
    """A pipeline that another process has brought to a question: an arbitration ended 2:2."""
    assert ran(tmp_path, "--tied") == ScenarioState.AWAITING_HUMAN
    return build_pipeline(tmp_path, add_tied_dispute(make_obliging_player()))


def test_an_arbitration_of_two_against_two_waits_for_a_human(waiting: Pipeline) -> None:
    with waiting.open_ledger() as store:
        (question,) = store.read_and_wait(list_pending_questions)
    assert question.key == "REFINE/HUMAN/escalation-1/1"


def test_a_human_has_48_hours(waiting: Pipeline) -> None:
    with waiting.open_ledger() as store:
        (question,) = store.read_and_wait(list_pending_questions)
    assert question.due_at - question.asked_at == 48 * 3600


def test_a_run_goes_on_when_the_decision_comes_from_another_process(
    waiting: Pipeline, tmp_path: Path
) -> None:
    ran(tmp_path, "--decide", DECISION.model_dump_json())
    assert ran(tmp_path, "--tied") == ScenarioState.ACCEPTED
    assert DECISION.justification in waiting.generate(BRIEF).methodology_trace


def test_nothing_is_asked_again_after_a_decision(waiting: Pipeline, tmp_path: Path) -> None:
    ran(tmp_path, "--decide", DECISION.model_dump_json())
    waiting.resume()
    keys = list_performed_asks(tmp_path)
    assert sorted(set(keys)) == sorted(keys)


def test_a_run_without_the_decision_waits_on(waiting: Pipeline) -> None:
    assert waiting.generate(BRIEF).state is ScenarioState.AWAITING_HUMAN
