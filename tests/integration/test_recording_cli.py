"""`im show recording`: a run that is written to a file and played again gives the same scenario."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from impossible_moments.cli.main import app
from impossible_moments.ledger.leases import ScenarioState
from support.played_scenarios import make_concerned_player, run_scenario

PUBLISHED = ("public/{}.md", "evaluation/{}_eval.md", "evaluation/{}_mechanics.json")


def im(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def same_bytes(one: Path, other: Path, scenario: str) -> bool:
    names = [each.format(scenario) for each in PUBLISHED]
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in names)


@pytest.mark.parametrize("status", ["KS", "PX"])
def test_a_recorded_run_of_the_built_in_cast_gives_the_same_bytes_elsewhere(
    tmp_path: Path, status: str
) -> None:
    first, second, file = tmp_path / "first", tmp_path / "second", tmp_path / "run.json"
    assert im("create", "--solution-status", status, "--seed", "3", "--output", str(first)).exit_code == 0

    written = im("show", "recording", "IM-0001", "--output", str(first), "--to", str(file))
    again = im("create", "--model", f"replay:{file}", "--output", str(second), "--json")

    assert (written.exit_code, again.exit_code) == (0, 0)
    assert same_bytes(first, second, "IM-0001")


def test_a_recording_keeps_the_number_of_its_scenario(tmp_path: Path) -> None:
    first, second, file = tmp_path / "first", tmp_path / "second", tmp_path / "run.json"
    for seed in ("1", "2"):
        assert im("create", "--seed", seed, "--output", str(first)).exit_code == 0
    im("show", "recording", "IM-0002", "--output", str(first), "--to", str(file))

    assert im("create", "--model", f"replay:{file}", "--output", str(second)).exit_code == 0
    assert same_bytes(first, second, "IM-0002")


def test_what_a_human_decided_is_decided_again(tmp_path: Path) -> None:
    first, second, file = tmp_path / "first", tmp_path / "second", tmp_path / "run.json"
    assert run_scenario(first, make_concerned_player()).state is ScenarioState.AWAITING_HUMAN
    im("review", "decide", "IM-0001", "RESOLVE", "--reason", "It is fiction.", "--output", str(first))
    assert run_scenario(first, make_concerned_player()).state is ScenarioState.ACCEPTED
    im("show", "recording", "IM-0001", "--output", str(first), "--to", str(file))

    again = im("create", "--model", f"replay:{file}", "--output", str(second), "--json")

    assert (again.exit_code, json.loads(again.stdout)["metadata"]["human_review"]) == (0, True)
    assert same_bytes(first, second, "IM-0001")


def test_a_run_that_waits_is_recorded_as_far_as_it_came(tmp_path: Path) -> None:
    first, second, file = tmp_path / "first", tmp_path / "second", tmp_path / "run.json"
    run_scenario(first, make_concerned_player())

    written = im("show", "recording", "IM-0001", "--output", str(first), "--to", str(file))
    again = im("create", "--model", f"replay:{file}", "--output", str(second))

    assert "IM-0001 is awaiting human" in written.stderr
    assert again.exit_code == 3


def test_without_a_file_the_recording_is_printed_and_nothing_else(tmp_path: Path) -> None:
    run_scenario(tmp_path, make_concerned_player())
    data = json.loads(im("show", "recording", "IM-0001", "--output", str(tmp_path)).stdout)

    assert data["brief"]["scenario_id"] == "IM-0001"
    assert next(iter(data["answers"])) == "SEED/ATHENA/seed/1"


def test_a_decision_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    first, file = tmp_path / "first", tmp_path / "run.json"
    run_scenario(first, make_concerned_player())
    im("review", "decide", "IM-0001", "RESOLVE", "--reason", "It is fiction.", "--output", str(first))
    run_scenario(first, make_concerned_player())
    im("show", "recording", "IM-0001", "--output", str(first), "--to", str(file))
    data = json.loads(file.read_text(encoding="utf-8"))
    (key,) = (key for key in data["answers"] if "/HUMAN/" in key)
    data["answers"][key]["reply"] = {"option": "SHRUG"}
    file.write_text(json.dumps(data), encoding="utf-8")

    result = im("create", "--model", f"replay:{file}", "--output", str(tmp_path / "second"))

    assert f"has no readable human decision on {key}" in str(result.exception)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["IM-0009"], "was not started in"),
        (["[bold]"], "Scenarios there: IM-0001"),
        (["IM-0001", "--to", "/proc/none/run.json"], "Cannot write"),
    ],
)
def test_bad_input_is_a_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    run_scenario(tmp_path, make_concerned_player())
    result = im("show", "recording", *arguments, "--output", str(tmp_path))

    assert sentence in str(result.exception)


def test_a_folder_without_a_ledger_is_a_sentence(tmp_path: Path) -> None:
    result = im("show", "recording", "IM-0001", "--output", str(tmp_path))

    assert "contains no ledger.sqlite" in str(result.exception)
