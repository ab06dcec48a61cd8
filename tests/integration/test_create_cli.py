"""`im create` with a recorded cast: the whole pipeline, from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from impossible_moments.agents.adapters.replay_adapter import RunRecording, format_recording
from impossible_moments.cli.main import app, main
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios.documents import remove_clock_values

RECORDING: Final = Path(__file__).parents[2] / "examples" / "blast_room_run.json"
run = CliRunner()


def _create(folder: Path, *more: str) -> tuple[int, str]:
    result = run.invoke(app, ["create", "--model", f"replay:{RECORDING}", "--output", str(folder), *more])
    return result.exit_code, result.stdout


def test_the_recorded_cast_gets_its_scenario_accepted(tmp_path: Path) -> None:
    code, shown = _create(tmp_path)
    assert code == 0
    assert "IM-0001 is accepted" in shown
    assert (tmp_path / "public" / "IM-0001.md").is_file()


def test_mechanics_never_lie_among_the_public_documents(tmp_path: Path) -> None:
    _create(tmp_path)
    assert [path.name for path in (tmp_path / "public").iterdir()] == ["IM-0001.md"]


def test_json_is_one_document_that_names_the_files(tmp_path: Path) -> None:
    code, shown = _create(tmp_path, "--json")
    data = json.loads(shown)
    assert (code, data["state"], len(data["files"])) == (0, "accepted", 4)


def test_two_runs_publish_the_same_bytes_but_for_what_a_clock_said(tmp_path: Path) -> None:
    for name in ("one", "two"):
        _create(tmp_path / name)
    for path in ("public/IM-0001.md", "evaluation/IM-0001_eval.md", "evaluation/IM-0001_mechanics.json"):
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()
    first, second = (
        remove_clock_values((tmp_path / name / "traces" / "IM-0001_trace.md").read_text(encoding="utf-8"))
        for name in ("one", "two")
    )
    assert first == second


def test_the_same_brief_again_is_the_same_scenario(tmp_path: Path) -> None:
    _create(tmp_path)
    before = (tmp_path / "public/IM-0001.md").stat().st_mtime_ns
    code, shown = _create(tmp_path)
    assert code == 0
    assert "IM-0001 was created from it" in " ".join(shown.split())
    assert [path.stat().st_mtime_ns for path in (tmp_path / "public").iterdir()] == [before]


def test_a_copy_of_a_published_scenario_is_not_published(tmp_path: Path) -> None:
    _create(tmp_path)
    code, shown = _create(tmp_path, "--again")
    # the gate sends the seed back, and the recording has no second one
    assert code == 1
    assert "no answer to the ask SEED/ATHENA/seed/2" in " ".join(shown.split())
    assert len(list((tmp_path / "public").iterdir())) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["create", "--model", "nobody"], "`nobody` is not a model reference"),
        (["create", "--model", "replay:nowhere.json"], "Cannot read the recording nowhere.json"),
        (
            ["create", "--model", f"replay:{RECORDING}", "--category", "The Locked Door"],
            "--category is `The Locked Door`",
        ),
        (["create", "--model", f"replay:{RECORDING}", "--difficulty-tier", "HARD"], "SPARK, FRACTURE"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    arguments: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["im", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"brief": {}, "answers": {}}', '{"brief": 3}', "[" * 100_000]
)
def test_a_file_that_is_no_recording_says_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="is not the recording of a run"):
        RunRecording.load(path)


def test_a_recording_that_is_written_and_read_again_is_the_same() -> None:
    recording = RunRecording.load(RECORDING)
    assert json.loads(format_recording(recording.brief, {}))["brief"] == recording.brief.model_dump(
        mode="json"
    )


def test_the_specifications_path_takes_its_flags(tmp_path: Path) -> None:
    flags = [
        "--mode",
        "single",
        "--category",
        "The Locked Room",
        "--difficulty-tier",
        "FRACTURE",
        "--solution-status",
        "KS",
    ]
    module = "impossible_moments.agents.orchestrator.orchestrator"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            module,
            *flags,
            "--output",
            str(tmp_path),
            "--model",
            f"replay:{RECORDING}",
            "--json",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["state"] == "accepted"


def test_the_example_runs_as_it_stands() -> None:
    example = RECORDING.parent / "single_scenario.py"
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "is accepted" in done.stdout
