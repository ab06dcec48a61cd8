"""`im publish`: a contributor's finished design goes through all phases, and what is wrong is said in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.main import app
from impossible_moments.errors import ConfigurationError
from support.dossiers import build_accepted_seed
from support.small_blueprints import FAMILIES

SKIN = FAMILIES / "locked_room" / "height_and_hammer" / "press_archive.yaml"
run = CliRunner()


def write_seed(folder: Path, **changes: Any) -> Path:
    path = folder / "design.json"
    data = {**build_accepted_seed().model_dump(mode="json"), **changes}
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def publish(path: Path, folder: Path, *more: str) -> Any:
    return run.invoke(app, ["publish", str(path), "--output", str(folder / "out"), *more])


def test_a_skin_is_published_with_the_usual_documents(tmp_path: Path) -> None:
    result = publish(SKIN, tmp_path, "--variant", "one_way", "--json")
    data = json.loads(result.stdout)
    assert (result.exit_code, data["state"], len(data["files"])) == (0, "accepted", 4)
    assert "contributed" in data["metadata"]["agent_versions"]["ATHENA"]["model"]
    assert data["metadata"]["blueprints"].startswith("press_archive.yaml (")
    assert all(Path(path).is_file() for path in data["files"])


def test_a_validator_that_refutes_a_seed_document_is_quoted(tmp_path: Path) -> None:
    result = publish(write_seed(tmp_path), tmp_path, "--json")
    data = json.loads(result.stdout)
    assert (result.exit_code, data["state"]) == (1, "failed")
    assert "VALIDATE asks for a changed design" in data["reason"]
    assert "NEWTON on table.mass" in data["reason"]


def test_a_failed_design_is_not_replaced_by_another_one(tmp_path: Path) -> None:
    publish(write_seed(tmp_path), tmp_path)
    result = run.invoke(app, ["resume", "--output", str(tmp_path / "out")])
    assert result.exit_code != 0
    assert "It was begun from a file. Continue it with `im publish" in str(result.exception)


def test_a_record_with_errors_is_refused_with_its_findings(tmp_path: Path) -> None:
    mechanics = {**build_accepted_seed().mechanics, "wording": None}
    mechanics["goal"] = "you.at == 'in'"
    result = publish(write_seed(tmp_path, mechanics=mechanics), tmp_path)
    assert result.exit_code == 5
    assert "approach.ends" in result.output or "status" in result.output
    assert not (tmp_path / "out" / "public").exists()


def test_a_gate_that_asks_for_changes_ends_the_run_with_its_notes(tmp_path: Path) -> None:
    result = publish(write_seed(tmp_path, candidates=[]), tmp_path)
    shown = " ".join(result.output.split())
    assert result.exit_code == 1
    assert "SEED asks for a changed design" in shown
    assert "Candidates considered: Hand in 3 to 5 candidate situations" in shown


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"format": "im-mechanics/1"}, "is a record without texts about it"),
        ({"mechanics": {}, "scenarios": {}}, "`scenarios` is not a field here. Did you mean `scenario`?"),
    ],
)
def test_a_file_that_cannot_be_published_says_what_to_write(
    tmp_path: Path, content: dict[str, Any], sentence: str
) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    result = publish(path, tmp_path)
    assert isinstance(result.exception, ConfigurationError)
    assert sentence in str(result.exception)


def test_one_of_several_variants_is_named(tmp_path: Path) -> None:
    assert "Name one with --variant" in str(publish(SKIN, tmp_path).exception)
    wrong = str(publish(SKIN, tmp_path, "--variant", "one_ways").exception)
    assert "one_way" in wrong
