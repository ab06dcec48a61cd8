"""Foreign scenarios from the command line: imported, asked about, judged or compared, and gone on with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer import Typer
from typer.testing import CliRunner

from impossible_moments.cli.actions import imported_scenarios
from impossible_moments.cli.actions.imported_scenarios import ImportedEvaluationOptions
from impossible_moments.cli.actions.report import read_results
from impossible_moments.cli.commands.import_scenarios import import_scenarios
from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.imported_scenarios.imported_folder import load_imported_folder
from impossible_moments.evaluation.imported_scenarios.imported_results import (
    BY_JUDGES,
    BY_OUTCOME,
    ImportedResults,
)
from impossible_moments.evaluation.runs.answer_collection import Reply, parse_reply_lines
from impossible_moments.evaluation.runs.presentation import build_answer_prompt
from impossible_moments.llm.consultation_tasks import HAND_IN
from support.imported_documents import OUTCOME, SECRET_WORDS, build_document, import_documents_into
from support.judge_scripts import build_verdict
from support.model_conversations import SECRET
from support.providers.conversation import Call, Question
from support.providers.conversation import Reply as Said
from support.providers.server import Server, serve_provider

ANSWER = f"Nobody watches the ceiling.\nANSWER: solvable - {OUTCOME.lower()}"
run = CliRunner()


def im_import(*arguments: str | Path) -> Any:
    app = Typer()
    app.command("import")(import_scenarios)
    return run.invoke(app, [*map(str, arguments)], catch_exceptions=False)


def read(path: Path) -> ImportedResults:
    return ImportedResults.model_validate_json(path.read_text(encoding="utf-8"))


def brain(question: Question) -> Said:
    """A model that answers, and judges who find the answer right."""
    if question.model.startswith("judge"):
        return Said(calls=(Call(HAND_IN, build_verdict("KS", (100,), "Nobody watches the ceiling")),))
    return Said(text=ANSWER)


@pytest.fixture
def trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ImportedEvaluationOptions]:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    scenarios = import_documents_into(tmp_path, build_document(), build_document(number="FX-0002"))

    def made(server: Server | None = None, **more: Any) -> ImportedEvaluationOptions:
        judged = more.pop("judges", 0)
        url = server.openai_url if server is not None else "http://127.0.0.1:9"
        names = tuple(f"openai:judge-{at}@{url}" for at in range(1, judged + 1))
        return ImportedEvaluationOptions(
            f"openai:small-1@{url}", scenarios, tmp_path / "r.json", runs=2, judges=names, **more
        )

    return made


# importing


def test_a_file_is_imported_into_documents_and_keys(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text(build_document(), encoding="utf-8")
    result = im_import(tmp_path / "one.md", "--output", tmp_path / "foreign")
    assert (result.exit_code, "1 imported" in result.stdout) == (DONE, True)
    public = (tmp_path / "foreign/public/FX-0001.md").read_text(encoding="utf-8")
    assert all(secret not in public for secret in (*SECRET_WORDS, OUTCOME))
    assert OUTCOME in (tmp_path / "foreign/evaluation/FX-0001_key.json").read_text(encoding="utf-8")


def test_what_is_refused_is_told_and_changes_the_exit_status(tmp_path: Path) -> None:
    rows = [{"markdown": build_document()}, {"markdown": "words"}, {"markdown": build_document()}]
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    result = im_import(tmp_path / "s.jsonl", "--output", tmp_path / "foreign", "--json")
    assert result.exit_code == FOUND_ERRORS
    data = json.loads(result.stdout)
    assert data["imported"] == ["FX-0001"]
    assert [each.partition("s.jsonl:")[2][:1] for each in data["refused"]] == ["2", "3"]


def test_where_nothing_can_be_imported_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("words", encoding="utf-8")
    result = im_import(tmp_path, "--output", tmp_path / "foreign")
    assert result.exit_code == FOUND_ERRORS
    assert not (tmp_path / "foreign").exists()


# evaluating


def test_a_model_is_shown_the_situation_and_judged_against_the_statement(
    tmp_path: Path, trial: Callable[..., ImportedEvaluationOptions]
) -> None:
    heard: list[Question] = []

    def listening(question: Question) -> Said:
        heard.append(question)
        return brain(question)

    with serve_provider(listening) as server:
        assert (
            imported_scenarios.evaluate_imported_scenarios(
                trial(server, judges=2), dry_run=False, as_json=False
            )
            == DONE
        )
        shown = [each.messages[0].text for each in heard if each.model == "small-1"]
        asked = len(server.requests)
        first = read(tmp_path / "r.json")
        imported_scenarios.evaluate_imported_scenarios(trial(server, judges=2), dry_run=False, as_json=False)
        assert len(server.requests) == asked
    assert read(tmp_path / "r.json").model_copy(update={"created": ""}) == first.model_copy(
        update={"created": ""}
    )
    assert all("cold store" in each and "ANSWER: solvable" in each for each in shown)
    assert not any(secret in each for each in shown for secret in (*SECRET_WORDS, OUTCOME, "Milk Float"))
    assert (first.measure, first.said) == ("judges", BY_JUDGES)
    runs = [run for each in first.scenarios for run in each.runs]
    assert len(runs) == 4
    assert all(run.components is not None and run.components.outcome == 100 for run in runs)
    assert all("foreign" in run.flags for run in runs)


def test_without_judges_the_last_line_is_compared_and_said_to_be_weak(
    tmp_path: Path, trial: Callable[..., ImportedEvaluationOptions], capsys: pytest.CaptureFixture[str]
) -> None:
    with serve_provider(brain) as server:
        imported_scenarios.evaluate_imported_scenarios(
            trial(server, by_outcome=True), dry_run=False, as_json=False
        )
    found = read(tmp_path / "r.json")
    assert (found.mean, found.said) == (100, BY_OUTCOME)
    assert all(run.components is None for each in found.scenarios for run in each.runs)
    printed = " ".join(capsys.readouterr().out.split())
    assert "weak measure" in printed
    assert "no IM-Score" in printed


def test_answers_made_elsewhere_are_scored_and_review_is_no_zero(
    tmp_path: Path, trial: Callable[..., ImportedEvaluationOptions]
) -> None:
    lines = [
        {"scenario_id": "FX-0001", "answer": ANSWER},
        {"scenario_id": "FX-0001", "answer": "ANSWER: impossible"},
        {"scenario_id": "FX-0002", "answer": "I would sing."},
    ]
    imported_scenarios.score_imported_answers(parse_reply_lines(lines), trial(by_outcome=True), as_json=True)
    found = read(tmp_path / "r.json")
    assert [[run.score for run in each.runs] for each in found.scenarios] == [[100, 0], [None]]
    assert found.states == {"scored": 2, "review": 1, "unscored": 0}
    assert found.mean == 50


def test_foreign_results_are_never_read_as_executed_ones(
    tmp_path: Path, trial: Callable[..., ImportedEvaluationOptions]
) -> None:
    imported_scenarios.score_imported_answers(
        {("FX-0001", 1): Reply(ANSWER)}, trial(by_outcome=True), as_json=True
    )
    with pytest.raises(ConfigurationError):
        read_results(tmp_path / "r.json")
    assert "im_score" not in (tmp_path / "r.json").read_text(encoding="utf-8")


def test_a_failure_of_the_provider_is_unscored(
    tmp_path: Path, trial: Callable[..., ImportedEvaluationOptions]
) -> None:
    imported_scenarios.score_imported_answers(
        {("FX-0001", 1): Reply("", failure="cut off")}, trial(by_outcome=True), as_json=True
    )
    (run_,) = read(tmp_path / "r.json").scenarios[0].runs
    assert (run_.state, run_.score, run_.note) == ("unscored", None, "cut off")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "either by --judge MODEL, given at least twice, or by --by-outcome"),
        ({"by_outcome": True, "judges": 2}, "either by --judge"),
        ({"judges": 1}, "at least 2"),
        ({"by_outcome": True, "answer": "plan"}, "Use --answer free"),
        ({"by_outcome": True, "presentation": "full"}, "Use --presentation blind"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anybody_is_asked(
    trial: Callable[..., ImportedEvaluationOptions], options: dict[str, Any], sentence: str
) -> None:
    with serve_provider(brain) as server:
        with pytest.raises(ConfigurationError, match=sentence):
            imported_scenarios.evaluate_imported_scenarios(
                trial(server, **options), dry_run=False, as_json=False
            )
        assert server.requests == []


def test_a_dry_run_asks_nobody(
    trial: Callable[..., ImportedEvaluationOptions], capsys: pytest.CaptureFixture[str]
) -> None:
    with serve_provider(brain) as server:
        imported_scenarios.evaluate_imported_scenarios(
            trial(server, by_outcome=True), dry_run=True, as_json=True
        )
        assert server.requests == []
    assert json.loads(capsys.readouterr().out)["calls"] == 4


def test_the_prompt_says_nothing_about_the_status(tmp_path: Path) -> None:
    kinds = {"KS": "one", "PX": "two", "OF": "three"}
    prompts = set()
    for status, name in kinds.items():
        (tmp_path / name).mkdir()
        found = load_imported_folder(import_documents_into(tmp_path / name, build_document(status=status)))
        prompts.add(build_answer_prompt(found.scenarios[0]))
    assert len(prompts) == 1
