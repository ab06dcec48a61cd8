"""`im audit` as a person or a script uses it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.main import app

ROOT = Path(__file__).parents[2]
AUDITED = ROOT / "tests" / "golden" / "audit"
CLEAN = AUDITED / "clean_evaluation.md"
LANTERN = AUDITED / "clean_lantern.md"
WRONG = AUDITED / "wrong_numbers.md"
RUNNER = CliRunner()


def as_data(*arguments: str) -> dict[str, Any]:
    data = json.loads(RUNNER.invoke(app, ["audit", "--json", *arguments]).stdout)
    assert isinstance(data, dict)
    return data


def codes(data: dict[str, Any]) -> list[str]:
    return [finding["code"] for document in data["documents"] for finding in document["findings"]]


def set_of(tmp_path: Path, *texts: str) -> Path:
    path = tmp_path / "set.jsonl"
    rows = [json.dumps({"id": f"IM-{at:04}", "markdown": text}) for at, text in enumerate(texts)]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_a_clean_text_leaves_status_0_and_says_so() -> None:
    result = RUNNER.invoke(app, ["audit", str(CLEAN)])

    assert result.exit_code == 0
    assert "No findings" in result.stdout


def test_a_text_with_errors_leaves_status_5_and_shows_each_with_its_line() -> None:
    result = RUNNER.invoke(app, ["audit", str(WRONG)])

    assert result.exit_code == 5
    assert "arithmetic.wrong" in result.stdout
    assert "35" in result.stdout


def test_warnings_alone_leave_status_0(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("Just a line.\n", encoding="utf-8")

    assert RUNNER.invoke(app, ["audit", str(path)]).exit_code == 0


def test_errors_alone_can_be_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("It is 3 x 4 = 15.\n", encoding="utf-8")

    assert codes(as_data("--errors-only", str(path))) == ["arithmetic.wrong"]


@pytest.mark.parametrize("name", ["nowhere.md", "nowhere.jsonl"])
def test_a_file_that_is_not_there_is_one_sentence_and_status_2(name: str) -> None:
    script = "from impossible_moments.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "audit", name], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert f"Cannot read {name}: no such file" in done.stderr
    assert "Traceback" not in done.stderr


def test_json_is_one_document_with_the_sums_of_all() -> None:
    data = as_data(str(AUDITED))

    assert len(data["documents"]) == 6
    assert data["errors"] == sum(document["errors"] for document in data["documents"])
    assert data["errors"] == sum(data["errors_by_kind"].values())


def test_a_finding_in_json_has_everything_a_program_needs() -> None:
    finding = as_data(str(WRONG))["documents"][0]["findings"][0]

    assert set(finding) == {"line", "code", "severity", "rule", "what", "found", "expected"}


def test_a_folder_is_a_table_with_a_row_for_each_document_and_a_sum() -> None:
    result = RUNNER.invoke(app, ["audit", str(AUDITED)], env={"COLUMNS": "200"})

    assert result.exit_code == 5
    assert all(path.name in result.stdout for path in AUDITED.glob("*.md"))
    assert "6 documents" in result.stdout
    assert "5 with errors, 1 without" in result.stdout


def test_a_line_of_jsonl_is_a_document(tmp_path: Path) -> None:
    path = set_of(tmp_path, CLEAN.read_text(encoding="utf-8"), "It is 3 x 4 = 15.")
    names = [Path(document["name"]).name for document in as_data(str(path))["documents"]]

    assert names == ["set.jsonl:1 IM-0000", "set.jsonl:2 IM-0001"]


def test_a_broken_line_of_jsonl_is_a_finding_and_the_others_are_audited(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('{broken\n{"markdown": "It is 3 x 4 = 15."}\n', encoding="utf-8")

    found = codes(as_data("--errors-only", str(path)))

    assert found == ["document.binary", "arithmetic.wrong"]


def test_a_lone_surrogate_does_not_stop_the_printing(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('{"id": "\\ud800", "markdown": "3 x 4 = 15 \\udfff"}\n', encoding="utf-8")

    assert RUNNER.invoke(app, ["audit", "--json", str(path)]).exit_code == 5


def test_the_published_form_leaks_and_the_blind_presentation_does_not() -> None:
    assert codes(as_data(str(LANTERN))) == ["leak.wrong-answers"]
    assert codes(as_data("--blind", str(LANTERN))) == []


def test_copies_are_told_unless_they_are_not_asked_for(tmp_path: Path) -> None:
    for name in ("one.md", "two.md"):
        shutil.copy(LANTERN, tmp_path / name)

    assert codes(as_data("--blind", str(tmp_path))) == ["duplicate.near", "duplicate.near"]
    assert codes(as_data("--blind", "--no-duplicates", str(tmp_path))) == []


def test_a_file_that_is_named_twice_is_no_copy_of_itself() -> None:
    assert codes(as_data("--blind", str(LANTERN), str(LANTERN))) == []


def test_progress_goes_to_standard_error_and_the_result_alone_to_standard_output(tmp_path: Path) -> None:
    path = set_of(tmp_path, *["It is 3 x 4 = 15."] * 12)
    result = RUNNER.invoke(
        app, ["audit", "--json", "--no-duplicates", str(path)], env={"FORCE_COLOR": "1", "TERM": "xterm"}
    )

    assert json.loads(result.stdout)["errors"] == 12
    assert "auditing" in result.stderr


def test_a_few_documents_need_no_progress(tmp_path: Path) -> None:
    path = set_of(tmp_path, "It is 3 x 4 = 15.", "It is 3 x 5 = 18.")
    result = RUNNER.invoke(
        app, ["audit", "--json", "--no-duplicates", str(path)], env={"FORCE_COLOR": "1", "TERM": "xterm"}
    )

    assert result.stderr == ""
