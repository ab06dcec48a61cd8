"""Tests of `im score --explain`: a dispute of a score starts with what was read, executed and credited."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.main import app

run = CliRunner()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one scenario and the results of three answers to it."""
    path = tmp_path_factory.mktemp("explained")
    flags = ["--category", "The Last Ingredient", "--solution-status", "KS", "--seed", "3"]
    made = run.invoke(app, ["create", *flags, "--output", str(path / "scenarios"), "--json"])
    assert json.loads(made.stdout)["state"] == "accepted"
    done = run.invoke(
        app,
        [
            *("eval", "--model", "builtin:solver", "--scenarios", str(path / "scenarios"), "--runs", "1"),
            *("--output", str(path / "results.json")),
        ],
    )
    assert done.exit_code == 0, done.output
    return path


def explain(folder: Path, name: str) -> tuple[int, str]:
    result = run.invoke(
        app,
        [
            *("score", "--explain", name, "--output", str(folder / "results.json")),
            *("--scenarios", str(folder / "scenarios")),
        ],
    )
    return result.exit_code, result.output


def test_an_explanation_shows_reading_execution_and_credit(folder: Path) -> None:
    status, text = explain(folder, "IM-0001")

    assert status == 0
    for heading in ("The answer", "How the answer was read", "What was executed", "What was credited"):
        assert f"{heading}\n" in text
    assert "read as: " in text
    assert ": the goal is reached in time" in text
    assert "Outcome correctness: 100 of 100, weight 40%, adds 40.0\n     the goal is reached in time" in text


def test_a_scenario_without_runs_is_named(folder: Path) -> None:
    result = run.invoke(
        app,
        [
            "score",
            "--explain",
            "IM-0099",
            "--output",
            str(folder / "results.json"),
            "--scenarios",
            str(folder),
        ],
    )

    assert "IM-0099" in str(result.exception)


def test_a_file_that_is_no_result_file_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    result = run.invoke(
        app,
        [
            "score",
            "--explain",
            "IM-0001",
            "--output",
            str(tmp_path / "other.json"),
            "--scenarios",
            str(folder),
        ],
    )

    assert "is not a result file" in str(result.exception)
