"""The command line as a person or a script uses it."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from impossible_moments.cli.main import app

ROOT = Path(__file__).parents[2]
GOOD = ROOT / "examples" / "blast_room.yaml"
FLAWED = ROOT / "tests" / "golden" / "published" / "blast_room.yaml"
RUNNER = CliRunner()


def test_a_record_that_holds_is_shown_and_leaves_status_0() -> None:
    result = RUNNER.invoke(app, ["verify", str(GOOD)])

    assert result.exit_code == 0
    assert "KS-Singular" in result.stdout
    assert "accepted" in result.stdout


def test_a_record_with_errors_is_shown_with_what_to_do_and_leaves_status_5() -> None:
    result = RUNNER.invoke(app, ["verify", str(FLAWED)])

    assert result.exit_code == 5
    assert "status.trap-works" in result.stdout
    assert "expected:" in result.stdout


def test_a_file_that_is_not_there_is_one_sentence_and_status_2() -> None:
    result = RUNNER.invoke(app, ["verify", "nowhere.yaml"])

    assert result.exit_code == 2
    assert "nowhere.yaml" in result.stderr


def test_json_is_one_document_on_standard_output_and_nothing_else() -> None:
    result = RUNNER.invoke(app, ["verify", "--json", "--deep", str(GOOD)])
    (data,) = json.loads(result.stdout)["records"]

    assert result.exit_code == 0
    assert data["accepted"]
    assert data["verdict"]["status"] == "KS-Singular"
    assert data["variants"]
    assert data["approaches"]["table_and_chair"]["end"] == "goal"


def test_a_folder_is_a_summary_with_a_line_for_each_record() -> None:
    result = RUNNER.invoke(app, ["verify", str(ROOT / "tests" / "golden" / "published")])

    assert result.exit_code == 5
    assert "0 of 2 records accepted" in result.stdout


def test_an_empty_folder_is_a_sentence(tmp_path: Path) -> None:
    result = RUNNER.invoke(app, ["verify", str(tmp_path)])

    assert result.exception is not None
    assert "contains no" in str(result.exception)


def test_the_schemas_are_written_and_their_size_is_said(tmp_path: Path) -> None:
    result = RUNNER.invoke(app, ["schema", "export", str(tmp_path / "out")])

    assert result.exit_code == 0
    tool = json.loads((tmp_path / "out" / "mechanics.tool.json").read_text(encoding="utf-8"))
    assert "Library everyday" in tool["description"]
    assert "bytes" in result.stdout


def test_another_library_can_be_named_and_a_bad_one_is_a_sentence(tmp_path: Path) -> None:
    library = tmp_path / "library.yaml"
    library.write_text("name: bare\nversion: '1'\nbanana: 1\n", encoding="utf-8")
    result = RUNNER.invoke(app, ["verify", "--library", str(library), str(GOOD)])

    assert "is not a library" in str(result.exception)


def test_help_names_every_command() -> None:
    result = RUNNER.invoke(app, ["--help"])

    assert result.exit_code == 0
    assert "verify" in result.stdout
    assert "schema" in result.stdout
