"""`im eval` and `im score` with a translator, against a provider on this machine, for records with a wording."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.main import app
from impossible_moments.evaluation.answer_key import NO_WORDING
from impossible_moments.evaluation.results import EvaluationRun, Results, RunState
from impossible_moments.evaluation.translation import build_coded_record
from impossible_moments.llm import call_pacing
from impossible_moments.llm.model_failures import ModelFailure
from impossible_moments.scenarios.scenario import Scenario
from support.eval_commands import NOTHING_SCORED, read_results, run_command, run_failing_command
from support.instruments import (
    REPLY_COST,
    TRANSLATOR,
    ScriptedProvider,
    extract_answer,
    list_model_names,
    write_answer_lines,
    write_prices,
)
from support.model_conversations import QUICK, SECRET
from support.providers import faults
from support.providers.conversation import Question, Reply
from support.providers.server import Server, serve_provider
from support.scored_scenarios import create_unworded_folder
from support.worded_scenarios import (
    MIX,
    MIX_TWIN,
    build_bottles_key,
    build_call,
    confirm_everything,
    create_bottles_folder,
    find_code,
    find_statement,
    is_second_pass,
    refuse_lines_with,
)

MIXED = (
    "Yes. I mix the glycerine with water from the main, 66 % glycerine, and fill the loop with the mixture."
)
GIVEN_UP = "This is impossible: no mixture of the two stays liquid in such frost."
ANSWERS = {MIX: MIXED, MIX_TWIN: GIVEN_UP}


@pytest.fixture(autouse=True)
def _with_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setattr(call_pacing, "RetryPolicy", lambda: QUICK)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return create_bottles_folder(tmp_path / "scenarios")


def read_mixture(
    quote: str = "I mix the glycerine with water from the main", mixed: str = "I mix"
) -> dict[str, Any]:
    key = build_bottles_key(MIX)
    blend = build_call(
        key, "blend(first, second)", quote, first="the glycerine", second="water from the main", mixed=mixed
    )
    blend["values"] = [{"code": find_code(key, "share"), "value": "66", "quote": "66 % glycerine"}]
    return {"verdict": "solvable", "verdict_quote": quote, "plan": [blend]}


def read_impossibility() -> dict[str, Any]:
    code = find_statement(
        build_coded_record(build_bottles_key(MIX_TWIN)).conditions, "the mixture stays liquid"
    )
    reason = {"quote": "no mixture of the two stays liquid in such frost", "conditions": [code]}
    return {"verdict": "impossible", "verdict_quote": "This is impossible", "plan": [], "reasons": [reason]}


def translate(question: Question) -> dict[str, Any]:
    if is_second_pass(question):
        return confirm_everything(question)
    return (
        read_impossibility() if "impossible" in extract_answer(question.messages[0].text) else read_mixture()
    )


def create_provider(folder: Path, **more: Any) -> ScriptedProvider:
    blind = {each.scenario_id: each.blind.strip() for each in Scenario.load_directory(folder)}

    def answer(question: Question) -> Reply:
        asked = question.messages[0].text
        return Reply(text=ANSWERS[next(name for name, text in blind.items() if text in asked)])

    return ScriptedProvider(answer, **{"translated": translate, **more})


def build_command(server: Server, output: Path, form: str, *more: str | Path) -> list[str | Path]:
    return [
        "eval", "--model", *list_model_names(server, "small-1"), "--runs", "1", "--answer", form,
        "--translator", *list_model_names(server, TRANSLATOR), "--output", output / "r.json", *more,
    ]  # fmt: skip


def get_runs(results: Results) -> dict[str, EvaluationRun]:
    return {each.scenario_id: each.runs[0] for each in results.scenarios}


@pytest.mark.parametrize("form", ["free", "plan"])
def test_answers_are_translated_executed_and_kept_with_their_quotes(
    form: str, folder: Path, tmp_path: Path
) -> None:
    house = create_provider(folder)
    with serve_provider(house) as server:
        command = build_command(server, tmp_path, form, "--prices", write_prices(tmp_path))
        shown = run_command(*command, scenarios_in=folder)
        first = read_results(tmp_path / "r.json")
        asked = house.asked.copy()
        run_command(*command, scenarios_in=folder)
    again = read_results(tmp_path / "r.json")
    assert asked == house.asked == {"small-1": 2, TRANSLATOR: 4}
    assert again.model_copy(update={"created": first.created}) == first
    runs = get_runs(first)
    assert (runs[MIX].state, runs[MIX].score) == (RunState.SCORED, 100.0)
    assert runs[MIX].executed == ("choose(share=0.66)", "blend(first, second)", "carry_on(work)")
    assert [each.kind for each in runs[MIX].reading] == ["verdict", "call", "call"]
    assert runs[MIX].reading[2].said["second"] == "water from the main"
    assert runs[MIX_TWIN].passed
    assert runs[MIX_TWIN].reading[1].kind == "reason"
    assert all("translated" in run.flags for run in runs.values())
    assert Decimal(first.translator_cost or 0) == 4 * REPLY_COST
    assert f"translator ${4 * REPLY_COST:.4f}" in shown


def test_an_unfaithful_mapping_is_left_for_review(folder: Path, tmp_path: Path) -> None:
    def doubt(question: Question) -> dict[str, Any]:
        return (
            refuse_lines_with("I mix the glycerine")(question)
            if is_second_pass(question)
            else translate(question)
        )

    with serve_provider(create_provider(folder, translated=doubt)) as server:
        run_command(*build_command(server, tmp_path, "free"), scenarios_in=folder)
    run = get_runs(read_results(tmp_path / "r.json"))[MIX]
    assert (run.state, run.score) == (RunState.REVIEW, None)
    assert {each.kind for each in run.reading} == {"verdict", "unread"}
    assert "another deed" in run.note


@pytest.mark.parametrize("form", ["free", "plan"])
def test_a_failing_translator_leaves_answers_unscored_for_judges(
    form: str, folder: Path, tmp_path: Path
) -> None:
    house = create_provider(folder)
    plan = lambda _number, question: faults.REFUSED if question.model == TRANSLATOR else None  # noqa: E731 - a plan
    with serve_provider(house, faults=plan) as server:
        command = build_command(server, tmp_path, form)
        run_command(*command, scenarios_in=folder, ends_with=NOTHING_SCORED)
    for run in get_runs(read_results(tmp_path / "r.json")).values():
        assert (run.state, run.score, run.flags) == (RunState.UNSCORED, None, ("for judges",))
        assert "it was not translated" in run.note
        assert run.reading == ()


def test_score_translates_answers_from_a_file(folder: Path, tmp_path: Path) -> None:
    path = write_answer_lines(tmp_path, ANSWERS.items())
    with serve_provider(create_provider(folder)) as server:
        translator = list_model_names(server, TRANSLATOR)
        run_command(
            "score", path, "--translator", *translator, "--output", tmp_path / "r.json", scenarios_in=folder
        )
    results = read_results(tmp_path / "r.json")
    assert (results.answer_form, results.unscored) == ("free", 0)
    assert get_runs(results)[MIX].score == 100


def test_a_dry_run_counts_both_passes_and_asks_nobody(folder: Path, tmp_path: Path) -> None:
    with serve_provider(create_provider(folder)) as server:
        command = build_command(server, tmp_path, "plan", "--prices", write_prices(tmp_path))
        estimate = json.loads(run_command(*command, "--dry-run", "--json", scenarios_in=folder))["translator"]
        assert server.requests == []
        run_command(*command, scenarios_in=folder)
        sent = [each for each in server.requests if (each.body or {}).get("model") == TRANSLATOR]
    assert estimate["calls"] == len(sent) == 4
    really = sum(len(json.dumps(each.body, ensure_ascii=False)) for each in sent) / 4
    assert 0.6 * really < estimate["input_tokens"] < 2.5 * really
    dollars = (Decimal("2.5") * estimate["input_tokens"] + 10 * estimate["output_tokens"]) / 1_000_000
    assert Decimal(estimate["cost"]) == dollars


def test_the_spending_limit_stops_translations_and_paid_passes_are_kept(folder: Path, tmp_path: Path) -> None:
    house = create_provider(folder)
    path = write_answer_lines(tmp_path, [(MIX, f"Answer {number}. {MIXED}") for number in range(8)])
    with serve_provider(house) as server:
        command: list[str | Path] = ["score", path, "--translator", *list_model_names(server, TRANSLATOR)]
        command += ["--output", tmp_path / "r.json", "--prices", write_prices(tmp_path)]
        with pytest.raises(ModelFailure, match="spending limit"):
            run_command(*command, "--spending-limit", "0.15", scenarios_in=folder)
        poor, paid = read_results(tmp_path / "r.json"), house.asked[TRANSLATOR]
        run_command(*command, "--spending-limit", "9", scenarios_in=folder)
    assert poor.unscored > 0
    # the second pass sees the same mapping each time, and is asked once
    assert 0 < paid < house.asked[TRANSLATOR] == 9
    rich = read_results(tmp_path / "r.json")
    assert rich.unscored == 0
    assert Decimal(rich.translator_cost or 0) == 9 * REPLY_COST


def test_a_menu_is_not_translated(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve_provider(create_provider(folder)) as server:
        command = [*map(str, build_command(server, tmp_path, "menu")), "--scenarios", str(folder)]
        assert "--translator reads free answers and plans" in run_failing_command(
            command, capsys, monkeypatch
        )
        assert server.requests == []


@pytest.mark.parametrize("form", ["free", "plan"])
def test_a_scenario_without_wording_is_unscored_and_the_others_are_not(
    form: str, folder: Path, tmp_path: Path
) -> None:
    path = folder / "evaluation" / f"{MIX}_mechanics.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**record, "wording": None}), encoding="utf-8")
    house = create_provider(folder)
    with serve_provider(house) as server:
        run_command(*build_command(server, tmp_path, form), scenarios_in=folder)
    runs = get_runs(read_results(tmp_path / "r.json"))
    assert (runs[MIX].state, runs[MIX].score, runs[MIX].note) == (RunState.UNSCORED, None, NO_WORDING)
    assert runs[MIX_TWIN].passed
    assert house.asked == {"small-1": 1, TRANSLATOR: 2}, "nobody is asked about what cannot be scored"


def test_a_folder_without_wording_has_no_score_and_says_why(tmp_path: Path) -> None:
    command = ["eval", "--model", "builtin:quitter", "--output", str(tmp_path / "r.json"), "--runs", "1"]
    result = CliRunner().invoke(app, [*command, "--scenarios", str(create_unworded_folder())])
    assert result.exit_code == NOTHING_SCORED, result.output
    assert (
        "8 of 8 scenarios are not scored (IM-0001, IM-0002, IM-0003, IM-0004, IM-0005 and others)"
        in result.output
    )
    assert "add the section as described in docs/mechanics.md" in result.output
    assert {run.note for each in read_results(tmp_path / "r.json").scenarios for run in each.runs} == {
        NO_WORDING
    }


def test_results_without_a_reading_are_still_read(tmp_path: Path) -> None:
    run = {"number": 1, "state": "scored", "score": 50.0, "executed": ["tie(magnet, lace)"]}
    old = {"scenario_id": "IM-0001", "title": "t", "category": "The Cascade", "tier": "SPARK", "status": "KS"}
    (tmp_path / "old.json").write_text(
        json.dumps({"model": "m", "scenarios": [{**old, "runs": [run]}]}), encoding="utf-8"
    )
    assert read_results(tmp_path / "old.json").scenarios[0].runs[0].reading == ()
