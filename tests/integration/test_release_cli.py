"""`im release`: a set is checked, built twice with the same bytes, verified, and loses a retired scenario."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.main import app
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios import ScenarioRegistry
from support.released_folder import copy_released_folder

TARGETS = """\
format: im-coverage/1
total: 2
categories: {The Locked Room: 1, The Cascade: 1}
tiers: {FRACTURE: 2}
statuses: {KS: 1, PX: 1}
"""
run = CliRunner()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_released_folder(tmp_path)


@pytest.fixture
def targets(tmp_path: Path) -> Path:
    path = tmp_path / "targets.yaml"
    path.write_text(TARGETS, encoding="utf-8")
    return path


def test_a_sound_set_is_fit_for_a_release(folder: Path, targets: Path) -> None:
    arguments = ["release", "check", str(folder), "--coverage-targets", str(targets), "--attacked", "1"]
    result = run.invoke(app, [*arguments, "--draw-sample", "--json"])
    report = json.loads(result.stdout)
    assert (result.exit_code, report["passed"], report["complete"]) == (0, True, False)
    assert {each["check"]: each["state"] for each in report["checks"]}["review sample"] == "open"
    assert (folder / "review_sample.yaml").is_file()


def test_a_set_off_target_fails_with_the_figures(folder: Path, targets: Path) -> None:
    targets.write_text(TARGETS.replace("{FRACTURE: 2}", "{RUPTURE: 2}"), encoding="utf-8")
    arguments = ["release", "check", str(folder), "--coverage-targets", str(targets), "--attacked", "0"]
    result = run.invoke(app, arguments, env={"COLUMNS": "200"})
    assert result.exit_code == 5
    assert "tier RUPTURE: 0 instead of 2" in result.stdout
    assert "not fit for a release" in result.stdout


def test_the_same_set_gives_the_same_bytes_and_a_change_is_found(
    folder: Path, targets: Path, tmp_path: Path
) -> None:
    digests = []
    for name in ("one", "two"):
        arguments = ["--scenarios", str(folder), "--coverage-targets", str(targets), "--attacked", "0"]
        result = run.invoke(app, ["release", "build", "1.0", *arguments, "--output", str(tmp_path / name)])
        assert result.exit_code == 0, result.output
        archive = tmp_path / name / "impossible-moments-1.0.tar.gz"
        digests.append(hashlib.sha256(archive.read_bytes()).hexdigest())
    assert digests[0] == digests[1]
    built = tmp_path / "one" / "impossible-moments-1.0"
    manifest = json.loads((built / "release.json").read_text(encoding="utf-8"))
    assert manifest["counts"]["status"] == {"KS": 1, "CT": 0, "OF": 0, "PX": 1, "MT": 0, "DG": 0}
    assert manifest["prompts"]["ATHENA"].startswith("athena_v1_")
    assert len((built / "CANARIES.txt").read_text(encoding="utf-8").split()) == 2
    assert run.invoke(app, ["release", "verify", str(built)]).exit_code == 0
    (built / "public/IM-0001.md").write_text("changed", encoding="utf-8")
    damaged = run.invoke(app, ["release", "verify", str(built)])
    assert (damaged.exit_code, damaged.stdout) == (5, "public/IM-0001.md is missing or differs\n")


def test_a_retired_scenario_leaves_the_set_and_its_number_is_not_used_again(folder: Path) -> None:
    registry = ScenarioRegistry(folder)
    result = run.invoke(
        app, ["release", "retire", "IM-0002", "--reason", "leaked", "--scenarios", str(folder)]
    )
    assert result.exit_code == 0, result.output
    assert list(registry.entries) == ["IM-0001"]
    assert registry.choose_next_id() == "IM-0003"
    assert (folder / "retired/public/IM-0002.md").is_file()
    retired = json.loads((folder / "retired.json").read_text(encoding="utf-8"))["scenarios"]
    assert [(each["scenario_id"], each["reason"]) for each in retired] == [("IM-0002", "leaked")]
    again = run.invoke(
        app, ["release", "retire", "IM-0002", "--reason", "leaked", "--scenarios", str(folder)]
    )
    assert isinstance(again.exception, ConfigurationError)


def test_a_private_set_stays_outside_of_projects(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    secret, output = tmp_path / "secret", project / "private"
    arguments = ["release", "private", "--seed-file", str(secret), "--output", str(output), "--new-seed"]
    result = run.invoke(app, arguments)
    assert isinstance(result.exception, ConfigurationError)
    assert "lies in the project" in str(result.exception)
    assert not secret.exists()


@pytest.mark.slow
def test_a_private_set_is_made_from_its_secret_alone(tmp_path: Path, targets: Path) -> None:
    secret = tmp_path / "secret"
    arguments = [
        "release",
        "private",
        "--seed-file",
        str(secret),
        "--coverage-targets",
        str(targets),
        "--json",
    ]
    first = run.invoke(app, [*arguments, "--output", str(tmp_path / "a"), "--new-seed"])
    second = run.invoke(app, [*arguments, "--output", str(tmp_path / "b")])
    assert first.exit_code == second.exit_code == 0, first.output + second.output
    assert secret.stat().st_mode & 0o077 == 0
    read = [
        {path.name: path.read_bytes() for path in (tmp_path / name / "public").iterdir()}
        for name in ("a", "b")
    ]
    assert read[0] == read[1]
