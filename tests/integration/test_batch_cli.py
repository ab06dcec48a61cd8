"""`im batch`: a small benchmark to targets, planned, produced, killed and continued."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.main import app
from impossible_moments.cli.orchestrator_entry_point import main as run_orchestrator
from impossible_moments.scenarios import ScenarioRegistry

TARGETS = """\
format: im-coverage/1
total: 4
batch_size: 2
categories: {The Locked Room: 2, The Cascade: 2}
tiers: {SPARK: 1, FRACTURE: 2, RUPTURE: 1}
"""
COMMAND = [sys.executable, "-c", "from impossible_moments.cli.main import main; main()", "batch"]
run = CliRunner()


@pytest.fixture
def targets(tmp_path: Path) -> Path:
    file = tmp_path / "targets.yaml"
    file.write_text(TARGETS, encoding="utf-8")
    return file


def _batch(folder: Path, targets: Path, *more: str) -> tuple[int, str]:
    result = run.invoke(app, ["batch", "--coverage-targets", str(targets), "--output", str(folder), *more])
    return result.exit_code, result.stdout


@pytest.mark.slow
def test_a_batch_meets_its_targets_and_running_again_makes_nothing(tmp_path: Path, targets: Path) -> None:
    folder = tmp_path / "made"
    code, shown = _batch(folder, targets, "--json")
    made = json.loads(shown)
    assert (code, made["made"], made["missing"]) == (0, 4, 0)
    entries = ScenarioRegistry(folder).entries
    assert sorted(each.category for each in entries.values()) == ["The Cascade"] * 2 + ["The Locked Room"] * 2
    assert sorted(each.tier for each in entries.values()) == ["FRACTURE", "FRACTURE", "RUPTURE", "SPARK"]
    code, shown = _batch(folder, targets, "--json")
    assert (code, json.loads(shown)["batches"]) == (0, [])
    assert set(ScenarioRegistry(folder).entries) == set(entries)


@pytest.mark.slow
def test_a_killed_batch_is_continued_with_the_same_scenarios(tmp_path: Path, targets: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert _batch(whole, targets)[0] == 0
    with subprocess.Popen(
        [*COMMAND, "--coverage-targets", str(targets), "--output", str(killed)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        while process.poll() is None and not list((killed / "public").glob("*.md")):
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    assert _batch(killed, targets)[0] == 0
    found = {path.name: path.read_text(encoding="utf-8") for path in (killed / "public").glob("*.md")}
    assert found == {path.name: path.read_text(encoding="utf-8") for path in (whole / "public").glob("*.md")}


def test_a_dry_run_prints_the_plan_and_makes_nothing(tmp_path: Path, targets: Path) -> None:
    code, shown = _batch(tmp_path / "made", targets, "--dry-run", "--json")
    plan = json.loads(shown)
    assert (code, plan["planned"], plan["batches"]) == (0, 4, [2, 2])
    assert not list((tmp_path / "made").glob("public/*"))


def test_a_dry_run_names_what_cannot_be_met(tmp_path: Path) -> None:
    result = run.invoke(app, ["batch", "--dry-run", "--output", str(tmp_path)])
    assert result.exit_code == 0
    assert "SINGULARITY OF: 0 of 22.5 (0 can be made)" in result.stdout


def test_faulty_targets_end_with_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "targets.yaml"
    file.write_text(TARGETS.replace("total: 4", "total: 5"), encoding="utf-8")
    result = subprocess.run(
        [*COMMAND, "--coverage-targets", str(file), "--output", str(tmp_path / "made")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert "add up to 4, but the total is 5" in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


@pytest.mark.slow
def test_the_command_line_of_the_specification_makes_a_batch(tmp_path: Path, targets: Path) -> None:
    flags = ["--mode", "batch", "--batch-size", "1", "--coverage-targets", str(targets)]
    with pytest.raises(SystemExit) as ended:
        run_orchestrator([*flags, "--parallel-pipelines", "2", "--output", str(tmp_path / "made")])
    assert ended.value.code == 0
    assert len(ScenarioRegistry(tmp_path / "made").entries) == 1
