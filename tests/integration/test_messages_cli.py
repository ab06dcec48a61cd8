"""`im show messages`: the messages of a run as a timeline, with readers, filters and older ledgers."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.commands.show import MessageTypeOption
from impossible_moments.cli.main import app, main
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.vocabulary import GALILEO, MessageType
from support.played_scenarios import run_scenario
from support.scripted_runs import add_tied_dispute, build_veto, change_fields, make_obliging_player

run = CliRunner()
ID = "IM-0001"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which GALILEO vetoed without the power to, and a dispute waits for a human."""
    made = tmp_path_factory.mktemp("scenarios")
    player = change_fields(
        make_obliging_player(), GALILEO, ReviewMemo, times=1, vetoes=(build_veto(claim="the bench slides"),)
    )
    run_scenario(made, player)
    run_scenario(made, add_tied_dispute(make_obliging_player()), scenario_id="IM-0002")
    return made


def show(folder: Path, *arguments: str, scenario: str = ID) -> str:
    result = run.invoke(
        app, ["show", "messages", scenario, "--folder", str(folder), *arguments], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return result.stdout


def show_data(folder: Path, *arguments: str, scenario: str = ID) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(show(folder, "--json", *arguments, scenario=scenario))[
        "messages"
    ]
    return found


def without_times(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**each, "timestamp": ""} for each in messages]


def test_the_types_of_the_option_are_those_of_the_specification() -> None:
    assert [each.value for each in MessageTypeOption] == [each.value for each in MessageType]


def test_the_timeline_names_the_readers_of_a_message_and_fits_eighty_columns(folder: Path) -> None:
    text = show(folder)
    block = text.split("\n\n")[2]

    assert max(map(len, text.splitlines())) <= 80
    assert block.startswith("   2  SEED DELIVERABLE ATHENA -> ORCHESTRATOR, confidence")
    assert " ".join(block.split()).endswith(
        "Readers: EULER, NEWTON in VALIDATE (without solution_sketch.confidence); GALILEO in GROUND (without "
        "solution_sketch.confidence); SOCRATES in CLASSIFY (only scenario.narrative, "
        "scenario.environment, scenario.threat, scenario.position, scenario.objects, scenario.capabilities); "
        "every other agent from REFINE on."
    )


def test_a_veto_without_power_is_shown_with_its_rule_its_fate_and_where_it_went(folder: Path) -> None:
    text = " ".join(show(folder, "--type", "veto").split())

    assert "GALILEO may not veto; EULER, NEWTON may. Send a CHALLENGE." in text
    assert "It is downgraded to a challenge. Passed on to ATHENA with" in text
    assert "Readers: every other agent from REFINE on." in text


def test_a_waiting_scenario_ends_with_the_request_to_the_human(folder: Path) -> None:
    last = show_data(folder, scenario="IM-0002")[-1]

    assert (last["message_type"], last["recipient"]) == ("ESCALATION", "HUMAN")


def test_filters_keep_the_numbers_of_the_whole_run(folder: Path) -> None:
    every = show_data(folder)
    votes = show_data(folder, "--type", "VOTE", "--agent", "newton")

    assert votes == [
        each
        for each in every
        if each["message_type"] == "VOTE" and "NEWTON" in {each["sender"], each["recipient"]}
    ]
    assert len(votes) == 5


def test_a_ledger_of_an_earlier_version_is_migrated(folder: Path, tmp_path: Path) -> None:
    old = shutil.copytree(folder, tmp_path / "old")
    with sqlite3.connect(old / "ledger.sqlite") as connection:
        connection.execute("DROP TABLE messages")
    connection.close()

    assert without_times(show_data(old)) == without_times(show_data(folder))


def test_replies_are_shown_if_the_rules_have_changed_since(folder: Path, tmp_path: Path) -> None:
    old = shutil.copytree(folder, tmp_path / "old")
    with sqlite3.connect(old / "ledger.sqlite") as connection:
        connection.execute("DELETE FROM messages")
        connection.execute("UPDATE answers SET assignment_hash = 'x'")
    connection.close()
    result = run.invoke(app, ["show", "messages", ID, "--output", str(old), "--json"])

    assert "The requests of the orchestrator cannot be rebuilt. FLOW_CHANGED" in result.stderr
    shown = json.loads(result.stdout)
    assert {each["recipient"] for each in shown["messages"]} == {"ORCHESTRATOR"}
    assert shown["incomplete"]


BAD = [
    (["IM-9999"], "'IM-9999' was not started in"),
    ([ID, "--agent", "NEWTN"], "Unknown agent NEWTN. Did you mean NEWTON?"),
]


@pytest.mark.parametrize(("arguments", "sentence"), BAD)
def test_bad_input_gets_a_sentence(
    arguments: list[str], sentence: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    monkeypatch.setattr("sys.argv", ["im", "show", "messages", *arguments, "--folder", str(folder)])
    with pytest.raises(SystemExit) as stopped:
        main()

    assert stopped.value.code == 2
    assert sentence in capsys.readouterr().err


def test_an_unknown_type_gets_a_suggestion(folder: Path) -> None:
    result = run.invoke(app, ["show", "messages", ID, "--folder", str(folder), "--type", "VETOS"])

    assert result.exit_code == 2
    assert "Did you mean VETO" in result.stderr
