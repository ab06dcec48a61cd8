"""`im status`: how scenarios stand, what each phase took, how healthy the finished ones are."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.main import app
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import leases
from impossible_moments.ledger.leases import Lease, NewScenario, ScenarioClosing, ScenarioState
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.pipeline.clock import FixedClock, SystemClock
from impossible_moments.pipeline.ledger_places import LEDGER
from impossible_moments.pipeline.review_desk import ReviewDesk
from support.played_scenarios import make_concerned_player, make_obliging_player, run_scenario

run = CliRunner()
HOUR = 3600.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One accepted, one discarded by a human, one that waits, one that waits too long, one that failed."""
    folder = tmp_path_factory.mktemp("scenarios")
    now = SystemClock().now()
    run_scenario(folder, make_concerned_player(), at=now, scenario_id="IM-0002")
    with LedgerStore(folder / LEDGER) as store:
        decision = HumanDecision(option=Option.DISCARD, justification="[red]no[/] \x1b[2Jscreen")
        ReviewDesk(store, FixedClock(now), "1").record_decision("IM-0002", decision)
    run_scenario(folder, make_concerned_player(), at=now, scenario_id="IM-0002")
    run_scenario(folder, make_concerned_player(), at=now, scenario_id="IM-0003")
    run_scenario(folder, make_concerned_player(), at=now - 50 * HOUR, scenario_id="IM-0004")
    _failed(folder, "IM-0005", now)
    # last, for the others would be copies of it once it is published
    run_scenario(folder, make_obliging_player(), at=now + 10, scenario_id="IM-0001")
    return folder


def _failed(folder: Path, name: str, now: float) -> None:
    with LedgerStore(folder / LEDGER) as store:
        store.commit_and_wait(partial(leases.enrol_scenario, scenario=name, new=NewScenario("{}", now)))
        store.commit_and_wait(partial(leases.claim_scenario, scenario=name, lease=Lease("me", now)))
        closing = ScenarioClosing(ScenarioState.FAILED, reason="ValueError: of all things")
        store.commit_and_wait(
            partial(leases.close_scenario, scenario=name, owner="me", closing=closing, now=now)
        )


def data(folder: Path, *options: str) -> dict[str, Any]:
    result = run.invoke(app, ["status", "--output", str(folder), "--json", *options])
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_every_scenario_has_its_state_and_phase(folder: Path) -> None:
    assert [(each["scenario"], each["state"], each["phase"]) for each in data(folder)["scenarios"]] == [
        ("IM-0001", "accepted", ""),
        ("IM-0002", "discarded", "CLASSIFY"),
        ("IM-0003", "awaiting human", "CLASSIFY"),
        ("IM-0004", "awaiting human", "CLASSIFY"),
        ("IM-0005", "failed", ""),
    ]


def test_a_reason_is_given_where_there_is_one(folder: Path) -> None:
    assert data(folder)["scenarios"][4]["reason"] == "ValueError: of all things"


def test_an_open_question_has_its_due_time_and_is_overdue_after_48_hours(folder: Path) -> None:
    questions = [each["question"] for each in data(folder)["scenarios"]]

    assert [each and each["overdue"] for each in questions] == [None, None, False, True, None]


def test_a_late_question_is_marked_on_the_terminal(folder: Path) -> None:
    assert "overdue by 2 h" in run.invoke(app, ["status", "--output", str(folder)]).stdout


def test_nothing_that_somebody_wrote_acts_on_the_terminal(folder: Path) -> None:
    shown = run.invoke(app, ["status", "--output", str(folder)]).stdout

    assert "\x1b[2J" not in shown
    assert "[red]no" in shown


def test_the_attrition_counts_finished_scenarios_by_the_phase_that_took_them(folder: Path) -> None:
    lost = {each["phase"]: (each["entered"], each["discarded"]) for each in data(folder)["attrition"]}

    assert lost == {
        "SEED": (2, 0),
        "VALIDATE": (2, 0),
        "GROUND": (2, 0),
        "CLASSIFY": (2, 1),
        "REFINE": (1, 0),
        "DOCUMENT": (1, 0),
    }


def test_finished_scenarios_are_measured_if_wanted(folder: Path) -> None:
    found = {each["scenario"]: each["metrics"] for each in data(folder, "--metrics")["scenarios"]}

    assert {name: metrics and len(metrics) for name, metrics in found.items()} == {
        "IM-0001": 7,
        "IM-0002": 7,
        "IM-0003": None,
        "IM-0004": None,
        "IM-0005": None,
    }


def test_a_metric_stands_beside_its_healthy_range_and_its_red_flag(folder: Path) -> None:
    metrics = data(folder, "--metrics")["scenarios"][0]["metrics"]

    assert {each["name"]: each for each in metrics}["Vetoes issued"] == {
        "name": "Vetoes issued",
        "value": 0,
        "healthy": "0-1",
        "red_flag": ">2 (triggers auto-escalation)",
        "health": "healthy",
    }


def test_scenarios_that_were_compared_with_earlier_ones_are_measured_with_all_their_agents(
    tmp_path: Path,
) -> None:
    for options in (["--seed", "1"], ["--seed", "2", "--with", "TURING"]):
        created = run.invoke(app, ["create", "--output", str(tmp_path), *options])
        assert created.exit_code == 0
    scenarios = data(tmp_path, "--metrics")["scenarios"]

    assert [len(each["metrics"]) for each in scenarios] == [7, 7]


def test_what_cannot_be_replayed_says_why(tmp_path: Path) -> None:
    run_scenario(tmp_path, make_obliging_player())
    with LedgerStore(tmp_path / LEDGER) as store:
        store.commit_and_wait(
            lambda transaction: transaction.execute_change("UPDATE answers SET assignment_hash = 'other'")
        )

    assert "FLOW_CHANGED" in data(tmp_path, "--metrics")["scenarios"][0]["unmeasured"]


def test_a_folder_without_a_ledger_is_a_sentence_and_stays_without(tmp_path: Path) -> None:
    result = run.invoke(app, ["status", "--output", str(tmp_path)])

    assert isinstance(result.exception, ConfigurationError)
    assert list(tmp_path.iterdir()) == []
