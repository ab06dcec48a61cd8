"""`im difficulty` from the command line: solvers, measured tiers, and scenarios that go back for redesign."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

from impossible_moments.cli.exit_status import FOUND_ERRORS
from impossible_moments.scenarios import Scenario, ScenarioRegistry
from support.eval_commands import run_command, run_failing_command
from support.sample_results import build_results, build_scenario
from support.scored_scenarios import create_published_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copytree(create_published_folder(), tmp_path / "scenarios")


def write_results(folder: Path, path: Path, scores: dict[str, float]) -> Path:
    """Write a result file with ten equal runs of each scenario."""
    scenarios = [
        build_scenario(each.scenario_id, [scores[each.tier]] * 10, tier=each.tier)
        for each in Scenario.load_directory(folder)
    ]
    path.write_text(build_results(*scenarios).model_dump_json(), encoding="utf-8")
    return path


def test_the_ladder_is_reported_by_tier_with_intervals(folder: Path) -> None:
    data = json.loads(run_command("difficulty", "--ladder", "--json", scenarios_in=folder))
    solvers = list(data["abilities"])
    abilities = [data["abilities"][each][0] for each in solvers]

    assert solvers[0] == "first idea"
    assert max(abilities) == abilities[-1]
    assert all(
        each["rate"]["low"] <= (each["rate"]["share"] or 0) <= each["rate"]["high"]
        for each in data["groups"]
        if each["rate"]["trials"]
    )
    assert [each["difficulty"] for each in data["items"]] == sorted(
        each["difficulty"] for each in data["items"]
    )


def test_a_measured_tier_is_stated_in_registry_and_documents(folder: Path, tmp_path: Path) -> None:
    fractures = [each.scenario_id for each in Scenario.load_directory(folder) if each.tier == "FRACTURE"]
    path = write_results(folder, tmp_path / "r.json", {"SPARK": 100, "FRACTURE": 100, "RUPTURE": 0})
    shown = run_command("difficulty", path, "--write", scenarios_in=folder)
    entry = ScenarioRegistry(folder).entries[fractures[0]]
    public = (folder / "public" / f"{fractures[0]}.md").read_text(encoding="utf-8")
    key = (folder / "evaluation" / f"{fractures[0]}_eval.md").read_text(encoding="utf-8")

    assert f"{fractures[0]} is predicted FRACTURE and measured SPARK" in " ".join(shown.split())
    assert (entry.tier, entry.tier_basis) == ("SPARK", "measured")
    assert f"**Difficulty**: SPARK ({entry.profile})" in public
    assert "Tier: SPARK" in key
    assert "The tier is measured, SPARK: models solve 100% of 10 runs." in key


def test_two_tiers_apart_goes_back_for_redesign_and_is_not_changed(folder: Path, tmp_path: Path) -> None:
    hard = [each.scenario_id for each in Scenario.load_directory(folder) if each.tier == "RUPTURE"]
    assert hard
    path = write_results(folder, tmp_path / "r.json", {"SPARK": 100, "FRACTURE": 0, "RUPTURE": 100})
    shown = run_command("difficulty", path, "--write", scenarios_in=folder, ends_with=FOUND_ERRORS)

    assert f"{hard[0]} is predicted RUPTURE and measured SPARK" in " ".join(shown.split())
    assert "It goes back for redesign." in " ".join(shown.split())
    assert ScenarioRegistry(folder).entries[hard[0]].tier_basis == "predicted"


def test_without_solvers_there_is_nothing_to_measure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Nothing to measure" in run_failing_command(["difficulty"], capsys, monkeypatch)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--thinking-budget", "much"), "is not a thinking budget"),
        (
            ("--thinking-budget", "none", "--thinking-budget", "free"),
            "An evaluation has one --thinking-budget",
        ),
        (("--thinking-budget", "none", "--answer", "interactive"), "an episode has many"),
        (("--reach", "--answer", "free"), "answers that need no judge"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    options: tuple[str, ...],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    flags = ["eval", "--model", "builtin:solver", "--scenarios", str(create_published_folder()), *options]
    assert message in run_failing_command(flags, capsys, monkeypatch)
