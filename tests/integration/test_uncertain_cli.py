"""`im create --uncertain`, `im eval`, `im verify` and `im report` on uncertain worlds, alone and beside other scenarios."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.main import app
from impossible_moments.evaluation import Environment
from impossible_moments.evaluation.uncertain_runs import UncertainResults
from support.eval_commands import run_failing_command
from support.model_conversations import SECRET
from support.providers.conversation import Call, Question, Reply
from support.providers.server import serve_provider
from support.scored_scenarios import create_published_folder


def run(*arguments: str | Path, ends_with: int = 0) -> str:
    result = CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False)
    assert result.exit_code == ends_with, result.output
    return result.stdout


def create_world(folder: Path, seed: int) -> dict[str, object]:
    found: dict[str, object] = json.loads(
        run("create", "--uncertain", "--seed", str(seed), "--output", folder, "--json")
    )
    return found


def read(path: Path) -> UncertainResults:
    return UncertainResults.model_validate_json(path.read_text(encoding="utf-8"))


def test_a_world_is_created_verified_played_and_reported(tmp_path: Path) -> None:
    folder, results = tmp_path / "scenarios", tmp_path / "r.json"
    made = create_world(folder, 7)
    again = create_world(folder, 7)
    assert made["scenario_id"] == again["scenario_id"] == "IM-0001"

    assert "uncertain world, optimal 0." in run("verify", folder / "evaluation/IM-0001_mechanics.json")
    shown = run(
        "eval", "--model", "builtin:lookahead", "--answer", "interactive", "--worlds", "12",
        "--scenarios", folder, "--output", results,
    )  # fmt: skip
    found = read(results)
    assert (len(found.scenarios[0].runs), found.worlds, found.summary.scored) == (12, 12, 12)
    assert "Regret, measured act by act: 0." in shown
    report = run("report", results, "--html", tmp_path / "r.html")
    assert "There is no IM-Score" in " ".join(report.split())
    assert str(made["family"]) in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_the_optimum_is_reached_exactly_by_its_written_policy(tmp_path: Path) -> None:
    create_world(tmp_path / "scenarios", 7)
    run(
        "eval", "--model", "builtin:optimal", "--answer", "policy", "--runs", "1",
        "--scenarios", tmp_path / "scenarios", "--output", tmp_path / "r.json",
    )  # fmt: skip
    found = read(tmp_path / "r.json")

    assert found.scenarios[0].runs[0].success == pytest.approx(found.scenarios[0].optimum, abs=1e-12)
    assert found.summary.regret is not None
    assert abs(found.summary.regret.value) < 1e-12


def test_a_model_plays_through_its_tools_and_answers_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    create_world(tmp_path / "scenarios", 7)

    def play(question: Question) -> Reply:
        """Give the broad cure at once, then hand in."""
        if any(message.results for message in question.messages):
            return Reply(calls=(Call("hand_in", {"estimate": 0.5}),))
        return Reply(calls=(Call("act", {"code": "GIVE-BROAD"}),))

    with serve_provider(play) as server:
        command: list[str | Path] = [
            "eval", "--model", f"openai:small-1@{server.openai_url}", "--answer", "interactive", "--worlds", "6",
            "--scenarios", tmp_path / "scenarios", "--output", tmp_path / "r.json",
        ]  # fmt: skip
        run(*command)
        asked = len(server.requests)
        run(*command)
        assert len(server.requests) == asked == 12
    found = read(tmp_path / "r.json")
    record = json.loads(
        (tmp_path / "scenarios/evaluation/IM-0001_mechanics.json").read_text(encoding="utf-8")
    )
    broad = record["acts"]["GIVE-BROAD"]["cases"][0]["results"][0]["chance"]

    assert [each.acts for each in found.scenarios[0].runs] == [1] * 6
    # giving it at once gives away the same in every world
    assert found.scenarios[0].losses == pytest.approx([found.scenarios[0].optimum - broad] * 6)


def test_policies_and_transcripts_from_a_file_are_scored(tmp_path: Path) -> None:
    folder, answers, results = tmp_path / "scenarios", tmp_path / "a.jsonl", tmp_path / "r.json"
    create_world(folder, 7)
    record = json.loads((folder / "evaluation/IM-0001_mechanics.json").read_text(encoding="utf-8"))
    broad = record["acts"]["GIVE-BROAD"]["cases"][0]["results"][0]["chance"]
    line = {"scenario_id": "IM-0001", "answer": {"policy": {"do": "give-broad"}}}
    answers.write_text(json.dumps(line) + "\n", encoding="utf-8")
    run("score", answers, "--answer", "policy", "--scenarios", folder, "--output", results)
    assert read(results).scenarios[0].runs[0].success == pytest.approx(broad)

    lines = [{"scenario_id": "IM-0001", "answer": {"acts": ["WATCH"]}}] * 3
    answers.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    run("score", answers, "--answer", "interactive", "--scenarios", folder, "--output", results)
    found = read(results)
    assert (found.worlds, [each.success for each in found.scenarios[0].runs]) == (3, [0.0] * 3)


def test_uncertain_worlds_beside_other_scenarios_are_evaluated_apart(tmp_path: Path) -> None:
    folder = tmp_path / "scenarios"
    shutil.copytree(create_published_folder(), folder)
    before = set(Environment(folder).scenarios)
    made = create_world(folder, 7)

    assert made["scenario_id"] not in before
    assert set(Environment(folder).scenarios) == before
    run(
        "eval", "--model", "builtin:random", "--answer", "interactive", "--runs", "1", "--worlds", "3",
        "--scenarios", folder, "--output", tmp_path / "r.json",
    )  # fmt: skip
    assert [each.scenario_id for each in read(tmp_path / "r.uncertain.json").scenarios] == [
        made["scenario_id"]
    ]
    others = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["scenarios"]
    assert {each["scenario_id"] for each in others} == before
    run(
        "eval",
        "--model",
        "builtin:quitter",
        "--runs",
        "1",
        "--scenarios",
        folder,
        "--output",
        tmp_path / "p.json",
    )
    assert len(json.loads((tmp_path / "p.json").read_text(encoding="utf-8"))["scenarios"]) == len(before)
    run("export", "jsonl", "--scenarios", folder, "--keys", "--output", tmp_path / "e")
    exported = "".join(each.read_text(encoding="utf-8") for each in (tmp_path / "e").rglob("*.jsonl"))
    assert all(f'"{name}"' in exported for name in before)
    assert f'"{made["scenario_id"]}"' not in exported


# fmt: off
BAD = {
    "a category without a family": (["create", "--uncertain", "--category", "The Cascade", "--output", "TMP"], "no family of uncertain worlds"),
    "a misspelt category":         (["create", "--uncertain", "--category", "The Ghost Machin", "--output", "TMP"], "Did you mean"),
    "an option of other scenarios": (["create", "--uncertain", "--difficulty-tier", "SPARK", "--output", "TMP"], "Remove --difficulty-tier"),
    "a plan":                      (["eval", "--scenarios", "TMP/w", "--output", "TMP/r.json"], "Use --answer interactive or --answer policy"),
    "restarts":                    (["eval", "--scenarios", "TMP/w", "--answer", "interactive", "--restarts", "1", "--output", "TMP/r.json"], "Remove --restarts"),
    "an unknown player":           (["eval", "--scenarios", "TMP/w", "--answer", "interactive", "--model", "builtin:solver", "--output", "TMP/r.json"], "not a built-in player"),
    "a policy for other scenarios": (["eval", "--scenarios", "FOLDER", "--answer", "policy", "--output", "TMP/r.json"], "Policies are for uncertain worlds"),
}
# fmt: on


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_fit_is_one_sentence_and_status_2(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    create_world(tmp_path / "w", 7)
    arguments, words = BAD[name]
    filled = [
        each.replace("TMP", str(tmp_path)).replace("FOLDER", str(create_published_folder()))
        for each in arguments
    ]

    assert words in run_failing_command(filled, capsys, monkeypatch)
