"""The system state of a folder, and what the orchestrator's command line says about batches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.actions.status.scenario_status import SystemState
from impossible_moments.cli.main import app
from impossible_moments.cli.orchestrator_entry_point import main
from support.dossiers import BRIEF
from support.scripted_runs import build_pipeline


def test_status_counts_published_and_unfinished_scenarios(tmp_path: Path) -> None:
    pipeline = build_pipeline(tmp_path)
    pipeline.generate(BRIEF)
    waiting = BRIEF.model_copy(update={"scenario_id": "IM-0002"})  # too near to the first: a human decides
    pipeline.generate(waiting)

    data = json.loads(
        CliRunner()
        .invoke(app, ["status", "--output", str(tmp_path), "--json"], catch_exceptions=False)
        .stdout
    )["system"]

    assert data["category"] == {BRIEF.category: {"published": 1, "in_work": 1}}
    assert data["status"] == {BRIEF.solution_status: {"published": 1, "in_work": 1}}
    assert sum(each["published"] for each in data["tier"].values()) == 1
    assert data["completion"] == {"finished": 1, "started": 2, "share": 0.5}
    assert data["escalation"] == {"scenarios": 1, "rate": 0.5, "health": "too few scenarios to judge"}


@pytest.mark.parametrize(
    ("escalated", "health"),
    [(0, "low"), (1, "low"), (2, "healthy"), (6, "healthy"), (7, "high")],
)
def test_the_escalation_rate_is_healthy_from_5_to_15_percent(escalated: int, health: str) -> None:
    state = SystemState((), finished=40, started=40, escalated=escalated)
    assert state.escalation_health.partition(":")[0] == health


def test_status_prints_the_escalation_rate(tmp_path: Path) -> None:
    build_pipeline(tmp_path).generate(BRIEF)
    printed = CliRunner().invoke(app, ["status", "--output", str(tmp_path)], catch_exceptions=False).stdout
    assert "A human was asked about 0 of them (0%" in " ".join(printed.split())


def test_batch_mode_takes_categories_from_the_targets_only(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--mode", "batch", "--batch-size", "50", "--category", "The Cascade"])
    assert ended.value.code == 2
    assert "takes --category from the coverage targets" in capsys.readouterr().err


def test_batch_mode_names_targets_that_it_cannot_read(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--mode", "batch", "--batch-size", "50", "--coverage-targets", "x"])
    assert ended.value.code == 2
    assert "x: cannot open the file" in capsys.readouterr().err
